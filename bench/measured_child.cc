#include "measured_child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include "base/clock.h"

extern char** environ;

namespace retrofill {

Result<Measured> RunMeasured(const std::vector<std::string>& arguments, const std::string& folder,
                             const std::string& log_path) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                   0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  const std::unique_ptr<Clock> clock = MakeSystemClock();
  const absl::Duration start = clock->Monotonic();
  pid_t pid = 0;
  const int code = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) {
    return Fail(ErrorCode::kFailed, "X0201", "cannot start `{}`: {}", arguments[0],
                std::strerror(code));
  }
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

}  // namespace retrofill
