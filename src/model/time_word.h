#pragma once

// Absolute time words of the selection grammar: `2026`, `2026-Q1`, `2026-03`, `2026-W10`,
// `2026-03-08`, `2026-03-08T05:15-0500` (product document, 4.2).

#include <absl/time/civil_time.h>
#include <absl/time/time.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/grid.h"
#include "model/interval.h"

namespace retrofill {

struct TimeWord {
  enum class Kind { kYear, kQuarter, kMonth, kWeek, kDay, kClock };
  Kind kind = Kind::kDay;
  std::string text;
  absl::CivilSecond first;    // its first reading
  absl::CivilSecond end;      // the first reading after it
  std::optional<int> offset;  // seconds east of UTC, kClock only
};

// Whether the text has the shape of a time word, be there such a time or not.
bool IsTimeShape(std::string_view text);
// kInvalid P0109 for another shape, P0105 for a month, week, day or clock that no calendar has, or
// a year outside 1900..2199.
Result<TimeWord> ParseTimeWord(std::string_view text);

// The interval of the word's own precision in the grid's zone. A clock that names the start of a
// sub-day slot, and a date that names a week of another week start than Monday, is that slot.
// kInvalid P0105 with the valid names around it if the zone skipped or repeated it, P0109 for an
// offset where the grid prints none.
Result<Interval> TimeWordInterval(const TimeWord& word, const Grid& grid);

// `2026-03-08`; `2026-03-08T05`, `2026-03-08T05:15`; seconds only if they are not 0.
void AppendDate(std::string& out, absl::CivilDay day);
void AppendClock(std::string& out, absl::CivilSecond reading);
// `-0500`, `-004430`.
void AppendOffset(std::string& out, absl::Duration offset);

}  // namespace retrofill
