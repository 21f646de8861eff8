#pragma once

// Invariants that only a bug can break. On in every build; never for user input or servers.

#include <fmt/core.h>

#include <string>
#include <string_view>

namespace retrofill {

// Writes location, condition, detail and the last log lines to a report file in the state folder
// and ends the process with status 70; aborts when RETROFILL_CHECK_ABORT is set by a test binary.
// Any thread.
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition,
                              std::string_view detail);

// Names the folder that CheckFailed writes its report to. Call once at start, before threads.
void SetCheckReportFolder(std::string folder);

}  // namespace retrofill

// RF_CHECK(start < end) or RF_CHECK(n == m, "counted {} and {}", n, m).
#define RF_CHECK(condition, ...)                                                             \
  do {                                                                                       \
    if (!(condition))                                                                        \
      ::retrofill::CheckFailed(__FILE__, __LINE__, #condition, fmt::format("" __VA_ARGS__)); \
  } while (false)
