#include "base/zone.h"

#include <gtest/gtest.h>

#include <string>

namespace retrofill {
namespace {

Zone Load(std::string_view name) {
  Result<Zone> zone = Zone::Load(name);
  EXPECT_TRUE(zone.ok()) << name;
  return zone.ok() ? *zone : Zone();
}

std::string Utc(absl::Time t) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", t, absl::UTCTimeZone());
}

TEST(Zone, IsUtcByDefault) {
  EXPECT_TRUE(Zone().utc());
  EXPECT_EQ(Zone().name(), "UTC");
  EXPECT_TRUE(Load("UTC").utc());
}

TEST(Zone, RefusesWhatIsNoIanaName) {
  for (const std::string_view name :
       {"", "localtime", "+05:00", "UTC+2", "Fixed/UTC+01:00:00", "EST5EDT,M3.2.0,M11.1.0",
        "/etc/localtime", "file:Europe/Berlin", "libc:localtime", "../zoneinfo/UTC",
        "Europe/Berlin ", "europe/berlin", "Europe/Atlantis", "posixrules", "right/UTC", "Europe",
        "Europe/"}) {
    const Result<Zone> zone = Zone::Load(name);
    ASSERT_FALSE(zone.ok()) << name;
    EXPECT_EQ(zone.error().id(), "C0103") << name;
    EXPECT_EQ(zone.error().code(), ErrorCode::kInvalid) << name;
  }
}

TEST(Zone, SkippedMidnightStartsAtTheEndOfTheGap) {
  EXPECT_EQ(Utc(Load("America/Sao_Paulo").StartOfDate(absl::CivilDay(2018, 11, 4))),
            "2018-11-04T03:00:00Z");
  EXPECT_EQ(Utc(Load("Africa/Cairo").StartOfDate(absl::CivilDay(2025, 4, 25))),
            "2025-04-24T22:00:00Z");
}

TEST(Zone, RepeatedReadingIsTheFirstOfTwo) {
  EXPECT_EQ(Utc(Load("America/Havana").StartOfDate(absl::CivilDay(2025, 11, 2))),
            "2025-11-02T04:00:00Z");
  EXPECT_EQ(Utc(Load("America/New_York").FirstAtOrAfter(absl::CivilSecond(2026, 11, 1, 1))),
            "2026-11-01T05:00:00Z");
}

TEST(Zone, SkippedDateStartsWhereTheNextOneDoes) {
  for (const auto& [name, day] : {std::pair("Pacific/Apia", absl::CivilDay(2011, 12, 30)),
                                  std::pair("Pacific/Fakaofo", absl::CivilDay(2011, 12, 30)),
                                  std::pair("Pacific/Kiritimati", absl::CivilDay(1994, 12, 31)),
                                  std::pair("Pacific/Kwajalein", absl::CivilDay(1993, 8, 21))}) {
    const Zone zone = Load(name);
    EXPECT_EQ(zone.StartOfDate(day), zone.StartOfDate(day + 1)) << name;
    EXPECT_LT(zone.StartOfDate(day - 1), zone.StartOfDate(day)) << name;
  }
}

TEST(Zone, OffsetMayHaveSeconds) {
  EXPECT_EQ(Load("Africa/Monrovia").OffsetAt(absl::UnixEpoch()), absl::Seconds(-2670));
}

TEST(Zone, TellsWhetherClocksChange) {
  EXPECT_FALSE(Zone().HasClockChanges());
  EXPECT_TRUE(Load("Europe/Berlin").HasClockChanges());
  EXPECT_TRUE(Load("Asia/Kathmandu").HasClockChanges());
  EXPECT_FALSE(Load("Asia/Tokyo").HasClockChanges());
  // Tokyo had summer time until 1951.
  EXPECT_TRUE(Load("Asia/Tokyo").HasClockChanges(absl::FromUnixSeconds(-2208988800)));
}

}  // namespace
}  // namespace retrofill
