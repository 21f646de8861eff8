#include "base/process.h"

#include <pwd.h>
#include <unistd.h>

#include <vector>

#include "base/file.h"
#include "base/text.h"

namespace retrofill {

namespace {

// State letter and start (clock ticks since boot) of a process: fields 3 and 22 of its stat file.
struct StatFields {
  std::string state;
  std::string start_ticks;
};

StatFields ReadStat(int64_t pid) {
  const Result<std::string> stat = ReadFile(fmt::format("/proc/{}/stat", pid));
  if (!stat.ok()) return {};
  // Field 2 is the program's name in brackets, which may hold blanks and brackets itself.
  const size_t end_of_name = stat->rfind(") ");
  if (end_of_name == std::string::npos) return {};
  const std::vector<std::string> fields = Split(stat->substr(end_of_name + 2), ' ');
  if (fields.size() < 20) return {};
  return {.state = fields[0], .start_ticks = fields[19]};
}

std::string StartText(const std::string& ticks) {
  const Result<std::string> boot = ReadFile("/proc/sys/kernel/random/boot_id");
  return fmt::format("{}/{}", boot.ok() ? Trim(*boot) : "", ticks);
}

}  // namespace

ProcessId OwnProcess() {
  const int64_t pid = getpid();
  return {.pid = pid, .start = StartText(ReadStat(pid).start_ticks)};
}

bool IsRunning(const ProcessId& process) {
  if (process.pid <= 0) return false;
  const StatFields fields = ReadStat(process.pid);
  if (fields.state.empty() || fields.state == "Z" || fields.state == "X") return false;
  return process.start.empty() || process.start == StartText(fields.start_ticks);
}

namespace {

std::string UserName() {
  struct passwd entry;
  struct passwd* found = nullptr;
  std::vector<char> buffer(1 << 14);
  getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found);
  return found == nullptr ? std::to_string(geteuid()) : found->pw_name;
}

std::string HostName() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

}  // namespace

Operator OperatorOf(const Environment& environment) {
  Operator system = {.user = UserName(), .host = HostName()};
  if (!environment.hooks_on()) return system;
  return {.user = environment.Find("RETROFILL_USER").value_or(system.user),
          .host = environment.Find("RETROFILL_HOST").value_or(system.host)};
}

std::string ExecutablePath() {
  std::vector<char> path(1 << 14);
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  return size < 0 ? "" : std::string(path.data(), static_cast<size_t>(size));
}

}  // namespace retrofill
