#include "cli/signal_watch.h"

#include <pthread.h>

#include <csignal>
#include <ctime>
#include <utility>

#include "base/text.h"

namespace retrofill {
namespace {

constexpr int kExitInterrupted = 130;
constexpr int kExitTerminated = 143;
constexpr int kWake = SIGURG;  // to the watching thread alone; ignored wherever else it arrives

sigset_t WatchedSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGHUP, SIGTERM, SIGUSR1}) sigaddset(&signals, signal);
  return signals;
}

}  // namespace

void SignalWatch::Block() {
  const sigset_t signals = WatchedSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

SignalWatch::SignalWatch(Options options) : options_(std::move(options)), asking_(pthread_self()) {
  Block();
  thread_ = std::jthread([this](const std::stop_token& stop) { Watch(stop); });
}

SignalWatch::~SignalWatch() { Stop(); }

void SignalWatch::Stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  pthread_kill(thread_.native_handle(), kWake);
  thread_.join();
}

bool SignalWatch::TakeProgressRequest() {
  if (wants_progress_.exchange(false)) return true;
  // One that came just now, before the watching thread was woken for it.
  sigset_t progress;
  sigemptyset(&progress);
  sigaddset(&progress, SIGUSR1);
  const timespec none{.tv_sec = 0, .tv_nsec = 0};
  return sigtimedwait(&progress, nullptr, &none) == SIGUSR1;
}

void SignalWatch::Watch(const std::stop_token& stop) {
  sigset_t signals = WatchedSignals();
  sigaddset(&signals, kWake);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const timespec wait{.tv_sec = 0, .tv_nsec = 50'000'000};  // how late the end of grace is seen
  while (!stop.stop_requested()) {
    const int signal = sigtimedwait(&signals, nullptr, &wait);
    if (signal > 0 && signal != kWake) Take(signal);
    CheckGrace();
  }
}

void SignalWatch::Take(int signal) {
  if (signal == SIGUSR1) {
    wants_progress_ = true;
    return;
  }
  if (!stopping_) {
    stopping_ = true;
    first_signal_ = signal;
    asked_at_ = options_.clock->Monotonic();
    // A question that is open, or comes later, is answered by it: no (Terminal::Ask).
    pthread_kill(asking_, signal);
    if (options_.ask({StopKind::kPause, signal == SIGINT ? "Ctrl-C" : "asked by a signal"})) {
      return options_.say(
          "\nstopping: the publish that has begun is finished first; nothing else starts.\n");
    }
    options_.say(fmt::format(
        "\nstopping: nothing new starts, running partitions may finish (up to {}). Production is "
        "untouched.\n{}",
        DurationText(options_.grace),
        signal == SIGINT
            ? "   Press Ctrl-C again to cancel their queries now; they are recomputed on resume.\n"
            : ""));
    return;
  }
  if (signal != SIGINT || broken_) return;
  broken_ = true;
  exit_status_ = kExitInterrupted;
  options_.ask({StopKind::kBreak, "second Ctrl-C"});
}

void SignalWatch::CheckGrace() {
  if (!stopping_ || broken_ || options_.clock->Monotonic() - asked_at_ < options_.grace) return;
  broken_ = true;
  if (first_signal_ == SIGTERM) exit_status_ = kExitTerminated;
  options_.ask({StopKind::kBreak, "grace is over"});
}

}  // namespace retrofill
