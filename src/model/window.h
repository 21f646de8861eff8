#pragma once

#include <absl/time/time.h>

#include "model/grid.h"
#include "model/interval.h"
#include "model/span.h"

namespace retrofill {

// The bound `t` of a slot or run, moved by a span: minutes and hours are elapsed time, the rest is
// calendar arithmetic on the nominal reading, clamped at month ends (intervals document, 2:
// AddCivil). `sign` is 1 or -1.
absl::Time MoveBound(const Grid& grid, absl::Time t, const Span& span, int sign);

// What building a slot or run reads: [start - before, end + after) (intervals document, 9).
Interval ReadWindow(const Grid& grid, const Interval& run, const Span& before, const Span& after);

}  // namespace retrofill
