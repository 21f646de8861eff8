#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/environment.h"
#include "cli/arguments.h"

namespace retrofill {

// What the process is connected to. Main thread only.
class Terminal {
 public:
  // Looks at standard input, output and error, flags and variables.
  Terminal(const GlobalArguments& global, const Environment& environment);

  // Standard input and standard error are both terminals and nobody said --no-input: it may ask.
  bool can_ask() const { return can_ask_; }
  // Colour for standard output and standard error (product document, 8.3).
  bool color_output() const { return color_output_; }
  bool color_error() const { return color_error_; }
  // Whether a region of the screen may be drawn again and again: standard output is a terminal that
  // is not dumb, and RETROFILL_NO_PROGRESS is not set.
  bool can_animate() const { return can_animate_; }
  int width() const;   // columns of standard output, 80 where unknown
  int height() const;  // rows, 24 where unknown

  // Prints the question to standard error and reads one line from the terminal itself, also where
  // standard input is something else. Nothing at its end, if a signal to stop came, or if there is
  // no terminal.
  std::optional<std::string> Ask(std::string_view question) const;

 private:
  bool can_ask_ = false;
  bool color_output_ = false;
  bool color_error_ = false;
  bool can_animate_ = false;
};

// `--color` beats NO_COLOR beats CLICOLOR_FORCE and FORCE_COLOR beats "is a terminal that is not
// dumb".
bool WantsColor(std::string_view flag, const Environment& environment, bool is_terminal);

}  // namespace retrofill
