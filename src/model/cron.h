#pragma once

// A cron line: the dates and the readings of the wall clock that it names. Which instants those are
// is the tick table's matter.

#include <absl/time/civil_time.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace retrofill {

// Immutable; any thread.
class Cron {
 public:
  // Five fields: minute, hour, day of month, month, day of week. Each is a list of `*`, numbers,
  // ranges and steps (`*/15`, `8-18/2`); months and days of the week also have English names; `L`
  // is the last day of a month. kInvalid C0103 for anything else, for six fields (some programs
  // write seconds first and some last), and for a line that names no date that exists.
  static Result<Cron> Parse(std::string_view line);

  // The line with single blanks.
  const std::string& text() const { return text_; }
  // As cron does: a day that a month lacks is skipped, and where both days are restricted, either
  // suffices. A day beginning with `*` does not restrict alone: then both must fit.
  bool Names(absl::CivilDay day) const;
  // Minutes of a day at which it ticks, in order. Never empty.
  const std::vector<int>& minutes() const { return minutes_; }

 private:
  Cron() = default;
  bool NamesAnyDay() const;
  std::string text_;
  std::vector<int> minutes_;
  uint64_t days_ = 0;  // bit n: the n-th of a month
  bool last_day_ = false;
  uint64_t months_ = 0;    // bit 1: January
  uint64_t weekdays_ = 0;  // bit 0: Sunday
  bool either_day_ = false;
};

}  // namespace retrofill
