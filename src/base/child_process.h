#pragma once

// Programs that we start.

#include <absl/time/time.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace retrofill {

struct ChildOptions {
  std::string folder = {};  // working directory; empty = ours
  // The whole environment; else ours.
  std::optional<std::map<std::string, std::string>> variables = {};
  std::string input = {};                             // what it reads on standard input
  absl::Duration timeout = absl::InfiniteDuration();  // then SIGKILL to its group
};

struct ChildResult {
  int exit_status = 0;        // 128 + signal if a signal ended it
  bool is_timed_out = false;  // and was killed for it
  std::string output;         // standard output
  std::string errors;         // standard error
};

// Starts the program (looked up in PATH unless the name has a slash) with these arguments, in its
// own process group, and waits for its end. No shell. Blocks; any thread. kFailed X0201 if it
// cannot be started; its own exit status is no error.
Result<ChildResult> RunChild(const std::vector<std::string>& arguments,
                             const ChildOptions& options = {});

// A program that runs beside us, with its output in two files. Move only; the destructor kills the
// group and waits. One thread.
class BackgroundChild {
 public:
  // Output files are made or emptied. Standard input is empty. kFailed X0201, W0109.
  static Result<BackgroundChild> Start(const std::vector<std::string>& arguments,
                                       const ChildOptions& options, const std::string& output_path,
                                       const std::string& errors_path);
  BackgroundChild(BackgroundChild&& other) noexcept;
  BackgroundChild& operator=(BackgroundChild&& other) noexcept;
  ~BackgroundChild();

  int64_t pid() const { return pid_; }
  // Sends a signal to the program, not to its group.
  void Signal(int signal) const;
  // The exit status if it has ended (as in ChildResult).
  std::optional<int> Poll();
  // Waits for the end. Nothing if it still runs after the limit.
  std::optional<int> Wait(absl::Duration limit);

 private:
  explicit BackgroundChild(int64_t pid) : pid_(pid) {}

  int64_t pid_ = 0;  // 0 after a move
  std::optional<int> exit_status_;
};

}  // namespace retrofill
