#include "model/cut_table.h"

#include <algorithm>
#include <set>

namespace retrofill {
namespace {

constexpr absl::CivilDay kFirstDay(1899, 12,
                                   25);  // slots of the first supported day start after it
constexpr absl::CivilDay kLastDay(2200, 1, 7);

int64_t FloorDiv(int64_t a, int64_t b) {
  return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

int64_t Seconds(absl::Time t) { return absl::ToUnixSeconds(t); }

std::vector<ZoneChange> ChangesOf(const Zone& zone) {
  return ClockChanges(zone, kFirstDay, kLastDay);
}

}  // namespace

absl::Time FirstSupportedInstant() { return absl::FromUnixSeconds(-2209075200); }
absl::Time LastSupportedInstant() { return absl::FromUnixSeconds(7258204800); }

absl::CivilDay DateOf(const Zone& zone, absl::Time t) {
  absl::CivilDay day(zone.CivilAt(t));
  while (zone.StartOfDate(day) > t) --day;
  while (zone.StartOfDate(day + 1) <= t) ++day;
  return day;
}

std::vector<ZoneChange> ClockChanges(const Zone& zone, absl::CivilDay first, absl::CivilDay end) {
  std::vector<ZoneChange> changes;
  const absl::Time last = zone.StartOfDate(end);
  std::optional<ZoneChange> change = zone.NextChange(zone.StartOfDate(first));
  while (change && change->at < last) {
    changes.push_back(*change);
    change = zone.NextChange(change->at);
  }
  return changes;
}

DateSpan DatesAround(const ZoneChange& change) {
  // The list form: the other one would give references to values that are gone.
  const auto [low, high] = std::minmax({absl::CivilDay(change.from), absl::CivilDay(change.to)});
  return {low - 1, high + 1};
}

std::vector<absl::CivilDay> SkippedDates(const Zone& zone) {
  std::vector<absl::CivilDay> skipped;
  if (zone.utc()) return skipped;
  for (const ZoneChange& change : ChangesOf(zone)) {
    for (absl::CivilDay day(change.from); day < absl::CivilDay(change.to); ++day) {
      if (zone.StartOfDate(day) == zone.StartOfDate(day + 1)) skipped.push_back(day);
    }
  }
  return skipped;
}

CutTable::CutTable(const Zone& zone, int minutes)
    : zone_(zone), step_(int64_t{60} * minutes), by_offset_(60 % minutes == 0) {
  if (by_offset_) {
    BuildSegments();
  } else {
    BuildOddDays();
  }
}

void CutTable::BuildSegments() {
  const auto add = [&](absl::Time at, int64_t base) {
    const int64_t start = Seconds(at);
    const int64_t offset = absl::ToInt64Seconds(zone_.OffsetAt(at));
    const int64_t second = (FloorDiv(start + offset, step_) + 1) * step_ - offset;
    segments_.push_back({.start = start, .second = second, .base = base});
  };
  add(zone_.StartOfDate(kFirstDay), 0);
  if (zone_.utc()) return;
  for (const ZoneChange& change : ChangesOf(zone_)) {
    add(change.at, OrdinalOf(Seconds(change.at) - 1) + 1);
  }
}

std::vector<int64_t> CutTable::StartsOfDay(absl::CivilDay day) const {
  std::vector<int64_t> starts;
  const int64_t end = Seconds(zone_.StartOfDate(day + 1));
  for (int64_t second = 0; second < 86400; second += step_) {
    const int64_t start = Seconds(zone_.FirstAtOrAfter(absl::CivilSecond(day) + second));
    if (start < end && (starts.empty() || start > starts.back())) starts.push_back(start);
  }
  return starts;
}

void CutTable::BuildOddDays() {
  if (zone_.utc()) return;
  std::set<absl::CivilDay> days;
  for (const ZoneChange& change : ChangesOf(zone_)) {
    const DateSpan span = DatesAround(change);
    for (absl::CivilDay day = span.first; day <= span.last; ++day) days.insert(day);
  }
  const int64_t per_day = 86400 / step_;
  absl::CivilDay next = kFirstDay;
  int64_t base = 0;
  for (const absl::CivilDay& day : days) {
    base += (day - next) * per_day;
    odd_days_.push_back({.day = day, .base = base, .starts = StartsOfDay(day)});
    base += static_cast<int64_t>(odd_days_.back().starts.size());
    next = day + 1;
  }
}

int64_t CutTable::OrdinalOf(int64_t t) const {
  if (!by_offset_) return OrdinalInDays(t);
  auto segment = std::upper_bound(segments_.begin() + 1, segments_.end(), t,
                                  [](int64_t at, const Segment& s) { return at < s.start; });
  --segment;
  return segment->base + (t < segment->second ? 0 : 1 + (t - segment->second) / step_);
}

int64_t CutTable::StartOf(int64_t ordinal) const {
  if (!by_offset_) return StartInDays(ordinal);
  auto segment = std::upper_bound(segments_.begin() + 1, segments_.end(), ordinal,
                                  [](int64_t number, const Segment& s) { return number < s.base; });
  --segment;
  const int64_t k = ordinal - segment->base;
  return k == 0 ? segment->start : segment->second + (k - 1) * step_;
}

int64_t CutTable::OrdinalInDays(int64_t t) const {
  const absl::CivilDay day = DateOf(zone_, absl::FromUnixSeconds(t));
  const auto after = std::upper_bound(odd_days_.begin(), odd_days_.end(), day,
                                      [](absl::CivilDay d, const OddDay& o) { return d < o.day; });
  const int64_t per_day = 86400 / step_;
  int64_t base = 0;
  absl::CivilDay next = kFirstDay;
  if (after != odd_days_.begin()) {
    const OddDay& odd = *(after - 1);
    if (odd.day == day) {
      const auto slot = std::upper_bound(odd.starts.begin(), odd.starts.end(), t);
      return odd.base + (slot - odd.starts.begin()) - 1;
    }
    base = odd.base + static_cast<int64_t>(odd.starts.size());
    next = odd.day + 1;
  }
  return base + (day - next) * per_day + (t - Seconds(zone_.StartOfDate(day))) / step_;
}

int64_t CutTable::StartInDays(int64_t ordinal) const {
  const auto after =
      std::upper_bound(odd_days_.begin(), odd_days_.end(), ordinal,
                       [](int64_t number, const OddDay& o) { return number < o.base; });
  const int64_t per_day = 86400 / step_;
  int64_t rest = ordinal;
  absl::CivilDay next = kFirstDay;
  if (after != odd_days_.begin()) {
    const OddDay& odd = *(after - 1);
    rest = ordinal - odd.base;
    if (rest < static_cast<int64_t>(odd.starts.size())) {
      return odd.starts[static_cast<size_t>(rest)];
    }
    rest -= static_cast<int64_t>(odd.starts.size());
    next = odd.day + 1;
  }
  return Seconds(zone_.StartOfDate(next + FloorDiv(rest, per_day))) +
         (rest - FloorDiv(rest, per_day) * per_day) * step_;
}

}  // namespace retrofill
