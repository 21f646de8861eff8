#pragma once

#include <string_view>

#include "base/environment.h"
#include "base/error.h"
#include "cli/arguments.h"

namespace retrofill {

// Fills what no flag gave from RETROFILL_CONFIG, _DIRECTORY, _COLOR, _FORMAT, _NO_INPUT, _READONLY.
// kInvalid C0103 for a value that cannot be one.
Result<GlobalArguments> MergeSettings(GlobalArguments arguments, const Environment& environment);

// Whether a variable that switches something is on: set, and not `0`.
bool IsSwitchedOn(const Environment& environment, std::string_view name);

}  // namespace retrofill
