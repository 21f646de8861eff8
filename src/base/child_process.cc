#include "base/child_process.h"

#include <absl/time/clock.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/file.h"

namespace retrofill {

namespace {

// Where the child's three standard descriptors come from. All are closed in the child otherwise.
struct Descriptors {
  int input = -1;
  int output = -1;
  int errors = -1;
};

struct Pipe {
  int read = -1;
  int write = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) == 0) read = ends[0], write = ends[1];
  }
  ~Pipe() { CloseRead(), CloseWrite(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void CloseRead() {
    if (read >= 0) close(std::exchange(read, -1));
  }
  void CloseWrite() {
    if (write >= 0) close(std::exchange(write, -1));
  }
};

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

int StatusOf(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

Result<int64_t> Spawn(std::vector<std::string> arguments, const ChildOptions& options,
                      const Descriptors& descriptors) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, descriptors.input, 0);
  posix_spawn_file_actions_adddup2(&actions, descriptors.output, 1);
  posix_spawn_file_actions_adddup2(&actions, descriptors.errors, 2);
  if (!options.folder.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, options.folder.c_str());
  }
  // A group of its own, so that a signal reaches its children too; and no signal blocked or
  // ignored, which we may have done.
  sigset_t none, pipe;
  sigemptyset(&none);
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &pipe);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  std::vector<std::string> variables;
  if (options.variables.has_value()) {
    for (const auto& [name, value] : *options.variables) variables.push_back(name + "=" + value);
  }
  std::vector<char*> argument_pointers = Pointers(arguments);
  std::vector<char*> variable_pointers = Pointers(variables);
  pid_t pid = 0;
  const int reason =
      posix_spawnp(&pid, argument_pointers[0], &actions, &attributes, argument_pointers.data(),
                   options.variables ? variable_pointers.data() : environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (reason != 0) {
    return Fail(ErrorCode::kFailed, "X0201", "cannot start `{}`: {}", arguments[0],
                std::strerror(reason));
  }
  return pid;
}

// Milliseconds for poll() until the deadline; -1 without one.
int PollLimit(absl::Time deadline) {
  if (deadline == absl::InfiniteFuture()) return -1;
  const int64_t left = absl::ToInt64Milliseconds(deadline - absl::Now()) + 1;
  return static_cast<int>(std::clamp<int64_t>(left, 0, 3'600'000));
}

// Reads what is there; false at the end of the stream.
bool Drain(int descriptor, std::string& into) {
  char buffer[1 << 16];
  const ssize_t count = read(descriptor, buffer, sizeof buffer);
  if (count > 0) into.append(buffer, static_cast<size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

// Collects the output until both streams end or time is up; whether they ended.
bool Collect(Pipe& output, Pipe& errors, absl::Time deadline, ChildResult& result) {
  while (output.read >= 0 || errors.read >= 0) {
    struct pollfd waits[2] = {{output.read, POLLIN, 0}, {errors.read, POLLIN, 0}};
    const int ready = poll(waits, 2, PollLimit(deadline));
    if (ready == 0 && absl::Now() >= deadline) return false;
    if (ready <= 0) continue;
    if (waits[0].revents != 0 && !Drain(output.read, result.output)) output.CloseRead();
    if (waits[1].revents != 0 && !Drain(errors.read, result.errors)) errors.CloseRead();
  }
  return true;
}

// A nameless file with these bytes, to be read from its start. Unlike a pipe it cannot block us,
// nor end us with SIGPIPE when the child reads no more.
Result<int> FileInMemory(std::string_view contents) {
  const int file = memfd_create("input", MFD_CLOEXEC);
  if (file < 0) return WriteError("make", "standard input of a child", errno);
  while (!contents.empty()) {
    const ssize_t count = write(file, contents.data(), contents.size());
    if (count < 0 && errno != EINTR) {
      const int reason = errno;
      close(file);
      return WriteError("write", "standard input of a child", reason);
    }
    if (count > 0) contents.remove_prefix(static_cast<size_t>(count));
  }
  lseek(file, 0, SEEK_SET);
  return file;
}

// Waits until the process ends or the limit passes; whether it ended. It stays waitable.
bool WaitForEnd(int64_t pid, absl::Duration limit) {
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0));
  if (handle < 0) return true;  // already gone
  const absl::Time deadline = absl::Now() + limit;
  struct pollfd wait = {handle, POLLIN, 0};
  int ready = 0;
  do {
    ready = poll(&wait, 1, PollLimit(deadline));
  } while (ready <= 0 && absl::Now() < deadline);
  close(handle);
  return ready > 0;
}

}  // namespace

Result<ChildResult> RunChild(const std::vector<std::string>& arguments,
                             const ChildOptions& options) {
  RF_ASSIGN(const int input, FileInMemory(options.input));
  Pipe output, errors;
  const Result<int64_t> pid =
      Spawn(arguments, options, {.input = input, .output = output.write, .errors = errors.write});
  close(input);
  if (!pid.ok()) return pid.error();
  output.CloseWrite();
  errors.CloseWrite();

  ChildResult result;
  const absl::Time deadline = absl::Now() + options.timeout;
  result.is_timed_out =
      !Collect(output, errors, deadline, result) || !WaitForEnd(*pid, deadline - absl::Now());
  if (result.is_timed_out) kill(static_cast<pid_t>(-*pid), SIGKILL);
  int status = 0;
  while (waitpid(static_cast<pid_t>(*pid), &status, 0) < 0 && errno == EINTR) continue;
  result.exit_status = StatusOf(status);
  return result;
}

Result<BackgroundChild> BackgroundChild::Start(const std::vector<std::string>& arguments,
                                               const ChildOptions& options,
                                               const std::string& output_path,
                                               const std::string& errors_path) {
  const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int output = open(output_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const int output_reason = errno;
  const int errors = open(errors_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const int errors_reason = errno;
  Result<int64_t> pid = output < 0   ? WriteError("write", output_path, output_reason)
                        : errors < 0 ? WriteError("write", errors_path, errors_reason)
                                     : Spawn(arguments, options, {input, output, errors});
  for (const int descriptor : {input, output, errors}) {
    if (descriptor >= 0) close(descriptor);
  }
  if (!pid.ok()) return std::move(pid).error();
  return BackgroundChild(*pid);
}

BackgroundChild::BackgroundChild(BackgroundChild&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)), exit_status_(other.exit_status_) {}

BackgroundChild& BackgroundChild::operator=(BackgroundChild&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(exit_status_, other.exit_status_);
  return *this;
}

BackgroundChild::~BackgroundChild() {
  if (pid_ == 0 || exit_status_.has_value()) return;
  kill(static_cast<pid_t>(-pid_), SIGKILL);
  waitpid(static_cast<pid_t>(pid_), nullptr, 0);
}

void BackgroundChild::Signal(int signal) const {
  // Once waited for, the id may already belong to somebody else.
  if (pid_ != 0 && !exit_status_.has_value()) kill(static_cast<pid_t>(pid_), signal);
}

std::optional<int> BackgroundChild::Poll() {
  int status = 0;
  if (!exit_status_.has_value() && waitpid(static_cast<pid_t>(pid_), &status, WNOHANG) > 0) {
    exit_status_ = StatusOf(status);
  }
  return exit_status_;
}

std::optional<int> BackgroundChild::Wait(absl::Duration limit) {
  if (!Poll().has_value()) WaitForEnd(pid_, limit);
  return Poll();
}

}  // namespace retrofill
