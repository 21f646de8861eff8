#include "cli/live_map.h"

#include <fmt/core.h>

#include "cli/output.h"
#include "report/printable.h"

namespace retrofill {
namespace {

std::string Drawn(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += Printable(line) + "\x1b[K\n";
  return text;
}

}  // namespace

std::string LiveRegion::Erase() const {
  return lines_.empty() ? std::string() : fmt::format("\x1b[{}A\x1b[J", lines_.size());
}

void LiveRegion::Draw(const std::vector<std::string>& lines) {
  const std::lock_guard lock(mutex_);
  if (lines == lines_) return;
  WriteScreen(Erase() + Drawn(lines));
  lines_ = lines;
}

void LiveRegion::PrintAbove(const std::string& text) {
  const std::lock_guard lock(mutex_);
  WriteScreen(Erase() + Printable(text) + Drawn(lines_));
}

void LiveRegion::Interject(const std::string& text) {
  const std::lock_guard lock(mutex_);
  WriteScreen(Erase());
  WriteError(text);
  WriteScreen(Drawn(lines_));
}

void LiveRegion::Finish() {
  const std::lock_guard lock(mutex_);
  lines_.clear();
}

}  // namespace retrofill
