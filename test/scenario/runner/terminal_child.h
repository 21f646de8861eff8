#pragma once

// A program on a terminal of its own: its standard input, output and error, and what /dev/tty is.

#include <absl/time/time.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "screen.h"

namespace retrofill::scenario {

struct TerminalOptions {
  std::string folder;
  std::map<std::string, std::string> variables;  // the whole environment
  ScreenSize size;
};

// Move only; the destructor kills the program and waits. One thread.
class TerminalChild {
 public:
  static Result<TerminalChild> Start(const std::vector<std::string>& command,
                                     const TerminalOptions& options);
  TerminalChild(TerminalChild&& other) noexcept;
  TerminalChild& operator=(TerminalChild&&) = delete;
  ~TerminalChild();

  const Screen& screen() const { return screen_; }
  // As if somebody typed it.
  void Type(std::string_view keys) const;
  // Takes what the program printed for as long as `limit`, or until it prints something.
  void Watch(absl::Duration limit);
  // Takes everything up to the end of the program. Its exit status, 128 + signal if one ended it;
  // nothing if it still runs after the limit.
  std::optional<int> Wait(absl::Duration limit);

 private:
  TerminalChild(int terminal, int64_t pid, ScreenSize size)
      : terminal_(terminal), pid_(pid), screen_(size) {}
  // False once the program has closed its side.
  bool Read(int milliseconds);

  int terminal_ = -1;  // our side
  int64_t pid_ = 0;    // 0: moved from, or waited for
  Screen screen_;
};

}  // namespace retrofill::scenario
