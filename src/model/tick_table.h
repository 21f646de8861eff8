#pragma once

// Numbers the ticks of a cron line in a zone (intervals document, 14). A tick in a skipped hour is
// the first instant after the gap, one in a repeated hour the first of the two, and ticks that fall
// together are one.

#include <absl/time/civil_time.h>

#include <cstdint>
#include <vector>

#include "base/zone.h"
#include "model/cron.h"

namespace retrofill {

// Immutable; any thread. Keeps a few numbers a month, and the ticks of the dates on which a change
// of the clock moves one.
class TickTable {
 public:
  TickTable(const Zone& zone, Cron cron);

  // The number of the last tick at or before t, in seconds since 1970. Numbers are consecutive;
  // which tick has number 0 means nothing.
  int64_t OrdinalOf(int64_t t) const;
  // A tick, in seconds since 1970.
  int64_t StartOf(int64_t ordinal) const;

 private:
  struct Month {
    uint32_t days;   // bit n: the line names the n-th
    int32_t before;  // dates that it names before this month
  };
  struct OddDay {
    absl::CivilDay day;
    std::vector<int64_t> ticks;
    int64_t excess;  // ticks up to the end of this date, less those of its and earlier odd dates
                     // without changes of the clock
  };

  void BuildMonths();
  void BuildOddDays();
  const OddDay* LastOddBefore(absl::CivilDay day) const;
  const OddDay* OddOn(absl::CivilDay day) const;
  int64_t TicksBefore(absl::CivilDay day) const;
  int64_t NominalTick(absl::CivilDay day, size_t place) const;

  Zone zone_;
  Cron cron_;
  std::vector<Month> months_;
  std::vector<OddDay> odd_days_;
};

}  // namespace retrofill
