#include "model/grid.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "model/time_word.h"

namespace retrofill {
namespace {

Grid MakeGrid(std::string_view by, std::string_view zone = "UTC", std::string_view begin = "",
              std::string_view end = "", absl::Weekday week_start = absl::Weekday::monday) {
  Result<Zone> loaded = Zone::Load(zone);
  EXPECT_TRUE(loaded.ok()) << zone;
  Result<Grid> grid = Grid::Make({.by = std::string(by),
                                  .zone = *loaded,
                                  .week_start = week_start,
                                  .begin = std::string(begin),
                                  .end = std::string(end)});
  EXPECT_TRUE(grid.ok()) << by << ": " << (grid.ok() ? "" : grid.error().message());
  return std::move(*grid);
}

std::string Utc(absl::Time t) { return absl::FormatTime("%Y-%m-%dT%H:%M", t, absl::UTCTimeZone()); }

Interval Named(const Grid& grid, std::string_view text) {
  Result<TimeWord> word = ParseTimeWord(text);
  EXPECT_TRUE(word.ok()) << text;
  Result<Interval> interval = TimeWordInterval(*word, grid);
  EXPECT_TRUE(interval.ok()) << text << ": " << (interval.ok() ? "" : interval.error().message());
  return *interval;
}

double HoursOf(const Interval& interval) {
  return absl::ToDoubleHours(interval.end - interval.start);
}

std::vector<Interval> Slots(const Grid& grid, const Interval& aligned) {
  std::vector<Interval> slots;
  for (Interval slot = grid.Containing(aligned.start); slot.start < aligned.end;
       slot = grid.Next(slot)) {
    slots.push_back(slot);
  }
  return slots;
}

struct DayRow {
  const char* zone;
  const char* date;
  const char* start;
  const char* end;
  double hours;
  int hourly;
};

TEST(Grid, DaysHaveTheExactBoundsOfTheTable) {
  const std::vector<DayRow> rows = {
      {"America/New_York", "2026-03-08", "2026-03-08T05:00", "2026-03-09T04:00", 23, 23},
      {"America/New_York", "2026-11-01", "2026-11-01T04:00", "2026-11-02T05:00", 25, 25},
      {"Europe/Berlin", "2026-03-29", "2026-03-28T23:00", "2026-03-29T22:00", 23, 23},
      {"Europe/Berlin", "2026-10-25", "2026-10-24T22:00", "2026-10-25T23:00", 25, 25},
      {"Antarctica/Troll", "2026-03-29", "2026-03-29T00:00", "2026-03-29T22:00", 22, 22},
      {"Antarctica/Troll", "2026-10-25", "2026-10-24T22:00", "2026-10-26T00:00", 26, 26},
      {"Australia/Lord_Howe", "2025-04-06", "2025-04-05T13:00", "2025-04-06T13:30", 24.5, 25},
      {"Australia/Lord_Howe", "2025-10-05", "2025-10-04T13:30", "2025-10-05T13:00", 23.5, 24},
      {"America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00", "2018-11-05T02:00", 23, 23},
      {"America/Sao_Paulo", "2018-02-17", "2018-02-17T02:00", "2018-02-18T03:00", 25, 25},
      {"Africa/Cairo", "2025-04-25", "2025-04-24T22:00", "2025-04-25T21:00", 23, 23},
      {"Asia/Beirut", "2026-03-29", "2026-03-28T22:00", "2026-03-29T21:00", 23, 23},
      // Of 2025: newer zone databases keep Havana's clocks unchanged in autumn 2026.
      {"America/Havana", "2025-11-02", "2025-11-02T04:00", "2025-11-03T05:00", 25, 25},
      {"Pacific/Apia", "2011-12-29", "2011-12-29T10:00", "2011-12-30T10:00", 24, 24},
      {"Pacific/Apia", "2011-12-31", "2011-12-30T10:00", "2011-12-31T10:00", 24, 24},
      {"Pacific/Kwajalein", "1969-09-30", "1969-09-29T13:00", "1969-10-01T12:00", 47, 47},
      {"America/St_Johns", "2006-10-29", "2006-10-29T02:30", "2006-10-30T03:30", 25, 26},
      {"Asia/Kathmandu", "2026-01-01", "2025-12-31T18:15", "2026-01-01T18:15", 24, 24},
      {"Asia/Pyongyang", "2018-05-04", "2018-05-03T15:30", "2018-05-04T15:00", 23.5, 24},
      {"America/Caracas", "2016-05-01", "2016-05-01T04:30", "2016-05-02T04:00", 23.5, 24},
  };
  for (const DayRow& row : rows) {
    SCOPED_TRACE(std::string(row.zone) + " " + row.date);
    const Grid days = MakeGrid("day", row.zone);
    const Interval day = Named(days, row.date);
    EXPECT_EQ(Utc(day.start), row.start);
    EXPECT_EQ(Utc(day.end), row.end);
    EXPECT_EQ(HoursOf(day), row.hours);
    EXPECT_EQ(days.KeyText(day), row.date);
    EXPECT_EQ(days.Containing(day.end - absl::Microseconds(1)), day);
    const Grid hours = MakeGrid("hour", row.zone);
    EXPECT_EQ(hours.Count(day), row.hourly);
    const std::vector<Interval> slots = Slots(hours, day);
    ASSERT_EQ(slots.size(), static_cast<size_t>(row.hourly));
    EXPECT_EQ(slots.front().start, day.start);
    EXPECT_EQ(slots.back().end, day.end);
  }
}

TEST(Grid, SkippedDateIsNoPartitionAndIsNotCounted) {
  const Grid days = MakeGrid("day", "Pacific/Apia");
  const Interval before = Named(days, "2011-12-29");
  EXPECT_EQ(days.KeyText(days.Next(before)), "2011-12-31");
  EXPECT_EQ(days.KeyText(days.Previous(days.Next(before))), "2011-12-29");
  EXPECT_EQ(days.Count(Named(days, "2011-12")), 30);
  EXPECT_EQ(HoursOf(Named(days, "2011-12")), 720);
  EXPECT_EQ(days.Count(Named(days, "2011")), 364);
  EXPECT_EQ(HoursOf(Named(days, "2011")), 8736);
  EXPECT_EQ(days.Count(Named(days, "2011-W52")), 6);
  EXPECT_EQ(HoursOf(Named(days, "2011-W52")), 144);
  EXPECT_EQ(days.KeyText(days.At(Named(days, "2011-12"), 29)), "2011-12-31");
}

TEST(Grid, HoursAroundAChangeHaveTheirOwnNames) {
  const Grid hours = MakeGrid("hour", "America/New_York");
  const std::vector<Interval> fall = Slots(hours, Named(hours, "2026-11-01"));
  EXPECT_EQ(hours.KeyText(fall[1]), "2026-11-01T01-0400");
  EXPECT_EQ(hours.KeyText(fall[2]), "2026-11-01T01-0500");
  for (const Interval& slot : Slots(hours, Named(hours, "2026-03-08"))) {
    EXPECT_NE(hours.zone().CivilAt(slot.start).hour(), 2);
  }
  const Grid lord_howe = MakeGrid("hour", "Australia/Lord_Howe");
  const std::vector<Interval> april = Slots(lord_howe, Named(lord_howe, "2025-04-06"));
  EXPECT_EQ(lord_howe.KeyText(april[2]), "2025-04-06T01:30+1030");
  EXPECT_EQ(HoursOf(april[2]), 0.5);
  const std::vector<Interval> october = Slots(lord_howe, Named(lord_howe, "2025-10-05"));
  EXPECT_EQ(lord_howe.KeyText(october[2]), "2025-10-05T02:30+1100");
  EXPECT_EQ(HoursOf(october[2]), 0.5);
  const Grid sao_paulo = MakeGrid("hour", "America/Sao_Paulo");
  EXPECT_EQ(sao_paulo.KeyText(Slots(sao_paulo, Named(sao_paulo, "2018-11-04"))[0]),
            "2018-11-04T01-0200");
  const Grid st_johns = MakeGrid("hour", "America/St_Johns");
  const std::vector<Interval> pieces = Slots(st_johns, Named(st_johns, "2006-10-29"));
  EXPECT_EQ(st_johns.KeyText(pieces[0]), "2006-10-29T00-0230");
  EXPECT_EQ(pieces[0].end - pieces[0].start, absl::Minutes(1));
  EXPECT_EQ(st_johns.KeyText(pieces[1]), "2006-10-28T23:01-0330");
  EXPECT_EQ(pieces[1].end - pieces[1].start, absl::Minutes(59));
  const Grid caracas = MakeGrid("hour", "America/Caracas");
  const std::vector<Interval> may = Slots(caracas, Named(caracas, "2016-05-01"));
  EXPECT_EQ(caracas.KeyText(may[2]), "2016-05-01T02-0430");
  EXPECT_EQ(HoursOf(may[2]), 0.5);
}

struct CutRow {
  const char* zone;
  const char* date;
  int quarters, halves, two_hours;
  double six, twelve;
};

TEST(Grid, FinerAndCoarserCutsOfADayFollowTheWallClock) {
  const std::vector<CutRow> rows = {
      {"America/New_York", "2026-03-08", 92, 46, 12, 5, 11},
      {"America/New_York", "2026-11-01", 100, 50, 12, 7, 13},
      {"Australia/Lord_Howe", "2025-04-06", 98, 49, 12, 6.5, 12.5},
      {"Australia/Lord_Howe", "2025-10-05", 94, 47, 12, 5.5, 11.5},
      {"Antarctica/Troll", "2026-03-29", 88, 44, 12, 4, 10},
      {"Antarctica/Troll", "2026-10-25", 104, 52, 12, 8, 14},
  };
  for (const CutRow& row : rows) {
    SCOPED_TRACE(std::string(row.zone) + " " + row.date);
    const auto count = [&](std::string_view by) {
      const Grid grid = MakeGrid(by, row.zone);
      const Interval day = Named(grid, row.date);
      EXPECT_EQ(grid.Count(day), static_cast<int64_t>(Slots(grid, day).size())) << by;
      return grid.Count(day);
    };
    EXPECT_EQ(count("15m"), row.quarters);
    EXPECT_EQ(count("30m"), row.halves);
    EXPECT_EQ(count("2h"), row.two_hours);
    const Grid six = MakeGrid("6h", row.zone);
    const std::vector<Interval> sixes = Slots(six, Named(six, row.date));
    ASSERT_EQ(sixes.size(), 4U);
    EXPECT_EQ(HoursOf(sixes[0]), row.six);
    const Grid twelve = MakeGrid("12h", row.zone);
    const std::vector<Interval> twelves = Slots(twelve, Named(twelve, row.date));
    ASSERT_EQ(twelves.size(), 2U);
    EXPECT_EQ(HoursOf(twelves[0]), row.twelve);
    EXPECT_EQ(HoursOf(twelves[1]), 12);
  }
}

TEST(Grid, TwoHourCutsOfTrollHaveTheNamesOfTheTable) {
  const Grid grid = MakeGrid("2h", "Antarctica/Troll");
  const std::vector<Interval> march = Slots(grid, Named(grid, "2026-03-29"));
  EXPECT_EQ(grid.KeyText(march[0]), "2026-03-29T00+0000");
  EXPECT_EQ(HoursOf(march[0]), 1);
  EXPECT_EQ(grid.KeyText(march[1]), "2026-03-29T03+0200");
  EXPECT_EQ(HoursOf(march[1]), 1);
  const std::vector<Interval> october = Slots(grid, Named(grid, "2026-10-25"));
  EXPECT_EQ(grid.KeyText(october[1]), "2026-10-25T02+0200");
  EXPECT_EQ(HoursOf(october[1]), 4);
}

TEST(Grid, MonthsQuartersAndWeeksHaveTheHoursOfTheTable) {
  const Grid new_york = MakeGrid("month", "America/New_York");
  EXPECT_EQ(Utc(Named(new_york, "2026-03").start), "2026-03-01T05:00");
  EXPECT_EQ(Utc(Named(new_york, "2026-03").end), "2026-04-01T04:00");
  const std::vector<std::tuple<const char*, const char*, const char*, double>> rows = {
      {"month", "America/New_York", "2026-03", 743},
      {"month", "America/New_York", "2026-11", 721},
      {"quarter", "America/New_York", "2026-Q1", 2159},
      {"quarter", "America/New_York", "2026-Q4", 2209},
      {"week", "America/New_York", "2026-W10", 167},
      {"week", "America/New_York", "2026-W44", 169},
      {"month", "Europe/Berlin", "2026-03", 743},
      {"month", "Europe/Berlin", "2026-10", 745},
      {"year", "Pacific/Apia", "2011", 8736},
  };
  for (const auto& [by, zone, name, hours] : rows) {
    const Grid grid = MakeGrid(by, zone);
    const Interval slot = grid.Containing(Named(grid, name).start);
    EXPECT_EQ(slot, Named(grid, name)) << name;
    EXPECT_EQ(HoursOf(slot), hours) << name;
    EXPECT_EQ(grid.KeyText(slot), name);
    EXPECT_EQ(grid.KeyText(grid.Previous(grid.Next(slot))), name);
  }
}

TEST(Grid, IsoWeeksUseTheIsoYear) {
  const Grid weeks = MakeGrid("week");
  EXPECT_EQ(Utc(Named(weeks, "2026-W01").start), "2025-12-29T00:00");
  EXPECT_EQ(Utc(Named(weeks, "2026-W53").end), "2027-01-04T00:00");
  for (const auto& [date, week] :
       std::vector<std::pair<const char*, const char*>>{{"2016-01-03", "2015-W53"},
                                                        {"2018-12-31", "2019-W01"},
                                                        {"2019-12-30", "2020-W01"},
                                                        {"2023-01-01", "2022-W52"},
                                                        {"2027-01-03", "2026-W53"}}) {
    EXPECT_EQ(weeks.KeyText(weeks.Containing(Named(weeks, date).start)), week) << date;
  }
}

TEST(Grid, OtherWeekStartsAreNamedByTheirFirstDate) {
  const Grid weeks = MakeGrid("week", "UTC", "", "", absl::Weekday::sunday);
  const Interval week = weeks.Containing(Named(weeks, "2026-03-11").start);
  EXPECT_EQ(weeks.KeyText(week), "2026-03-08");
  EXPECT_EQ(Named(weeks, "2026-03-08"), week);
  EXPECT_EQ(HoursOf(week), 168);
}

TEST(Grid, CountsYearsOfHoursWithoutListingThem) {
  const Grid new_york = MakeGrid("hour", "America/New_York");
  EXPECT_EQ(new_york.Count(Named(new_york, "2026")), 8760);
  const Grid lord_howe = MakeGrid("hour", "Australia/Lord_Howe");
  EXPECT_EQ(lord_howe.Count(Named(lord_howe, "2025")), 8761);
  const Grid utc = MakeGrid("hour");
  EXPECT_EQ(utc.Count({Named(utc, "2016").start, Named(utc, "2025").end}), 87672);
}

TEST(Grid, SupportedYearsAreWholeInEveryZone) {
  for (const char* zone : {"UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"}) {
    for (const char* by : {"hour", "8h", "day", "month", "year"}) {
      const Grid grid = MakeGrid(by, zone);
      for (const char* year : {"1900", "2199"}) {
        SCOPED_TRACE(std::string(zone) + " " + by + " " + year);
        const Interval whole = Named(grid, year);
        EXPECT_TRUE(grid.Aligned(whole));
        EXPECT_EQ(grid.At(whole, grid.Count(whole) - 1).end, whole.end);
      }
    }
  }
}

TEST(Grid, OffsetIsPrintedOnlyWhereClocksChange) {
  const Grid tokyo = MakeGrid("hour", "Asia/Tokyo");
  EXPECT_EQ(tokyo.KeyText(Named(tokyo, "2026-03-08T05")), "2026-03-08T05");
  const Grid early = MakeGrid("hour", "Asia/Tokyo", "1949-01-01");
  EXPECT_EQ(early.KeyText(Named(early, "2026-03-08T05+0900")), "2026-03-08T05+0900");
  const Grid monrovia = MakeGrid("hour", "Africa/Monrovia");
  const Interval day = Named(monrovia, "1971-06-01");
  EXPECT_EQ(monrovia.KeyText(monrovia.Containing(day.start)), "1971-06-01T00-004430");
  EXPECT_EQ(Named(monrovia, "1971-06-01T00-004430").start, day.start);
  const Grid quarters = MakeGrid("15m", "America/New_York");
  EXPECT_EQ(quarters.KeyText(Named(quarters, "2026-03-08T05:15-0400")), "2026-03-08T05:15-0400");
}

TEST(Grid, RefusesGrainsThatDoNotExist) {
  for (const std::string by : {"24h", "1440m", "7m", "0h", "25h", "day2", "", "h", "-1h", "cron",
                               "015m", "99999999999999999999m"}) {
    const Result<Grid> grid = Grid::Make(
        {.by = by, .zone = Zone(), .week_start = absl::Weekday::monday, .begin = "", .end = ""});
    ASSERT_FALSE(grid.ok()) << by;
    EXPECT_EQ(grid.error().id(), "C0103") << by;
    if (by == "24h" || by == "1440m") {
      EXPECT_EQ(grid.error().diagnostic().helps[0], "write `day`");
    }
  }
}

TEST(Grid, BeginAndEndAreNamesOnTheGrid) {
  const Grid grid = MakeGrid("day", "UTC", "2020-01-01", "2020-12-31");
  EXPECT_EQ(Utc(*grid.begin()), "2020-01-01T00:00");
  EXPECT_EQ(Utc(*grid.end()), "2021-01-01T00:00");
  const auto refused = [](std::string by, std::string begin, std::string end) {
    const Result<Grid> made = Grid::Make({.by = by,
                                          .zone = Zone(),
                                          .week_start = absl::Weekday::monday,
                                          .begin = begin,
                                          .end = end});
    EXPECT_FALSE(made.ok()) << begin << " " << end;
    return made.ok() ? "" : made.error().id();
  };
  EXPECT_EQ(refused("week", "2026-01", ""), "C0103");
  EXPECT_EQ(refused("day", "2026-02-30", ""), "C0103");
  EXPECT_EQ(refused("day", "soon", ""), "C0103");
  EXPECT_EQ(refused("day", "2026-02-02", "2026-02-01"), "C0103");
}

TEST(Grid, DayOfTheSpringChangeHas23Hours) {  // W01
  const Grid hours = MakeGrid("hour", "America/New_York");
  const std::vector<Interval> slots = Slots(hours, Named(hours, "2026-03-08"));
  ASSERT_EQ(slots.size(), 23U);
  std::vector<std::string> keys;
  for (size_t k = 0; k < slots.size(); ++k) {
    EXPECT_EQ(slots[k].end - slots[k].start, absl::Hours(1));
    EXPECT_EQ(slots[k].start,
              absl::FromCivil(absl::CivilSecond(2026, 3, 8, 5), absl::UTCTimeZone()) +
                  absl::Hours(static_cast<int>(k)));
    keys.push_back(hours.KeyText(slots[k]));
  }
  EXPECT_EQ(keys[0], "2026-03-08T00-0500");
  EXPECT_EQ(keys[1], "2026-03-08T01-0500");
  EXPECT_EQ(keys[2], "2026-03-08T03-0400");
  EXPECT_EQ(keys[22], "2026-03-08T23-0400");
}

TEST(Grid, DayOfTheAutumnChangeHas25HoursWithNamesOfTheirOwn) {  // W02
  const Grid hours = MakeGrid("hour", "America/New_York");
  const std::vector<Interval> slots = Slots(hours, Named(hours, "2026-11-01"));
  ASSERT_EQ(slots.size(), 25U);
  std::set<std::string> keys;
  std::set<std::string> without_offset;
  for (const Interval& slot : slots) {
    keys.insert(hours.KeyText(slot));
    without_offset.insert(hours.KeyText(slot).substr(0, 13));
  }
  EXPECT_EQ(keys.size(), 25U);
  EXPECT_EQ(without_offset.size(), 24U);
  EXPECT_TRUE(keys.contains("2026-11-01T01-0400"));
  EXPECT_TRUE(keys.contains("2026-11-01T01-0500"));
  EXPECT_EQ(Utc(slots.back().end), "2026-11-02T05:00");
}

TEST(Grid, TickOnTheDayOfAChangeBelongsToThatDate) {  // W03
  const Grid days = MakeGrid("day", "America/New_York");
  const absl::Time tick = absl::FromCivil(absl::CivilSecond(2026, 3, 8, 11), absl::UTCTimeZone());
  EXPECT_EQ(days.KeyText(days.Containing(tick)), "2026-03-08");
  EXPECT_EQ(days.KeyText(days.Previous(days.Containing(tick))), "2026-03-07");
}

TEST(Grid, DaysAreNeverSteppedBy24Hours) {  // W07
  for (const auto& [zone, length] : {std::pair("Europe/Berlin", 23), {"Antarctica/Troll", 22}}) {
    const Grid days = MakeGrid("day", zone);
    const std::vector<Interval> slots =
        Slots(days, {Named(days, "2026-03-28").start, Named(days, "2026-03-30").end});
    ASSERT_EQ(slots.size(), 3U);
    EXPECT_EQ(HoursOf(slots[0]), 24);
    EXPECT_EQ(HoursOf(slots[1]), length);
    EXPECT_EQ(HoursOf(slots[2]), 24);
  }
}

TEST(Grid, TokyoDaysStartAtTokyoMidnight) {  // W27
  const Grid days = MakeGrid("day", "Asia/Tokyo");
  const absl::Time at = absl::FromCivil(absl::CivilSecond(2026, 1, 14, 23), absl::UTCTimeZone());
  Interval slot = days.Containing(at);
  EXPECT_EQ(days.KeyText(slot), "2026-01-15");
  for (int i = 0; i < 8; ++i) slot = days.Previous(slot);
  EXPECT_EQ(Utc(slot.start), "2026-01-06T15:00");
}

TEST(TimeWord, SaysWhyThereIsNoSuchTime) {
  const Grid hours = MakeGrid("hour", "America/New_York");
  const auto error = [](const Grid& grid, std::string_view text) {
    Result<TimeWord> word = ParseTimeWord(text);
    if (!word.ok()) return word.error();
    Result<Interval> interval = TimeWordInterval(*word, grid);
    EXPECT_FALSE(interval.ok()) << text;
    return interval.ok() ? Error(ErrorCode::kInternal, "", "") : interval.error();
  };
  EXPECT_EQ(error(hours, "2026-11-01T01").id(), "P0105");
  EXPECT_EQ(error(hours, "2026-11-01T01").diagnostic().helps[0],
            "write `2026-11-01T01-0400` or `2026-11-01T01-0500`");
  EXPECT_EQ(error(hours, "2026-03-08T02-0500").id(), "P0105");
  EXPECT_EQ(error(hours, "2026-03-08T02-0500").diagnostic().helps[0],
            "the names around it are `2026-03-08T01-0500` and `2026-03-08T03-0400`");
  EXPECT_EQ(error(hours, "2026-03-08T02").id(), "P0105");
  EXPECT_EQ(error(hours, "2026-03-08T05").diagnostic().helps[0], "write `2026-03-08T05-0400`");
  EXPECT_EQ(error(MakeGrid("hour"), "2026-03-08T05+0000").id(), "P0109");
  EXPECT_EQ(error(MakeGrid("day"), "2026-02-30").diagnostic().helps[0],
            "the days around it are `2026-02-28` and `2026-03-01`");
  EXPECT_EQ(error(MakeGrid("week"), "2024-W53").diagnostic().helps[0],
            "the weeks around it are `2024-W52` and `2025-W01`");
  EXPECT_EQ(error(MakeGrid("day", "Pacific/Apia"), "2011-12-30").diagnostic().helps[0],
            "the days around it are `2011-12-29` and `2011-12-31`");
  for (std::string_view text :
       {"2026-13", "2026-Q5", "2026-W00", "2026-01-01T24", "1899", "2200"}) {
    EXPECT_EQ(error(MakeGrid("day"), text).id(), "P0105") << text;
  }
  for (std::string_view text : {"26", "2026-1", "2026-01-1", "2026-01-01T", "2026/01", "today",
                                "2026-01-01T05:0", "2026-01-01 05", "2026-01-01T05-05"}) {
    EXPECT_FALSE(IsTimeShape(text)) << text;
    EXPECT_EQ(error(MakeGrid("day"), text).id(), "P0109") << text;
  }
}

}  // namespace
}  // namespace retrofill
