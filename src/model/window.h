#pragma once

#include <absl/time/civil_time.h>
#include <absl/time/time.h>

#include "model/grid.h"
#include "model/interval.h"
#include "model/span.h"

namespace retrofill {

// The reading of a bound: of the start of a date its 00:00, even if the zone skipped that, on grids
// of a day or longer; else what the clock shows.
absl::CivilSecond ReadingOfBound(const Grid& grid, absl::Time t);

// The bound `t` of a slot or run, moved by a span: minutes and hours are elapsed time, the rest is
// calendar arithmetic on the nominal reading, clamped at month ends (intervals document, 2:
// AddCivil). `sign` is 1 or -1.
absl::Time MoveBound(const Grid& grid, absl::Time t, const Span& span, int sign);

// What building a slot or run reads: [start - before, end + after) (intervals document, 9).
Interval ReadWindow(const Grid& grid, const Interval& run, const Span& before, const Span& after);

// How far MoveBound may go back from one slot to the next. Months that are clamped to their last
// day make it do so for parts of a day (29, 30 and 31 January 06:00 plus a month are all 28
// February 06:00); everywhere else bounds never decrease and this is zero.
absl::Duration WindowSlack(const Grid& grid, const Span& span);

}  // namespace retrofill
