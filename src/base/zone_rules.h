#pragma once

#include <string>

namespace retrofill {

// Version of the system's zone rules, such as `2026a`; "unknown" where the system does not say. Any
// thread.
std::string ZoneRulesVersion();

}  // namespace retrofill
