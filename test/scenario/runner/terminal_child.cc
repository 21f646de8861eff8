#include "terminal_child.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"

namespace retrofill::scenario {
namespace {

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Result<TerminalChild> TerminalChild::Start(const std::vector<std::string>& command,
                                           const TerminalOptions& options) {
  std::vector<std::string> arguments = command;
  std::vector<std::string> variables;
  for (const auto& [name, value] : options.variables) variables.push_back(name + "=" + value);
  const std::vector<char*> argv = Pointers(arguments);
  const std::vector<char*> envp = Pointers(variables);
  winsize size{};
  size.ws_col = static_cast<unsigned short>(options.size.columns);
  size.ws_row = static_cast<unsigned short>(options.size.rows);
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
  if (pid < 0) return WriteError("open", "a terminal", errno);
  if (pid == 0) {
    if (chdir(options.folder.c_str()) == 0) execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  fcntl(terminal, F_SETFD, FD_CLOEXEC);
  return TerminalChild(terminal, pid, options.size);
}

TerminalChild::TerminalChild(TerminalChild&& other) noexcept
    : terminal_(std::exchange(other.terminal_, -1)),
      pid_(std::exchange(other.pid_, 0)),
      screen_(std::move(other.screen_)) {}

TerminalChild::~TerminalChild() {
  if (pid_ != 0) {
    kill(static_cast<pid_t>(pid_), SIGKILL);
    waitpid(static_cast<pid_t>(pid_), nullptr, 0);
  }
  if (terminal_ >= 0) close(terminal_);
}

void TerminalChild::Type(std::string_view keys) const {
  while (!keys.empty()) {
    const ssize_t count = write(terminal_, keys.data(), keys.size());
    if (count < 0 && errno != EINTR) return;
    if (count > 0) keys.remove_prefix(static_cast<size_t>(count));
  }
}

bool TerminalChild::Read(int milliseconds) {
  struct pollfd wait = {terminal_, POLLIN, 0};
  if (poll(&wait, 1, milliseconds) <= 0) return true;
  char buffer[1 << 14];
  const ssize_t count = read(terminal_, buffer, sizeof buffer);
  if (count <= 0) return count < 0 && errno == EINTR;
  screen_.Feed({buffer, static_cast<size_t>(count)});
  return true;
}

void TerminalChild::Watch(absl::Duration limit) {
  Read(static_cast<int>(absl::ToInt64Milliseconds(limit)));
}

std::optional<int> TerminalChild::Wait(absl::Duration limit) {
  const std::unique_ptr<Clock> clock = MakeSystemClock();
  const absl::Duration deadline = clock->Monotonic() + limit;
  while (Read(100)) {
    if (clock->Monotonic() > deadline) return std::nullopt;
  }
  int status = 0;
  while (waitpid(static_cast<pid_t>(pid_), &status, 0) < 0 && errno == EINTR) continue;
  pid_ = 0;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace retrofill::scenario
