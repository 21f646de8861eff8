#include "cli/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "cli/output.h"
#include "cli/settings.h"

namespace retrofill {

bool WantsColor(std::string_view flag, const Environment& environment, bool is_terminal) {
  if (flag == "always") return true;
  if (flag == "never") return false;
  if (environment.Find("NO_COLOR")) return false;
  if (IsSwitchedOn(environment, "CLICOLOR_FORCE") || IsSwitchedOn(environment, "FORCE_COLOR"))
    return true;
  return is_terminal && environment.Find("TERM") != "dumb";
}

Terminal::Terminal(const GlobalArguments& global, const Environment& environment) {
  const bool input = isatty(STDIN_FILENO) == 1;
  const bool output = isatty(STDOUT_FILENO) == 1;
  const bool error = isatty(STDERR_FILENO) == 1;
  can_ask_ = input && error && !global.no_input;
  color_output_ = WantsColor(global.color, environment, output);
  color_error_ = WantsColor(global.color, environment, error);
  can_animate_ = output && environment.Find("TERM") != "dumb" &&
                 !IsSwitchedOn(environment, "RETROFILL_NO_PROGRESS");
}

int Terminal::width() const {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

int Terminal::height() const {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return 24;
  return size.ws_row;
}

namespace {

// While it lives, a signal to stop ends ReadLine instead of being kept back or ending the program:
// whoever is asked may always leave.
class SignalsEndReading {
 public:
  SignalsEndReading() {
    struct sigaction interrupt{};
    interrupt.sa_handler = [](int) {};  // no SA_RESTART: the call it comes into ends with EINTR
    for (size_t i = 0; i < kStops.size(); ++i) sigaction(kStops[i], &interrupt, &before_[i]);
    pthread_sigmask(SIG_SETMASK, nullptr, &while_waiting_);
    sigset_t stops;
    sigemptyset(&stops);
    for (const int signal : kStops) {
      sigdelset(&while_waiting_, signal);
      sigaddset(&stops, signal);
    }
    pthread_sigmask(SIG_BLOCK, &stops, &mask_before_);
  }
  ~SignalsEndReading() {
    for (size_t i = 0; i < kStops.size(); ++i) sigaction(kStops[i], &before_[i], nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  }
  SignalsEndReading(const SignalsEndReading&) = delete;
  SignalsEndReading& operator=(const SignalsEndReading&) = delete;

  // Whether there is something to read; false if a signal came.
  bool Await(int file) const {
    struct pollfd wait = {file, POLLIN, 0};
    return ppoll(&wait, 1, nullptr, &while_waiting_) > 0;
  }

 private:
  static constexpr std::array kStops = {SIGINT, SIGHUP, SIGTERM};
  std::array<struct sigaction, kStops.size()> before_{};
  sigset_t while_waiting_{};
  sigset_t mask_before_{};
};

// Up to the newline; nothing at the end of the input or if a signal came.
std::optional<std::string> ReadLine(int file) {
  const SignalsEndReading signals;
  std::string line;
  while (signals.Await(file)) {
    char c = 0;
    if (read(file, &c, 1) != 1) return line.empty() ? std::nullopt : std::optional(line);
    if (c == '\n') return line;
    line += c;
  }
  WriteError("\n");
  return std::nullopt;
}

}  // namespace

std::optional<std::string> Terminal::Ask(std::string_view question) const {
  if (!can_ask_) return std::nullopt;
  WriteError(question);
  const int terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC);
  std::optional<std::string> line = ReadLine(terminal >= 0 ? terminal : STDIN_FILENO);
  if (terminal >= 0) close(terminal);
  return line;
}

}  // namespace retrofill
