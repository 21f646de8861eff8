#pragma once

#include <string_view>

#include "base/error.h"

namespace retrofill {

enum class Format { kText, kJson, kJsonLines };

// The format to answer in: the asked one, or the command's first one if none was asked. `offered`
// lists names with blanks between, the default first. kInvalid C0206 names what the command can
// give.
Result<Format> ChooseFormat(std::string_view verb, std::string_view offered,
                            std::string_view asked);

}  // namespace retrofill
