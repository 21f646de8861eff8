#include <absl/time/civil_time.h>

#include <array>

#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/position.h"

namespace retrofill {
namespace {

// Years in which instants exist (intervals document, 2).
constexpr int kFirstYear = 1900;
constexpr int kLastYear = 2199;

// Whether the column's own readings are those of the grid, so that the engine's calendar cuts like
// the grid does.
bool ReadsLikeGrid(const TimeColumn& column, const Grid& grid) {
  switch (column.kind) {
    case ColumnKind::kDate:
    case ColumnKind::kTimestampLocal:
      return column.zone.name() == grid.zone().name();
    case ColumnKind::kTimestampUtc:
      return grid.zone().utc();
    case ColumnKind::kTimestampTz:  // the session's zone would decide
    case ColumnKind::kEpochSeconds:
    case ColumnKind::kEpochMillis:
    case ColumnKind::kEpochMicros:
    case ColumnKind::kEpochNanos:
    case ColumnKind::kYyyymmdd:  // 20260230 is an integer between two months, but no date
      return false;
  }
  return false;
}

// Days from Monday to the first day of the week.
int WeekShift(absl::Weekday week_start) {
  constexpr std::array<absl::Weekday, 7> kDays = {absl::Weekday::monday,    absl::Weekday::tuesday,
                                                  absl::Weekday::wednesday, absl::Weekday::thursday,
                                                  absl::Weekday::friday,    absl::Weekday::saturday,
                                                  absl::Weekday::sunday};
  for (int i = 0; i < 7; ++i) {
    if (kDays[static_cast<size_t>(i)] == week_start) return i;
  }
  return 0;
}

std::optional<absl::CivilDay> ParseDay(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const std::optional<int64_t> year = ParseInteger(text.substr(0, 4));
  const std::optional<int64_t> month = ParseInteger(text.substr(5, 2));
  const std::optional<int64_t> day = ParseInteger(text.substr(8, 2));
  if (!year || !month || !day || *year < kFirstYear || *year > kLastYear) return std::nullopt;
  const absl::CivilDay civil(*year, *month, *day);
  if (civil.month() != *month || civil.day() != *day) return std::nullopt;
  return civil;
}

}  // namespace

std::optional<std::string> RenderSlot(const Side& side, const PartitionSpace& space) {
  if (!side.time || !space.has_time()) return std::nullopt;
  const Grid& grid = space.grid();
  if (!ReadsLikeGrid(*side.time, grid)) return std::nullopt;
  std::string date = QuoteName(side.time->name);
  if (side.time->kind != ColumnKind::kDate) date = fmt::format("CAST({} AS DATE)", date);
  std::string_view unit;
  switch (grid.grain()) {
    case Grain::kMinutes:
    case Grain::kCron:
      return std::nullopt;
    case Grain::kDay:
      return date;
    case Grain::kWeek:
      if (const int shift = WeekShift(grid.week_start()); shift != 0) {
        return fmt::format("CAST(date_trunc('week', {0} - {1}) AS DATE) + {1}", date, shift);
      }
      unit = "week";
      break;
    case Grain::kMonth:
      unit = "month";
      break;
    case Grain::kQuarter:
      unit = "quarter";
      break;
    case Grain::kYear:
      unit = "year";
      break;
  }
  return fmt::format("CAST(date_trunc('{}', {}) AS DATE)", unit, date);
}

std::optional<Interval> SlotOfText(const Side& side, const PartitionSpace& space,
                                   const std::string& text) {
  const std::optional<absl::CivilDay> day = ParseDay(text);
  if (!day || !side.time || !space.has_time()) return std::nullopt;
  const Grid& grid = space.grid();
  Interval slot = grid.Containing(grid.zone().StartOfDate(*day));
  // A date that the zone skipped is read before the next slot begins.
  if (absl::CivilDay(grid.NominalStart(slot)) > *day) slot = grid.Previous(slot);
  if (grid.begin() && slot.start < *grid.begin()) return std::nullopt;
  if (grid.end() && slot.start >= *grid.end()) return std::nullopt;
  return slot;
}

}  // namespace retrofill
