#pragma once

// What the program did lately, for the report of a failed invariant. Not an answer to the user.

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace retrofill {

// Keeps the line among the last 64; also prints it to standard error if that was asked for. Say no
// secret and no row value. Any thread.
void LogLine(std::string_view line);

template <typename... Args>
void Log(fmt::format_string<Args...> format, Args&&... args) {
  LogLine(fmt::format(format, std::forward<Args>(args)...));
}

// The lines kept, oldest first.
std::vector<std::string> LastLogLines();

// Prints every further line to standard error (`-vv`).
void LogToStandardError(bool is_on);

}  // namespace retrofill
