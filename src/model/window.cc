#include "model/window.h"

#include "model/calendar.h"

namespace retrofill {

absl::CivilSecond ReadingOfBound(const Grid& grid, absl::Time t) {
  const absl::CivilSecond civil = grid.zone().CivilAt(t);
  const absl::CivilDay day(civil);
  if (grid.by_clock() || civil == absl::CivilSecond(day)) return civil;
  if (grid.zone().StartOfDate(day) == t) return absl::CivilSecond(day);
  // Where midnight is repeated, the date starts while the clock still shows the one before.
  if (grid.zone().StartOfDate(day + 1) == t) return absl::CivilSecond(day + 1);
  return civil;
}

absl::Time MoveBound(const Grid& grid, absl::Time t, const Span& span, int sign) {
  if (span.zero()) return t;
  if (span.unit == Span::Unit::kMinute) return t + sign * absl::Minutes(span.count);
  if (span.unit == Span::Unit::kHour) return t + sign * absl::Hours(span.count);
  return grid.zone().FirstAtOrAfter(
      AddSpan(ReadingOfBound(grid, t), span, sign < 0 ? Direction::kBack : Direction::kForth));
}

Interval ReadWindow(const Grid& grid, const Interval& run, const Span& before, const Span& after) {
  return {MoveBound(grid, run.start, before, -1), MoveBound(grid, run.end, after, 1)};
}

absl::Duration WindowSlack(const Grid& grid, const Span& span) {
  const bool months = span.unit == Span::Unit::kMonth || span.unit == Span::Unit::kQuarter ||
                      span.unit == Span::Unit::kYear;
  return months && grid.by_clock() ? absl::Hours(24 * 4) : absl::ZeroDuration();
}

}  // namespace retrofill
