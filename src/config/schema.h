#pragma once

#include "base/json.h"

namespace retrofill {

// The JSON Schema (draft-07) of `retrofill.yml`, made from the key table; editors check and
// complete with it. Keys that are not available in this version are described as such. It refuses
// what one file alone shows: unknown keys, values of another form, YAML booleans as dimension
// values, secrets that are written out. Patterns are POSIX extended regular expressions.
Json ConfigSchema();

}  // namespace retrofill
