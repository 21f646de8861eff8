#include "cli/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

std::optional<std::string> Terminal::Ask(std::string_view question) const {
  if (!can_ask_) return std::nullopt;
  WriteError(question);
  const int terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC);
  const int from = terminal >= 0 ? terminal : STDIN_FILENO;
  std::string line;
  char c = 0;
  bool ended = false;
  while (true) {
    if (read(from, &c, 1) != 1) {
      ended = line.empty();
      break;
    }
    if (c == '\n') break;
    line += c;
  }
  if (terminal >= 0) close(terminal);
  if (ended) return std::nullopt;
  return line;
}

}  // namespace retrofill
