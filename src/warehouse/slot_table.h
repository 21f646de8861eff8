#pragma once

// The slots of a grid as a table to join with, for columns whose slots no SQL expression names
// exactly: zoned instants, epoch integers, sub-day grains. Boundaries are those of the bounds
// renderer, so grouping and bounds cannot disagree.

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/grid.h"
#include "model/interval.h"
#include "warehouse/relation.h"

namespace retrofill {

// Immutable; any thread.
class SlotTable {
 public:
  // Slots of grid-aligned runs, sorted and disjoint. kInvalid C0103 if the column's readings do not
  // rise from slot to slot (naive local readings across a clock change).
  static Result<SlotTable> Make(const TimeColumn& column, const Grid& grid,
                                const std::vector<Interval>& runs);

  // `<join> (...) AS _rf_slots ON ...`, to stand after the relation. Column `_rf_slot` is then the
  // number of the slot in slots(), NULL for rows in none.
  std::string Join() const;
  const std::vector<Interval>& slots() const { return slots_; }

 private:
  std::string TickJoin(int64_t step) const;
  std::string AsofJoin() const;

  std::vector<Interval> slots_;
  std::vector<int64_t> starts_;  // position of each slot, rising
  std::vector<int64_t> ends_;
  std::string position_;  // SQL expression
};

}  // namespace retrofill
