#pragma once

// Invariants that only a bug can break. On in every build; never for user input or servers.

#include <fmt/core.h>

#include <string>
#include <string_view>

namespace retrofill {

// Says location, condition, detail and the last log lines on standard error and in a report file,
// and ends the process with status 70. In a process that never called SetCheckReportFolder, as a
// unit test is, it aborts instead. Any thread.
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition,
                              std::string_view detail);

// Names the existing folder that CheckFailed writes its report to; empty: to standard error only.
// main calls it first with "", and again once the state folder is known. Before threads.
void SetCheckReportFolder(std::string folder);

}  // namespace retrofill

// RF_CHECK(start < end) or RF_CHECK(n == m, "counted {} and {}", n, m).
#define RF_CHECK(condition, ...)                                                             \
  do {                                                                                       \
    if (!(condition))                                                                        \
      ::retrofill::CheckFailed(__FILE__, __LINE__, #condition, fmt::format("" __VA_ARGS__)); \
  } while (false)
