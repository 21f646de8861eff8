#pragma once

#include <absl/time/time.h>
#include <pthread.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "base/clock.h"
#include "engine/step.h"

namespace retrofill {

// Turns signals into requests to stop (product document, 8.2). Blocks the signals in this thread
// and all that start after it, so make one before the first of them; a thread of its own waits.
class SignalWatch {
 public:
  struct Options {
    absl::Duration grace = absl::Seconds(90);  // for running partitions, then they are cancelled
    // Called on the watching thread; true if a publish has begun.
    std::function<bool(StopAsked)> ask;
    std::function<void(const std::string&)> say;  // for a person; likewise
    const Clock* clock = nullptr;
  };
  explicit SignalWatch(Options options);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  // Blocks SIGINT, SIGHUP, SIGTERM, SIGUSR1 in the calling thread.
  static void Block();

  // 0, or the exit status that the signals ask for: 130 after a second SIGINT, 143 after a SIGTERM
  // that went past its grace. Any thread.
  int exit_status() const { return exit_status_.load(); }
  // True once after each SIGUSR1. Any thread that blocks the signals.
  bool TakeProgressRequest();
  // Watches no longer. Signals that came before are still told by the calls above.
  void Stop();
  bool stopping() const { return stopping_.load(); }

 private:
  void Watch(const std::stop_token& stop);
  void Take(int signal);
  void CheckGrace();

  Options options_;
  std::atomic<int> exit_status_ = 0;
  std::atomic<bool> wants_progress_ = false;
  std::atomic<bool> stopping_ = false;
  const pthread_t asking_;  // the thread that may be waiting for a person's answer
  bool broken_ = false;
  int first_signal_ = 0;
  absl::Duration asked_at_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace retrofill
