#include "base/clock.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

TEST(Clock, FixedOneStandsStillAndManualOneObeys) {
  const absl::Time start = absl::FromUnixSeconds(1770714845);
  EXPECT_EQ(MakeFixedClock(start)->Now(), start);
  ManualClock manual(start);
  manual.Advance(absl::Hours(2));
  EXPECT_EQ(manual.Now(), start + absl::Hours(2));
  EXPECT_EQ(manual.Monotonic(), absl::Hours(2));
}

TEST(Clock, SystemTimeIsWholeMicrosecondsAndNeverGoesBack) {
  const std::unique_ptr<Clock> clock = MakeSystemClock();
  const absl::Time now = clock->Now();
  EXPECT_EQ(now, absl::FromUnixMicros(absl::ToUnixMicros(now)));
  const absl::Duration before = clock->Monotonic();
  EXPECT_LE(before, clock->Monotonic());
}

TEST(Clock, HookFixesTheTimeOnlyInTests) {
  Environment::Variables variables = {{"RETROFILL_CLOCK", "2026-02-10T09:14:05Z"}};
  EXPECT_NE((*ClockOf(Environment(variables)))->Now(), absl::FromUnixSeconds(1770714845));
  variables["RETROFILL_TEST"] = "1";
  EXPECT_EQ((*ClockOf(Environment(variables)))->Now(), absl::FromUnixSeconds(1770714845));
}

TEST(Clock, HookThatIsNoInstantIsC0205) {
  const Environment environment({{"RETROFILL_CLOCK", "noon"}, {"RETROFILL_TEST", "1"}});
  EXPECT_EQ(ClockOf(environment).error().id(), "C0205");
}

}  // namespace
}  // namespace retrofill
