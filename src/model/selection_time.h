#pragma once

// Times of a selection against a grid: relative words, open ends, bounds that cut a partition
// (product document, 4; intervals document, 8).

#include <absl/time/time.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/grid.h"
#include "model/interval.h"
#include "model/selection.h"

namespace retrofill {

// The interval of a bare word on a table with time axis: absolute, or `today`, `yesterday`, `7d`.
// kInvalid P0105 or P0109.
Result<Interval> ReadTimeWord(std::string_view text, const Grid& grid, absl::Time as_of);

// What an interval becomes on the grid.
struct AlignedInterval {
  Interval interval;                  // start = end if nothing is left
  std::optional<Interval> cut_first;  // slots that --align in left out
  std::optional<Interval> cut_last;
};
// kInvalid P0104 if an end cuts a slot and `align` does not say what to do; P0102 if --align in
// leaves nothing. `instants`: the user gave --start and --end.
Result<AlignedInterval> AlignTo(const Grid& grid, const Interval& interval, Align align,
                                bool instants);

// kInvalid P0106 if the aligned interval reaches outside of begin and end.
Status CheckInside(const Grid& grid, const Interval& interval, std::string_view text);

// `2025-11-02..2025-12-24`, or the one key.
std::string RunText(const Grid& grid, const Interval& run, std::string_view dots = "..");
// `13.5 of 24 h`; minutes for slots below an hour.
std::string ShareText(absl::Duration part, absl::Duration whole);
// `23.5`: hours with at most two decimals.
std::string HoursText(absl::Duration length);

}  // namespace retrofill
