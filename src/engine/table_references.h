#pragma once

#include <vector>

#include "base/error.h"
#include "model/project.h"

namespace retrofill {

// C0110 for each cycle of tables that `inputs` and the `{{ ref(...) }}` of their SQL close
// together. SQL that cannot be read is left to whoever needs it.
std::vector<Error> FindReferenceCycles(const Project& project);

}  // namespace retrofill
