#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "model/project.h"

namespace retrofill {

// Tables chosen by `--select` and `--exclude` words, all without them; in order of name. A word is
// a name, `NAME+` (it and all that reads it, however far), `+NAME` (it and all that it reads),
// `tag:NAME`, or `path:FOLDER/` (where its SQL lies). kInvalid C0109 for a word that chooses
// nothing.
Result<std::vector<std::string>> ChooseTables(const Project& project,
                                              const std::vector<std::string>& select,
                                              const std::vector<std::string>& exclude);

}  // namespace retrofill
