// Every IANA zone from 1970 to 2037 (intervals document, 18.2): around each change of its clock and
// on a fixed sample of dates in `make test`, on every date in a soak.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "model/cut_table.h"
#include "model/grid.h"
#include "model/zone_names_test.h"

namespace retrofill {
namespace {

constexpr absl::CivilDay kFirst(1970, 1, 1);
constexpr absl::CivilDay kEnd(2038, 1, 1);
constexpr int64_t kSampledDates = 367;  // one in so many; a prime, so that all seasons come up

// The earliest instant whose reading is at or after midnight of the date, as a walk over the clock
// from `from` finds it: in steps of ten minutes, then of one, then of seconds.
absl::Time StartByScan(const Zone& zone, absl::CivilDay day, absl::Time from) {
  const absl::CivilSecond midnight(day);
  absl::Time t = from;
  for (const absl::Duration step : {absl::Minutes(10), absl::Minutes(1), absl::Seconds(1)}) {
    while (zone.CivilAt(t + step) < midnight) t += step;
  }
  return t + absl::Seconds(1);
}

// Starts never decrease, and each is where a walk finds it.
void CheckDates(const Zone& zone, absl::CivilDay first, absl::CivilDay end) {
  for (absl::CivilDay day = first; day < end; ++day) {
    const absl::Time start = zone.StartOfDate(day);
    ASSERT_LE(start, zone.StartOfDate(day + 1)) << absl::FormatCivilTime(day);
    // No clock was ever moved by more than a day.
    ASSERT_EQ(start, StartByScan(zone, day, zone.StartOfDate(day - 1) - absl::Hours(1)))
        << absl::FormatCivilTime(day);
  }
}

// The slots of an interval of whole dates tile it, are in one another's neighbourhood, numbered
// without a gap, and have texts of their own.
void CheckSlots(const Grid& grid, const Interval& dates) {
  const Interval all{grid.Floor(dates.start), grid.Ceil(dates.end)};
  std::set<std::string> keys;
  int64_t rank = 0;
  Interval slot = grid.Containing(all.start);
  absl::Time at = all.start;
  for (; slot.start < all.end; slot = grid.Next(slot), ++rank) {
    ASSERT_EQ(slot.start, at);
    ASSERT_LT(slot.start, slot.end);
    at = slot.end;
    ASSERT_EQ(grid.Containing(slot.start), slot);
    ASSERT_EQ(grid.Containing(slot.end - absl::Microseconds(1)), slot);
    ASSERT_EQ(grid.At(all, rank), slot);
    ASSERT_EQ(grid.RankOf(all, slot.start), rank);
    ASSERT_TRUE(keys.insert(grid.KeyText(slot)).second) << grid.KeyText(slot);
  }
  ASSERT_EQ(at, all.end);
  ASSERT_EQ(grid.Count(all), rank);
}

std::vector<Grid> GridsOf(const Zone& zone) {
  std::vector<Grid> grids;
  for (const std::string by : {"hour", "3h", "day"}) {
    grids.push_back(*Grid::Make({.by = by, .zone = zone, .begin = {}, .end = {}}));
  }
  return grids;
}

void CheckSpan(const Zone& zone, const std::vector<Grid>& grids, absl::CivilDay first,
               absl::CivilDay end) {
  CheckDates(zone, first, end);
  for (const Grid& grid : grids) {
    SCOPED_TRACE(grid.by());
    CheckSlots(grid, {zone.StartOfDate(first), zone.StartOfDate(end)});
  }
}

TEST(AllZones, DatesAroundEachChangeAndASampleAreCutAlike) {
  for (const std::string& name : AllZoneNames()) {
    Result<Zone> zone = Zone::Load(name);
    if (!zone.ok()) continue;  // a zone database may lack names that another one has
    SCOPED_TRACE(name);
    const std::vector<Grid> grids = GridsOf(*zone);
    for (const ZoneChange& change : ClockChanges(*zone, kFirst, kEnd)) {
      const DateSpan span = DatesAround(change);
      CheckSpan(*zone, grids, span.first, span.last + 1);
    }
    for (absl::CivilDay day = kFirst; day < kEnd; day += kSampledDates) {
      CheckSpan(*zone, grids, day, day + 1);
    }
    if (HasFatalFailure()) return;
  }
}

// Minutes of work: only for a soak.
TEST(AllZones, DISABLED_EveryDateIsCutAlike) {
  for (const std::string& name : AllZoneNames()) {
    Result<Zone> zone = Zone::Load(name);
    if (!zone.ok()) continue;
    SCOPED_TRACE(name);
    const std::vector<Grid> grids = GridsOf(*zone);
    for (int64_t year = kFirst.year(); year < kEnd.year(); ++year) {
      CheckSpan(*zone, grids, absl::CivilDay(year, 1, 1), absl::CivilDay(year + 1, 1, 1));
    }
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace retrofill
