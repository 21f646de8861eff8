#include "base/check.h"

#include <absl/time/clock.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "base/log.h"
#include "base/text.h"

namespace retrofill {

namespace {

// Never destroyed: a check may fail while the process ends.
std::optional<std::string>& ReportFolder() {
  static auto* folder = new std::optional<std::string>();
  return *folder;
}

bool WriteWhole(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "wxe");
  if (file == nullptr) return false;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && is_written;
}

}  // namespace

void CheckFailed(const char* file, int line, const char* condition, std::string_view detail) {
  const std::string place = fmt::format("{}:{}", file, line);
  std::string said = fmt::format("`{}` does not hold at {}", condition, place);
  if (!detail.empty()) said += fmt::format(": {}", detail);
  std::fprintf(stderr, "error[X0199]: a bug in retrofill: %s\n", said.c_str());
  if (!ReportFolder().has_value()) std::abort();

  const std::string instant = FormatInstantMillis(absl::Now());
  std::string report =
      fmt::format("retrofill stopped itself at {} (process {})\n{}\n\nlast log lines:\n", instant,
                  getpid(), said);
  for (const std::string& logged : LastLogLines()) report += logged + "\n";
  const std::string path = fmt::format("{}/check-{}-{}.txt", *ReportFolder(), instant, getpid());
  if (!ReportFolder()->empty() && WriteWhole(path, report)) {
    std::fprintf(stderr, "    = note: nothing was changed after this; report in %s\n",
                 path.c_str());
  }
  // No destructors: they would run with the broken state.
  std::_Exit(70);
}

void SetCheckReportFolder(std::string folder) { ReportFolder() = std::move(folder); }

}  // namespace retrofill
