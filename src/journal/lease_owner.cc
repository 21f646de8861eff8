#include "journal/lease_owner.h"

#include <fmt/core.h>

#include <optional>

#include "base/process.h"
#include "base/text.h"

namespace retrofill {

std::string LeaseOwnerOfThisProcess(std::string_view host) {
  const ProcessId own = OwnProcess();
  return fmt::format("{}/{}/{}", host, own.pid, own.start);
}

bool IsLeaseOwnerAlive(std::string_view owner) {
  const size_t first = owner.find('/');
  if (first == std::string_view::npos) return false;
  const size_t second = owner.find('/', first + 1);
  if (second == std::string_view::npos) return false;
  const std::optional<int64_t> pid = ParseInteger(owner.substr(first + 1, second - first - 1));
  if (!pid.has_value() || *pid <= 0) return false;
  return IsRunning({.pid = *pid, .start = std::string(owner.substr(second + 1))});
}

}  // namespace retrofill
