#include "model/window.h"

#include <absl/time/civil_time.h>

#include <algorithm>

namespace retrofill {
namespace {

// Calendar arithmetic: months are clamped to their last day, never added one by one.
absl::CivilSecond AddUnits(absl::CivilSecond reading, int64_t count, Span::Unit unit) {
  int64_t months = 0;
  switch (unit) {
    case Span::Unit::kMinute:
    case Span::Unit::kHour:
      return reading;
    case Span::Unit::kDay:
    case Span::Unit::kWeek: {
      const absl::CivilDay day =
          absl::CivilDay(reading) + count * (unit == Span::Unit::kWeek ? 7 : 1);
      return absl::CivilSecond(day.year(), day.month(), day.day(), reading.hour(), reading.minute(),
                               reading.second());
    }
    case Span::Unit::kMonth:
      months = count;
      break;
    case Span::Unit::kQuarter:
      months = 3 * count;
      break;
    case Span::Unit::kYear:
      months = 12 * count;
      break;
  }
  const absl::CivilMonth month = absl::CivilMonth(reading) + months;
  const absl::CivilDay last = absl::CivilDay(month + 1) - 1;
  return absl::CivilSecond(month.year(), month.month(), std::min(reading.day(), last.day()),
                           reading.hour(), reading.minute(), reading.second());
}

}  // namespace

absl::Time MoveBound(const Grid& grid, absl::Time t, const Span& span, int sign) {
  if (span.zero()) return t;
  if (span.unit == Span::Unit::kMinute) return t + sign * absl::Minutes(span.count);
  if (span.unit == Span::Unit::kHour) return t + sign * absl::Hours(span.count);
  const Interval slot = grid.Containing(t);
  const absl::CivilSecond reading =
      slot.start == t ? grid.NominalStart(slot) : grid.zone().CivilAt(t);
  return grid.zone().FirstAtOrAfter(AddUnits(reading, sign * span.count, span.unit));
}

Interval ReadWindow(const Grid& grid, const Interval& run, const Span& before, const Span& after) {
  return {MoveBound(grid, run.start, before, -1), MoveBound(grid, run.end, after, 1)};
}

}  // namespace retrofill
