#include "model/calendar.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/window.h"

namespace retrofill {
namespace {

Span Months(int64_t n) { return {n, Span::Unit::kMonth}; }

std::string Date(absl::CivilSecond reading) {
  return absl::FormatCivilTime(absl::CivilDay(reading));
}

std::string Moved(absl::CivilDay day, Span span, Direction direction) {
  return Date(AddSpan(absl::CivilSecond(day), span, direction));
}

TEST(AddSpan, ClampsTheDayOfTheMonth) {
  EXPECT_EQ(Moved(absl::CivilDay(2026, 3, 31), Months(1), Direction::kBack), "2026-02-28");
  EXPECT_EQ(Moved(absl::CivilDay(2024, 3, 31), Months(1), Direction::kBack), "2024-02-29");
  EXPECT_EQ(Moved(absl::CivilDay(2024, 2, 29), {1, Span::Unit::kYear}, Direction::kBack),
            "2023-02-28");
  EXPECT_EQ(Moved(absl::CivilDay(2026, 5, 31), {1, Span::Unit::kQuarter}, Direction::kBack),
            "2026-02-28");
  EXPECT_EQ(Moved(absl::CivilDay(2026, 1, 1), {2, Span::Unit::kWeek}, Direction::kBack),
            "2025-12-18");
}

TEST(AddSpan, MonthsAreCountedFromTheAnchor) {  // W20
  std::vector<std::string> dates;
  for (int64_t k = 0; k < 5; ++k) {
    dates.push_back(Moved(absl::CivilDay(2026, 1, 31), Months(k), Direction::kForth));
  }
  EXPECT_EQ(dates, (std::vector<std::string>{"2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30",
                                             "2026-05-31"}));
}

TEST(AddCivil, DaysFollowTheWallClockAndHoursTheElapsedTime) {
  Result<Zone> zone = Zone::Load("America/New_York");
  ASSERT_TRUE(zone.ok());
  const absl::Time noon = zone->FirstAtOrAfter(absl::CivilSecond(2026, 3, 7, 12, 0, 0));
  const Span day{1, Span::Unit::kDay};
  EXPECT_EQ(AddCivil(*zone, noon, day, Direction::kForth) - noon, absl::Hours(23));
  EXPECT_EQ(AddCivil(*zone, noon, {24, Span::Unit::kHour}, Direction::kForth) - noon,
            absl::Hours(24));
  // 02:30 does not exist on 8 March: the first instant after the gap.
  const absl::Time early = zone->FirstAtOrAfter(absl::CivilSecond(2026, 3, 7, 2, 30, 0));
  EXPECT_EQ(zone->CivilAt(AddCivil(*zone, early, day, Direction::kForth)),
            absl::CivilSecond(2026, 3, 8, 3, 0, 0));
  EXPECT_EQ(AddCivil(*zone, noon, Span{}, Direction::kBack), noon);
  EXPECT_EQ(AddCivil(*zone, noon + absl::Microseconds(5), day, Direction::kBack),
            noon - absl::Hours(24) + absl::Microseconds(5));
}

TEST(AddCivil, StaysInSupportedYears) {
  const Span long_span{1'000'000, Span::Unit::kYear};
  EXPECT_EQ(AddCivil(Zone(), absl::UnixEpoch(), long_span, Direction::kBack),
            absl::FromUnixSeconds(-2209075200));
  EXPECT_EQ(AddCivil(Zone(), absl::UnixEpoch(), long_span, Direction::kForth),
            absl::FromUnixSeconds(7258204800));
}

TEST(ReadWindow, MovesTheNominalDateOfASkippedMidnight) {
  Result<Zone> zone = Zone::Load("America/Sao_Paulo");
  ASSERT_TRUE(zone.ok());
  Result<Grid> grid = Grid::Make(
      {.by = "day", .zone = *zone, .week_start = absl::Weekday::monday, .begin = {}, .end = {}});
  ASSERT_TRUE(grid.ok());
  // 2018-11-04 starts at 01:00; the day before it at 00:00, not at 01:00.
  const Interval day = grid->Containing(zone->StartOfDate(absl::CivilDay(2018, 11, 4)));
  EXPECT_EQ(zone->CivilAt(day.start), absl::CivilSecond(2018, 11, 4, 1, 0, 0));
  const Interval read = ReadWindow(*grid, day, {1, Span::Unit::kDay}, {1, Span::Unit::kDay});
  EXPECT_EQ(zone->CivilAt(read.start), absl::CivilSecond(2018, 11, 3));
  EXPECT_EQ(zone->CivilAt(read.end), absl::CivilSecond(2018, 11, 6));
  EXPECT_EQ(ReadingOfBound(*grid, day.start), absl::CivilSecond(2018, 11, 4));
}

TEST(ReadWindow, RepeatedMidnightStartsItsDateWhileTheClockShowsTheOneBefore) {
  Result<Zone> zone = Zone::Load("America/St_Johns");
  ASSERT_TRUE(zone.ok());
  Result<Grid> grid = Grid::Make(
      {.by = "day", .zone = *zone, .week_start = absl::Weekday::monday, .begin = {}, .end = {}});
  ASSERT_TRUE(grid.ok());
  const Interval day = grid->Containing(zone->StartOfDate(absl::CivilDay(2006, 10, 29)));
  EXPECT_EQ(ReadingOfBound(*grid, day.start), absl::CivilSecond(2006, 10, 29));
  EXPECT_EQ(ReadingOfBound(*grid, day.start + absl::Minutes(30)),
            absl::CivilSecond(2006, 10, 28, 23, 30, 0));
}

}  // namespace
}  // namespace retrofill
