#include "base/log.h"

#include <absl/time/clock.h>

#include <atomic>
#include <cstdio>
#include <deque>

#include "base/guarded.h"
#include "base/text.h"

namespace retrofill {

namespace {

constexpr size_t kLinesKept = 64;
constexpr size_t kLineBytes = 1000;  // a longer line is cut

// Reached from any thread until the very end of the process, so it is never destroyed.
Guarded<std::deque<std::string>>& Ring() {
  static auto* ring = new Guarded<std::deque<std::string>>();
  return *ring;
}

std::atomic<bool> prints_lines = false;

}  // namespace

void LogLine(std::string_view line) {
  std::string text =
      FormatInstantMillis(absl::Now()) + " " + std::string(line.substr(0, kLineBytes));
  if (prints_lines.load(std::memory_order_relaxed)) std::fprintf(stderr, "%s\n", text.c_str());
  Ring().With([&](std::deque<std::string>& lines) {
    if (lines.size() == kLinesKept) lines.pop_front();
    lines.push_back(std::move(text));
  });
}

std::vector<std::string> LastLogLines() {
  return Ring().With([](const std::deque<std::string>& lines) {
    return std::vector<std::string>(lines.begin(), lines.end());
  });
}

void LogToStandardError(bool is_on) { prints_lines.store(is_on, std::memory_order_relaxed); }

}  // namespace retrofill
