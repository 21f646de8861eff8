#include "model/watermark.h"

#include <gtest/gtest.h>

#include <string>

#include "model/selection.h"

namespace retrofill {
namespace {

absl::Time Utc(int year, int month, int day, int hour = 0) {
  return absl::FromCivil(absl::CivilSecond(year, month, day, hour, 0, 0), absl::UTCTimeZone());
}

PartitionSpace Space(std::string_view by, std::string_view zone = "UTC") {
  Result<Zone> loaded = Zone::Load(zone);
  EXPECT_TRUE(loaded.ok());
  Result<Grid> grid = Grid::Make({.by = std::string(by),
                                  .zone = *loaded,
                                  .week_start = absl::Weekday::monday,
                                  .begin = {},
                                  .end = {}});
  EXPECT_TRUE(grid.ok());
  return PartitionSpace(std::move(*grid), {}, false);
}

PartitionSet Days(const PartitionSpace& space, absl::Time start, absl::Time end) {
  return PartitionSet::All(space, {start, end});
}

TEST(ClassifyAt, TellsCompleteOpenAndFuture) {  // W23
  const PartitionSpace space = Space("day");
  const absl::Time as_of = Utc(2026, 9, 30, 12);
  const ClassedSet classed =
      ClassifyAt(Days(space, Utc(2026, 9, 25), Utc(2026, 10, 10)), space, as_of,
                 {{.before = {}, .after = {}, .watermark = as_of, .floor = {}}});
  EXPECT_EQ(classed.complete.Count(space), 5);
  EXPECT_EQ(SetText(classed.complete, space, 3), "2026-09-25..2026-09-29");
  EXPECT_EQ(SetText(classed.open, space, 3), "2026-09-30");
  EXPECT_EQ(classed.future.Count(space), 9);
  EXPECT_TRUE(classed.incomplete.empty());
  EXPECT_TRUE(classed.expired.empty());
}

TEST(ClassifyAt, YearInProgressIsPartRunOpenAndFuture) {
  const PartitionSpace space = Space("day");
  const absl::Time as_of =
      absl::FromCivil(absl::CivilSecond(2026, 2, 10, 9, 14, 5), absl::UTCTimeZone());
  const ClassedSet classed =
      ClassifyAt(Days(space, Utc(2026, 1, 1), Utc(2027, 1, 1)), space, as_of,
                 {{.before = {}, .after = {}, .watermark = as_of, .floor = {}}});
  EXPECT_EQ(classed.complete.Count(space), 40);
  EXPECT_EQ(SetText(classed.open, space, 3), "2026-02-10");
  EXPECT_EQ(classed.future.Count(space), 324);
}

TEST(ClassifyAt, ExpiredPartitionsAreThoseThatStartBeforeTheFloor) {  // T17
  const PartitionSpace space = Space("day");
  const absl::Time as_of = Utc(2026, 9, 28, 8);
  const absl::Time floor = RetentionFloor(Zone(), as_of, 7);
  EXPECT_EQ(floor, Utc(2026, 9, 21));
  const ClassedSet classed =
      ClassifyAt(Days(space, Utc(2026, 8, 29), Utc(2026, 9, 28)), space, as_of,
                 {{.before = {}, .after = {}, .watermark = as_of, .floor = floor}});
  EXPECT_EQ(classed.complete.Count(space), 7);
  EXPECT_EQ(SetText(classed.complete, space, 3), "2026-09-21..2026-09-27");
  EXPECT_EQ(classed.expired.Count(space), 23);
}

TEST(ClassifyAt, HundredDaysOfOrdersReachBackToTheSecondOfNovember) {
  const PartitionSpace space = Space("day");
  const absl::Time as_of = Utc(2026, 2, 10, 9);
  const ClassedSet classed =
      ClassifyAt(Days(space, Utc(2025, 11, 1), Utc(2026, 2, 1)), space, as_of,
                 {{.before = {},
                   .after = {},
                   .watermark = as_of,
                   .floor = RetentionFloor(Zone(), as_of, 100)}});
  EXPECT_EQ(SetText(classed.expired, space, 3), "2025-11-01");
  EXPECT_EQ(SetText(classed.complete, space, 3), "2025-11-02..2026-01-31");
}

TEST(ClassifyAt, WindowThatIsOnlyPartlyHeldIsExpired) {
  const PartitionSpace space = Space("day");
  const absl::Time as_of = Utc(2026, 9, 28, 8);
  const ClassedSet classed =
      ClassifyAt(Days(space, Utc(2026, 9, 20), Utc(2026, 9, 28)), space, as_of,
                 {{.before = {2, Span::Unit::kDay},
                   .after = {},
                   .watermark = as_of,
                   .floor = Utc(2026, 9, 21)}});
  EXPECT_EQ(SetText(classed.expired, space, 3), "2026-09-20..2026-09-22");
  EXPECT_EQ(SetText(classed.complete, space, 3), "2026-09-23..2026-09-27");
}

TEST(ClassifyAt, LagAndLaterWindowMakeIncomplete) {
  const PartitionSpace space = Space("hour");
  const absl::Time as_of = Utc(2026, 9, 28, 8);
  const PartitionSet hours = Days(space, Utc(2026, 9, 28, 0), Utc(2026, 9, 28, 10));
  const ClassedSet lag =
      ClassifyAt(hours, space, as_of,
                 {{.before = {}, .after = {}, .watermark = as_of - absl::Hours(2), .floor = {}}});
  EXPECT_EQ(SetText(lag.complete, space, 3), "2026-09-28T00..2026-09-28T05");
  EXPECT_EQ(SetText(lag.incomplete, space, 3), "2026-09-28T06..2026-09-28T07");
  EXPECT_EQ(SetText(lag.future, space, 3), "2026-09-28T08..2026-09-28T09");
  EXPECT_TRUE(lag.open.empty());
  const ClassedSet after = ClassifyAt(
      hours, space, as_of,
      {{.before = {}, .after = {3, Span::Unit::kHour}, .watermark = as_of, .floor = {}},
       {.before = {}, .after = {}, .watermark = as_of - absl::Minutes(30), .floor = {}}});
  EXPECT_EQ(SetText(after.complete, space, 3), "2026-09-28T00..2026-09-28T04");
}

TEST(ClassifyAt, FloorIsAMidnightOfTheSourcesZone) {
  Result<Zone> tokyo = Zone::Load("Asia/Tokyo");
  ASSERT_TRUE(tokyo.ok());
  EXPECT_EQ(RetentionFloor(*tokyo, Utc(2026, 9, 28, 20), 7), Utc(2026, 9, 21, 15));
  Result<Zone> berlin = Zone::Load("Europe/Berlin");
  ASSERT_TRUE(berlin.ok());
  EXPECT_EQ(RetentionFloor(*berlin, Utc(2026, 3, 30, 10), 7), Utc(2026, 3, 22, 23));
}

TEST(ClassifyAt, TargetMayExpireItself) {
  const PartitionSpace space = Space("month");
  const ClassedSet classed = ClassifyAt(Days(space, Utc(2026, 1, 1), Utc(2026, 6, 1)), space,
                                        Utc(2026, 6, 10), {}, Utc(2026, 2, 15));
  EXPECT_EQ(SetText(classed.expired, space, 3), "2026-01..2026-02");
  EXPECT_EQ(SetText(classed.complete, space, 3), "2026-03..2026-05");
}

TEST(ClassifyAt, WithoutTimeEverythingIsComplete) {
  const PartitionSpace whole(std::nullopt, {}, false);
  const PartitionSet all = PartitionSet::All(whole, PartitionSpace::AllTime());
  EXPECT_EQ(ClassifyAt(all, whole, Utc(2026, 1, 1), {}).complete, all);
}

}  // namespace
}  // namespace retrofill
