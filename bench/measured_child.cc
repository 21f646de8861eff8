#include "measured_child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/clock.h"
#include "base/text.h"

extern char** environ;

namespace retrofill {
namespace {

// Starts it in `folder` with these actions and standard input empty; its process id.
Result<pid_t> Spawn(const std::vector<std::string>& arguments, const std::string& folder,
                    posix_spawn_file_actions_t& actions) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  pid_t pid = 0;
  const int code = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code == 0) return pid;
  return Fail(ErrorCode::kFailed, "X0201", "cannot start `{}`: {}", arguments[0],
              std::strerror(code));
}

}  // namespace

Result<Measured> RunMeasured(const std::vector<std::string>& arguments, const std::string& folder,
                             const std::string& log_path) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                   0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  const std::unique_ptr<Clock> clock = MakeSystemClock();
  const absl::Duration start = clock->Monotonic();
  RF_ASSIGN(const pid_t pid, Spawn(arguments, folder, actions));
  int status = 0;
  rusage usage{};
  while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return Measured{.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                  .wall_s = absl::ToDoubleSeconds(clock->Monotonic() - start),
                  .cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime),
                  .peak_mib = static_cast<double>(usage.ru_maxrss) / 1024};
}

Result<double> SecondsToFirstByte(const std::vector<std::string>& arguments,
                                  const std::string& folder) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return Fail(ErrorCode::kFailed, "X0201", "cannot make a pipe: {}", std::strerror(errno));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  const std::unique_ptr<Clock> clock = MakeSystemClock();
  const absl::Duration start = clock->Monotonic();
  Result<pid_t> pid = Spawn(arguments, folder, actions);
  close(ends[1]);
  if (!pid.ok()) return close(ends[0]), std::move(pid).error();
  char buffer[1 << 16];
  const bool spoke = read(ends[0], buffer, sizeof buffer) > 0;
  const absl::Duration first = clock->Monotonic() - start;
  while (read(ends[0], buffer, sizeof buffer) > 0) continue;
  close(ends[0]);
  int status = 0;
  while (waitpid(*pid, &status, 0) < 0 && errno == EINTR) continue;
  if (spoke && WIFEXITED(status) && WEXITSTATUS(status) == 0) return absl::ToDoubleSeconds(first);
  return Fail(ErrorCode::kFailed, "X0201", "`{}` said nothing, or failed", Join(arguments, " "));
}

}  // namespace retrofill
