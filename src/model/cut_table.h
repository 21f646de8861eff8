#pragma once

// Where a grid inside a day cuts, and which dates a zone skipped, as a few segments of constant
// offset: slots in between follow by division (intervals document, 3 and 7).

#include <absl/time/civil_time.h>
#include <absl/time/time.h>

#include <cstdint>
#include <vector>

#include "base/zone.h"

namespace retrofill {

// Instants outside of these are taken as the nearest one inside. A day more than 1900..2199 at
// either end, so that those years are whole in every zone.
absl::Time FirstSupportedInstant();  // 1899-12-31T00:00:00Z
absl::Time LastSupportedInstant();   // 2200-01-02T00:00:00Z

// The date D with StartOfDate(D) <= t < StartOfDate(D + 1). Where midnight is repeated this is not
// the date that the wall clock shows.
absl::CivilDay DateOf(const Zone& zone, absl::Time t);

// The changes of a zone's clock from the start of `first` to that of `end`.
std::vector<ZoneChange> ClockChanges(const Zone& zone, absl::CivilDay first, absl::CivilDay end);

// Dates around a change of the clock: those that it may shorten, lengthen or skip.
struct DateSpan {
  absl::CivilDay first;
  absl::CivilDay last;
};
DateSpan DatesAround(const ZoneChange& change);

// The dates that the zone never had, in order.
std::vector<absl::CivilDay> SkippedDates(const Zone& zone);

// Numbers the slots of `minutes` minutes of a zone. Immutable; any thread.
class CutTable {
 public:
  // `minutes` divides 1440 and is below it.
  CutTable(const Zone& zone, int minutes);

  // The number of the slot that contains t, in seconds since 1970. Numbers are consecutive; which
  // slot has number 0 means nothing.
  int64_t OrdinalOf(int64_t t) const;
  // The start of a slot, in seconds since 1970.
  int64_t StartOf(int64_t ordinal) const;

 private:
  // Constant offset from `start` on: slot `base` is [start, second), the next ones have one step
  // each.
  struct Segment {
    int64_t start;
    int64_t second;
    int64_t base;
  };
  // A date near a change of the clock, with the starts of its slots.
  struct OddDay {
    absl::CivilDay day;
    int64_t base;
    std::vector<int64_t> starts;
  };

  void BuildSegments();
  void BuildOddDays();
  int64_t OrdinalInDays(int64_t t) const;
  int64_t StartInDays(int64_t ordinal) const;
  std::vector<int64_t> StartsOfDay(absl::CivilDay day) const;

  Zone zone_;
  int64_t step_;                   // seconds
  bool by_offset_;                 // the minutes divide 60: every change of offset is a boundary
  std::vector<Segment> segments_;  // by_offset_ only
  std::vector<OddDay> odd_days_;   // otherwise
};

}  // namespace retrofill
