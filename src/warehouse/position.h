#pragma once

// Where an instant lies on the scale of a time column. Literals, slots and lookups are all made of
// this, so that they cannot disagree.

#include <absl/time/civil_time.h>
#include <absl/time/time.h>

#include <cstdint>
#include <string>

#include "model/grid.h"
#include "warehouse/relation.h"

namespace retrofill {

// Dates, naive local readings and yyyymmdd integers: cut at readings, not at instants.
bool IsCivil(ColumnKind kind);

// What the clock of a civil column reads at `t`: at a start of the grid of the same zone the
// nominal reading (00:00 even where midnight was skipped), else the wall clock.
absl::CivilSecond ReadingAt(const TimeColumn& column, const Grid& grid, absl::Time t);

// The integer on the column's scale: days (dates), yyyymmdd, units of the epoch, else microseconds.
// Rows with a position in [PositionOf(start), PositionOf(end)) are the rows of `[start, end)`.
int64_t PositionOf(const TimeColumn& column, const Grid& grid, absl::Time t);

// SQL expression of the same integer for a row; NULL for NULL and for infinite times.
std::string PositionExpression(const TimeColumn& column);

}  // namespace retrofill
