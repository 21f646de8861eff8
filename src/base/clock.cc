#include "base/clock.h"

#include <absl/time/clock.h>

#include <chrono>

#include "base/text.h"

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

Result<std::unique_ptr<Clock>> ClockOf(const Environment& environment) {
  const std::optional<std::string> fixed = environment.Find("RETROFILL_CLOCK");
  if (!environment.hooks_on() || !fixed.has_value()) return MakeSystemClock();
  const Result<absl::Time> now = ParseInstant(*fixed);
  if (!now.ok()) {
    return Fail(ErrorCode::kInvalid, "C0205", "`RETROFILL_CLOCK` is no instant: `{}`", *fixed)
        .Help("write RFC 3339, such as `2026-02-10T09:00:00Z`");
  }
  return MakeFixedClock(*now);
}

}  // namespace retrofill
