#pragma once

#include <string>

#include "base/error.h"

namespace retrofill {

// Refuses to write an answer over a file that a person or a database owns: a database, SQL text or
// a configuration, known by its first bytes or its name. kRefused C0204. A file of another kind, a
// device and a file that is not there yet are fine.
Status CheckOutput(const std::string& path);

}  // namespace retrofill
