#include "model/tick_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "model/grid.h"
#include "model/instant_text.h"

namespace retrofill {
namespace {

using testing::ElementsAre;

Grid GridOf(const std::string& line, const std::string& zone, const std::string& begin = "",
            const std::string& end = "") {
  Result<Grid> grid =
      Grid::Make({.by = line, .zone = *Zone::Load(zone), .begin = begin, .end = end});
  if (!grid.ok()) ADD_FAILURE() << line << ": " << grid.error().message();
  return std::move(*grid);
}

absl::Time Utc(std::string_view text) { return *ReadInstant(text, Zone(), "--test"); }

std::vector<std::string> Ticks(const Grid& grid, std::string_view first, std::string_view end) {
  std::vector<std::string> ticks;
  const absl::Time last = Utc(end);
  for (absl::Time at = grid.Ceil(Utc(first)); at < last; at = grid.Containing(at).end) {
    ticks.push_back(InstantText(at));
  }
  return ticks;
}

// W04: the tick of a skipped hour is the first instant after the gap, none is lost or doubled.
TEST(TickTable, ATickInASkippedHourFiresAtTheEndOfTheGap) {
  const Grid grid = GridOf("0 2 * * *", "America/New_York");
  EXPECT_THAT(Ticks(grid, "2026-03-07", "2026-03-11"),
              ElementsAre("2026-03-07T07:00Z", "2026-03-08T07:00Z", "2026-03-09T06:00Z",
                          "2026-03-10T06:00Z"));
  const Interval first = grid.Containing(Utc("2026-03-07T07:00Z"));
  const Interval second = grid.Next(first);
  EXPECT_EQ(first.end - first.start, absl::Hours(24));
  EXPECT_EQ(second.end - second.start, absl::Hours(23));
  EXPECT_EQ(grid.Next(second).end - second.end, absl::Hours(24));
  // Half past the tick, the last closed interval is the one before it.
  const Interval open = grid.Containing(Utc("2026-03-08T07:30Z"));
  EXPECT_EQ(grid.Previous(open), first);
}

TEST(TickTable, TicksOfOneGapAreOne) {
  const Grid grid = GridOf("*/20 2,3 * * *", "America/New_York");
  EXPECT_THAT(Ticks(grid, "2026-03-08T06:00Z", "2026-03-08T12:00Z"),
              ElementsAre("2026-03-08T07:00Z", "2026-03-08T07:20Z", "2026-03-08T07:40Z"));
}

TEST(TickTable, ATickInARepeatedHourFiresAtItsFirst) {
  const Grid grid = GridOf("30 1 * * *", "America/New_York");
  EXPECT_THAT(Ticks(grid, "2026-10-31", "2026-11-03"),
              ElementsAre("2026-10-31T05:30Z", "2026-11-01T05:30Z", "2026-11-02T06:30Z"));
  const Grid hourly = GridOf("0 * * * *", "America/New_York");
  EXPECT_THAT(Ticks(hourly, "2026-11-01T04:00Z", "2026-11-01T08:00Z"),
              ElementsAre("2026-11-01T04:00Z", "2026-11-01T05:00Z", "2026-11-01T07:00Z"));
}

TEST(TickTable, ADateThatTheZoneSkippedFiresOnceAfterIt) {
  const Grid grid = GridOf("0 0,12 * * *", "Pacific/Apia");
  EXPECT_THAT(Ticks(grid, "2011-12-29T10:00Z", "2012-01-01T10:00Z"),
              ElementsAre("2011-12-29T10:00Z", "2011-12-29T22:00Z", "2011-12-30T10:00Z",
                          "2011-12-30T22:00Z", "2011-12-31T10:00Z", "2011-12-31T22:00Z"));
}

// W17: six months are six partitions, the first one once.
TEST(TickTable, MonthlyTicks) {
  const Grid grid = GridOf("0 8 1 * *", "UTC", "2024-01-01", "2024-06");
  EXPECT_THAT(Ticks(grid, "2024-01-01", "2024-07-01"),
              ElementsAre("2024-01-01T08:00Z", "2024-02-01T08:00Z", "2024-03-01T08:00Z",
                          "2024-04-01T08:00Z", "2024-05-01T08:00Z", "2024-06-01T08:00Z"));
  EXPECT_EQ(grid.begin(), Utc("2024-01-01T08:00Z"));
  EXPECT_EQ(grid.end(), Utc("2024-07-01T08:00Z"));
  EXPECT_EQ(grid.KeyText(grid.Containing(Utc("2024-01-01T08:00Z"))), "2024-01-01T08:00");
}

// W18: a zone moves the ticks, and takes none away.
TEST(TickTable, TicksOfAZone) {
  const Grid grid = GridOf("0 9 1 * *", "Europe/Berlin");
  EXPECT_THAT(Ticks(grid, "2019-01-01", "2019-03-31T22:00Z"),
              ElementsAre("2019-01-01T08:00Z", "2019-02-01T08:00Z", "2019-03-01T08:00Z"));
  EXPECT_EQ(grid.KeyText(grid.Containing(Utc("2019-01-15"))), "2019-01-01T09:00+0100");
}

TEST(TickTable, BoundsAreC0103WhereNoTickIs) {
  for (const std::string bound : {"2024-01-02", "2024-01-01T09", "2024-02-30"}) {
    const Result<Grid> grid =
        Grid::Make({.by = "0 8 1 * *", .zone = Zone(), .begin = bound, .end = ""});
    ASSERT_FALSE(grid.ok()) << bound;
    EXPECT_EQ(grid.error().id(), "C0103");
  }
}

TEST(TickTable, SparseLinesHaveATickBeforeAndAfterEachInstant) {
  // 29 February on a Sunday.
  const Grid grid = GridOf("0 0 29 2 */7", "UTC");
  EXPECT_EQ(InstantText(grid.Containing(Utc("2026-01-01")).start), "2004-02-29T00:00Z");
  EXPECT_EQ(InstantText(grid.Containing(Utc("2026-01-01")).end), "2032-02-29T00:00Z");
  EXPECT_LT(grid.Containing(Utc("1900-01-01")).start, Utc("1900-01-01"));
  EXPECT_GT(grid.Containing(Utc("2199-12-31")).end, Utc("2199-12-31"));
}

// Counting, ranking and stepping agree with the readings one by one.
TEST(TickTable, AgreesWithAWalkOverTheClock) {
  for (const std::string zone : {"UTC", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo",
                                 "America/St_Johns", "Pacific/Apia", "Antarctica/Troll"}) {
    for (const std::string line :
         {"*/15 0-4 * * *", "0 0 * * *", "30 1,2,3 * * mon", "7 23 L * *"}) {
      const Grid grid = GridOf(line, zone);
      const Cron cron = *Cron::Parse(line);
      std::vector<absl::Time> expected;
      const absl::CivilDay first(2010, 10, 1);
      const absl::CivilDay end(2012, 2, 1);
      for (absl::CivilDay day = first; day < end; ++day) {
        if (!cron.Names(day)) continue;
        for (const int minute : cron.minutes()) {
          const absl::Time tick = grid.zone().FirstAtOrAfter(absl::CivilSecond(day) + 60 * minute);
          if (expected.empty() || tick > expected.back()) expected.push_back(tick);
        }
      }
      const Interval all{expected.front(), expected.back()};
      ASSERT_EQ(grid.Count(all), static_cast<int64_t>(expected.size()) - 1) << zone << ' ' << line;
      for (size_t i = 0; i + 1 < expected.size(); ++i) {
        const Interval slot{expected[i], expected[i + 1]};
        const auto rank = static_cast<int64_t>(i);
        ASSERT_EQ(grid.At(all, rank), slot)
            << zone << ' ' << line << ' ' << InstantText(slot.start);
        ASSERT_EQ(grid.Containing(slot.end - absl::Seconds(1)), slot);
        ASSERT_EQ(grid.RankOf(all, slot.start), rank);
      }
    }
  }
}

}  // namespace
}  // namespace retrofill
