#include "base/clock.h"

#include <absl/time/clock.h>

#include <chrono>

namespace retrofill {

namespace {

class SystemClock : public Clock {
 public:
  absl::Time Now() const override { return absl::FromUnixMicros(absl::ToUnixMicros(absl::Now())); }
  absl::Duration Monotonic() const override {
    return absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch());
  }
};

class FixedClock final : public SystemClock {
 public:
  explicit FixedClock(absl::Time now) : now_(now) {}
  absl::Time Now() const override { return now_; }

 private:
  absl::Time now_;
};

}  // namespace

std::unique_ptr<Clock> MakeSystemClock() { return std::make_unique<SystemClock>(); }

std::unique_ptr<Clock> MakeFixedClock(absl::Time now) { return std::make_unique<FixedClock>(now); }

}  // namespace retrofill
