#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "model/cut_table.h"
#include "model/grid.h"
#include "model/time_word.h"
#include "model/zone_names_test.h"

namespace retrofill {
namespace {

const std::vector<std::string> kZones = {"UTC",
                                         "America/New_York",
                                         "Europe/Berlin",
                                         "Asia/Tokyo",
                                         "Antarctica/Troll",
                                         "Australia/Lord_Howe",
                                         "America/Sao_Paulo",
                                         "Africa/Cairo",
                                         "America/Havana",
                                         "Pacific/Apia",
                                         "Pacific/Kwajalein",
                                         "America/St_Johns",
                                         "Asia/Kathmandu",
                                         "Asia/Pyongyang",
                                         "America/Caracas",
                                         "Africa/Monrovia",
                                         "Pacific/Kiritimati",
                                         "Asia/Tehran",
                                         "Asia/Beirut",
                                         "Africa/Casablanca",
                                         "Europe/Dublin",
                                         "America/Juneau",
                                         "Asia/Manila",
                                         "Pacific/Fakaofo"};
const std::vector<std::string> kGrains = {"1m",  "5m",  "15m", "30m",  "hour",  "2h",      "3h",
                                          "6h",  "8h",  "12h", "8m",   "16m",   "36m",     "45m",
                                          "72m", "90m", "day", "week", "month", "quarter", "year"};

// Half of the time one of those that did something strange.
Zone AnyZone() {
  Result<Zone> zone =
      Zone::Load(*rc::gen::elementOf(*rc::gen::arbitrary<bool>() ? kZones : AllZoneNames()));
  // A zone database may lack names that another one has.
  RC_PRE(zone.ok());
  return *zone;
}

Grid MakeGrid(const std::string& by, const Zone& zone,
              absl::Weekday week_start = absl::Weekday::monday) {
  Result<Grid> grid =
      Grid::Make({.by = by, .zone = zone, .week_start = week_start, .begin = {}, .end = {}});
  RC_ASSERT(grid.ok());
  return std::move(*grid);
}

Grid AnyGrid() {
  const int week_day = *rc::gen::inRange(0, 7);
  return MakeGrid(*rc::gen::elementOf(kGrains), AnyZone(), static_cast<absl::Weekday>(week_day));
}

// An instant between two years, half of the time within two days of a change of the clock.
absl::Time AnyInstant(const Zone& zone, int first_year, int last_year) {
  const int64_t low = absl::ToUnixSeconds(zone.StartOfDate(absl::CivilDay(first_year, 1, 1)));
  const int64_t high = absl::ToUnixSeconds(zone.StartOfDate(absl::CivilDay(last_year, 1, 1)));
  absl::Time t = absl::FromUnixSeconds(*rc::gen::inRange<int64_t>(low, high));
  if (*rc::gen::arbitrary<bool>()) {
    const std::optional<ZoneChange> change = zone.NextChange(t);
    if (change && absl::ToUnixSeconds(change->at) < high) {
      t = change->at + absl::Seconds(*rc::gen::inRange<int64_t>(-172'800, 172'800));
    }
  }
  return t;
}

RC_GTEST_PROP(GridProperty, SlotsTileTimeAndAreNumbered, ()) {
  const Grid grid = AnyGrid();
  const Interval first = grid.Containing(AnyInstant(grid.zone(), 1905, 2190));
  std::vector<Interval> slots = {first};
  for (int i = 0; i < 60; ++i) slots.push_back(grid.Next(slots.back()));
  const Interval all{first.start, slots.back().end};
  RC_ASSERT(grid.Aligned(all));
  RC_ASSERT(grid.Count(all) == static_cast<int64_t>(slots.size()));
  for (size_t k = 0; k < slots.size(); ++k) {
    const Interval& slot = slots[k];
    RC_ASSERT(slot.start < slot.end);
    if (k > 0) {
      RC_ASSERT(slots[k - 1].end == slot.start);
      RC_ASSERT(grid.Previous(slot) == slots[k - 1]);
    }
    RC_ASSERT(grid.Containing(slot.start) == slot);
    RC_ASSERT(grid.Containing(slot.end - absl::Microseconds(1)) == slot);
    RC_ASSERT(grid.Containing(slot.start + (slot.end - slot.start) / 2) == slot);
    RC_ASSERT(grid.Ceil(slot.start) == slot.start);
    RC_ASSERT(grid.Ceil(slot.start + absl::Microseconds(1)) == slot.end);
    RC_ASSERT(grid.At(all, static_cast<int64_t>(k)) == slot);
    RC_ASSERT(grid.RankOf(all, slot.start) == static_cast<int64_t>(k));
  }
}

RC_GTEST_PROP(GridProperty, KeyTextsAreDistinctAndReadBack, ()) {
  const Grid grid = AnyGrid();
  Interval slot = grid.Containing(AnyInstant(grid.zone(), 1972, 2190));
  std::set<std::string> keys;
  for (int i = 0; i < 40; ++i, slot = grid.Next(slot)) {
    const std::string key = grid.KeyText(slot);
    RC_ASSERT(keys.insert(key).second);
    Result<TimeWord> word = ParseTimeWord(key);
    RC_ASSERT(word.ok());
    Result<Interval> read = TimeWordInterval(*word, grid);
    RC_ASSERT(read.ok());
    RC_ASSERT(*read == slot);
  }
}

RC_GTEST_PROP(GridProperty, CoarserSlotsAreUnionsOfFinerOnes, ()) {
  const Zone zone = AnyZone();
  const auto [fine, coarse] =
      *rc::gen::elementOf(std::vector<std::pair<std::string, std::string>>{{"1m", "15m"},
                                                                           {"5m", "hour"},
                                                                           {"15m", "90m"},
                                                                           {"30m", "2h"},
                                                                           {"hour", "6h"},
                                                                           {"8m", "16m"},
                                                                           {"45m", "90m"},
                                                                           {"36m", "72m"},
                                                                           {"2h", "12h"},
                                                                           {"hour", "day"},
                                                                           {"45m", "day"},
                                                                           {"8h", "month"},
                                                                           {"day", "week"},
                                                                           {"day", "month"},
                                                                           {"month", "quarter"},
                                                                           {"day", "year"},
                                                                           {"quarter", "year"}});
  const Interval slot = MakeGrid(coarse, zone).Containing(AnyInstant(zone, 1905, 2190));
  RC_ASSERT(MakeGrid(fine, zone).Aligned(slot));
}

RC_GTEST_PROP(GridProperty, NoSlotOfAnHourOrLessMixesTwoOffsets, ()) {
  const Grid grid =
      MakeGrid(*rc::gen::elementOf(std::vector<std::string>{"5m", "15m", "hour"}), AnyZone());
  const Interval slot = grid.Containing(AnyInstant(grid.zone(), 1905, 2190));
  RC_ASSERT(grid.zone().OffsetAt(slot.start) ==
            grid.zone().OffsetAt(slot.end - absl::Microseconds(1)));
}

// The earliest instant whose reading is at or after midnight of the date, second by second from
// below.
absl::Time StartByScan(const Zone& zone, absl::CivilDay day) {
  const absl::CivilSecond midnight(day);
  absl::Time t = absl::FromCivil(midnight, absl::UTCTimeZone()) - absl::Hours(27);
  while (zone.CivilAt(t) < midnight) t += absl::Minutes(10);
  t -= absl::Minutes(10);
  while (zone.CivilAt(t) < midnight) t += absl::Seconds(1);
  return t;
}

RC_GTEST_PROP(GridProperty, DatesStartWhereAScanFindsThem, ()) {
  const Zone zone = AnyZone();
  const absl::CivilDay day(zone.CivilAt(AnyInstant(zone, 1905, 2190)));
  RC_ASSERT(zone.StartOfDate(day) == StartByScan(zone, day));
  RC_ASSERT(zone.StartOfDate(day) <= zone.StartOfDate(day + 1));
}

// Every zone above, every day of the years that the slower properties only sample.
TEST(GridProperty, DaysOfAllZonesTileSeventyYears) {
  for (const std::string& name : kZones) {
    SCOPED_TRACE(name);
    Result<Zone> zone = Zone::Load(name);
    ASSERT_TRUE(zone.ok());
    Result<Grid> grid = Grid::Make(
        {.by = "day", .zone = *zone, .week_start = absl::Weekday::monday, .begin = {}, .end = {}});
    ASSERT_TRUE(grid.ok());
    const Interval years{zone->StartOfDate(absl::CivilDay(1968, 1, 1)),
                         zone->StartOfDate(absl::CivilDay(2038, 1, 1))};
    int64_t count = 0;
    for (absl::CivilDay day(1968, 1, 1); day < absl::CivilDay(2038, 1, 1); ++day) {
      const absl::Time start = zone->StartOfDate(day);
      const absl::Time end = zone->StartOfDate(day + 1);
      ASSERT_LE(start, end);
      if (start == end) continue;
      ASSERT_EQ(grid->Containing(start), (Interval{start, end}));
      ++count;
    }
    EXPECT_EQ(grid->Count(years), count);
  }
}

}  // namespace
}  // namespace retrofill
