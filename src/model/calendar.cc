#include "model/calendar.h"

#include <algorithm>

#include "model/cut_table.h"

namespace retrofill {
namespace {

absl::CivilSecond AddMonths(absl::CivilSecond reading, int64_t months) {
  const absl::CivilMonth month = absl::CivilMonth(reading) + months;
  const int last = (absl::CivilDay(month + 1) - 1).day();
  return absl::CivilSecond(month.year(), month.month(), std::min(reading.day(), last),
                           reading.hour(), reading.minute(), reading.second());
}

}  // namespace

absl::CivilSecond AddSpan(absl::CivilSecond reading, const Span& span, Direction direction) {
  // No span reaches further than the supported years do.
  const int64_t count = std::min<int64_t>(span.count, 200'000'000);
  const int64_t n = direction == Direction::kBack ? -count : count;
  switch (span.unit) {
    case Span::Unit::kMinute:
      return reading + n * 60;
    case Span::Unit::kHour:
      return reading + n * 3600;
    case Span::Unit::kDay:
      return reading + n * 86400;
    case Span::Unit::kWeek:
      return reading + n * 604800;
    case Span::Unit::kMonth:
      return AddMonths(reading, n);
    case Span::Unit::kQuarter:
      return AddMonths(reading, n * 3);
    case Span::Unit::kYear:
      return AddMonths(reading, n * 12);
  }
  return reading;
}

absl::Time AddCivil(const Zone& zone, absl::Time t, const Span& span, Direction direction) {
  absl::Time moved = t;
  if (span.unit == Span::Unit::kMinute || span.unit == Span::Unit::kHour) {
    const absl::Duration length =
        span.count * (span.unit == Span::Unit::kHour ? absl::Hours(1) : absl::Minutes(1));
    moved = direction == Direction::kBack ? t - length : t + length;
  } else if (!span.zero()) {
    const absl::CivilSecond reading = zone.CivilAt(t);
    const absl::Duration below_a_second = t - absl::FromUnixSeconds(absl::ToUnixSeconds(t));
    moved = zone.FirstAtOrAfter(AddSpan(reading, span, direction)) + below_a_second;
  }
  return std::clamp(moved, FirstSupportedInstant(), LastSupportedInstant());
}

}  // namespace retrofill
