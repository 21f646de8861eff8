#pragma once

#include <absl/time/time.h>

#include <string>

namespace retrofill {

// An instant for people, cut to the second: `2026-02-10T20:15:09Z`.
std::string SecondText(absl::Time instant);

}  // namespace retrofill
