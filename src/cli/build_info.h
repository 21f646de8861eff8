#pragma once

#include <string>

namespace retrofill {

// What this program was built from.
struct BuildInfo {
  std::string version{};  // "0.1.0"
  std::string commit{};   // of the last configure step; empty where there was no git
  std::string build_type{};
  std::string compiler{};
};
BuildInfo ThisBuild();  // its source is made by cmake/BuildInfo.cmake

}  // namespace retrofill
