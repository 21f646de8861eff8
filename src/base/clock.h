#pragma once

// The time. Nobody else asks the system for it.

#include <absl/time/time.h>

#include <memory>

#include "base/environment.h"
#include "base/error.h"

namespace retrofill {

// A source of time; pass a reference to whoever needs to know it. Any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  // Wall-clock time, cut to the microsecond so that every instant survives being written down.
  virtual absl::Time Now() const = 0;
  // Time since some fixed moment, never going back: for measuring.
  virtual absl::Duration Monotonic() const = 0;
};

// The system's time.
std::unique_ptr<Clock> MakeSystemClock();

// Fixed wall-clock time with the system's monotonic time: what RETROFILL_CLOCK sets in tests.
std::unique_ptr<Clock> MakeFixedClock(absl::Time now);

// The system's time, or the one that RETROFILL_CLOCK fixes where the hooks of tests are on.
// kInvalid C0205 if it is no instant.
Result<std::unique_ptr<Clock>> ClockOf(const Environment& environment);

// A clock that only moves when told to. One thread, or guarded by the caller.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(absl::Time now) : now_(now) {}
  absl::Time Now() const override { return now_; }
  absl::Duration Monotonic() const override { return monotonic_; }
  void Advance(absl::Duration by) {
    now_ += by;
    monotonic_ += by;
  }

 private:
  absl::Time now_;
  absl::Duration monotonic_;
};

}  // namespace retrofill
