#include "model/tick_table.h"

#include <algorithm>
#include <bit>
#include <set>

#include "model/cut_table.h"

namespace retrofill {
namespace {

// Further than the supported years, so that before and after each of their instants there is a tick
// of every line: 29 February can be 40 years from the next one on the same day of the week.
constexpr absl::CivilDay kFirstDay(1850, 1, 1);
constexpr absl::CivilDay kLastDay(2260, 1, 1);

int64_t Seconds(absl::Time t) { return absl::ToUnixSeconds(t); }

}  // namespace

TickTable::TickTable(const Zone& zone, Cron cron) : zone_(zone), cron_(std::move(cron)) {
  BuildMonths();
  BuildOddDays();
}

void TickTable::BuildMonths() {
  int32_t before = 0;
  for (absl::CivilMonth month(kFirstDay); month <= absl::CivilMonth(kLastDay); ++month) {
    uint32_t days = 0;
    for (absl::CivilDay day(month); absl::CivilMonth(day) == month; ++day) {
      if (cron_.Names(day)) days |= uint32_t{1} << day.day();
    }
    months_.push_back({.days = days, .before = before});
    before += std::popcount(days);
  }
}

void TickTable::BuildOddDays() {
  if (zone_.utc()) return;
  std::set<absl::CivilDay> days;
  for (const ZoneChange& change : ClockChanges(zone_, kFirstDay, kLastDay)) {
    const DateSpan span = DatesAround(change);
    for (absl::CivilDay day = span.first; day <= span.last; ++day) {
      if (cron_.Names(day)) days.insert(day);
    }
  }
  int64_t excess = 0;
  int64_t last = Seconds(zone_.StartOfDate(kFirstDay)) - 1;
  for (const absl::CivilDay& day : days) {
    std::vector<int64_t> ticks;
    bool odd = false;
    for (size_t i = 0; i < cron_.minutes().size(); ++i) {
      const int64_t tick =
          Seconds(zone_.FirstAtOrAfter(absl::CivilSecond(day) + int64_t{60} * cron_.minutes()[i]));
      odd = odd || tick != NominalTick(day, i) || tick <= last;
      if (tick > last) ticks.push_back(tick);
      last = std::max(last, tick);
    }
    if (!odd) continue;
    excess += static_cast<int64_t>(ticks.size()) - static_cast<int64_t>(cron_.minutes().size());
    odd_days_.push_back({.day = day, .ticks = std::move(ticks), .excess = excess});
  }
}

int64_t TickTable::NominalTick(absl::CivilDay day, size_t place) const {
  return Seconds(zone_.StartOfDate(day)) + int64_t{60} * cron_.minutes()[place];
}

const TickTable::OddDay* TickTable::LastOddBefore(absl::CivilDay day) const {
  const auto at = std::lower_bound(odd_days_.begin(), odd_days_.end(), day,
                                   [](const OddDay& odd, absl::CivilDay d) { return odd.day < d; });
  return at == odd_days_.begin() ? nullptr : &*(at - 1);
}

const TickTable::OddDay* TickTable::OddOn(absl::CivilDay day) const {
  const OddDay* odd = LastOddBefore(day + 1);
  return odd != nullptr && odd->day == day ? odd : nullptr;
}

int64_t TickTable::TicksBefore(absl::CivilDay day) const {
  const Month& month = months_[static_cast<size_t>((day.year() - kFirstDay.year()) * 12 +
                                                   day.month() - kFirstDay.month())];
  const uint32_t earlier = month.days & ((uint32_t{1} << day.day()) - 1);
  const int64_t dates = month.before + std::popcount(earlier);
  const OddDay* odd = LastOddBefore(day);
  return dates * static_cast<int64_t>(cron_.minutes().size()) + (odd == nullptr ? 0 : odd->excess);
}

int64_t TickTable::OrdinalOf(int64_t t) const {
  const absl::CivilDay day = DateOf(zone_, absl::FromUnixSeconds(t));
  const int64_t before = TicksBefore(day) - 1;
  if (const OddDay* odd = OddOn(day)) {
    return before +
           (std::upper_bound(odd->ticks.begin(), odd->ticks.end(), t) - odd->ticks.begin());
  }
  if (!cron_.Names(day)) return before;
  const int64_t second = t - Seconds(zone_.StartOfDate(day));
  const std::vector<int>& minutes = cron_.minutes();
  return before + (std::upper_bound(minutes.begin(), minutes.end(), second / 60) - minutes.begin());
}

int64_t TickTable::StartOf(int64_t ordinal) const {
  // The last date before which there are no more ticks than this: the one that has it.
  int64_t low = 0;
  int64_t high = kLastDay - kFirstDay - 1;
  while (low < high) {
    const int64_t middle = low + (high - low + 1) / 2;
    if (TicksBefore(kFirstDay + middle) <= ordinal) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const absl::CivilDay day = kFirstDay + low;
  const auto place = static_cast<size_t>(std::max<int64_t>(0, ordinal - TicksBefore(day)));
  if (const OddDay* odd = OddOn(day)) {
    return odd->ticks[std::min(place, odd->ticks.size() - 1)];
  }
  return NominalTick(day, std::min(place, cron_.minutes().size() - 1));
}

}  // namespace retrofill
