#include "warehouse/slot_table.h"

#include <numeric>

#include "base/text.h"
#include "warehouse/position.h"

namespace retrofill {
namespace {

// A hash join on ticks costs a fifth of core; above this many its table no longer fits the cache
// and building it takes longer than sorting rows for an ASOF join.
constexpr int64_t kMaxTicks = 2'000'000;

}  // namespace

Result<SlotTable> SlotTable::Make(const TimeColumn& column, const Grid& grid,
                                  const std::vector<Interval>& runs) {
  SlotTable table;
  table.position_ = PositionExpression(column);
  for (const Interval& run : runs) {
    for (Interval slot = grid.Containing(run.start); slot.start < run.end; slot = grid.Next(slot)) {
      const int64_t start = PositionOf(column, grid, slot.start);
      const int64_t end = PositionOf(column, grid, slot.end);
      if (end <= start || (!table.ends_.empty() && start < table.ends_.back())) {
        return Fail(ErrorCode::kInvalid, "C0103",
                    "readings of column `{}` in zone {} repeat at {}: slots of `{}` cannot be told "
                    "apart there",
                    column.name, column.zone.name(), grid.KeyText(slot), grid.by())
            .Help("partition by `day` or longer, or use a column that holds instants");
      }
      table.slots_.push_back(slot);
      table.starts_.push_back(start);
      table.ends_.push_back(end);
    }
  }
  return table;
}

std::string SlotTable::Join() const {
  if (slots_.empty()) return "CROSS JOIN (SELECT CAST(NULL AS INTEGER) AS _rf_slot) AS _rf_slots";
  int64_t step = 0;
  for (size_t i = 0; i < starts_.size(); ++i) {
    step = std::gcd(step, starts_[i] - starts_[0]);
    step = std::gcd(step, ends_[i] - starts_[0]);
  }
  return (ends_.back() - starts_[0]) / step <= kMaxTicks ? TickJoin(step) : AsofJoin();
}

// Every boundary is a multiple of `step` from the first one, so the number of the step that a row
// is in decides its slot, and equal numbers can be joined by hash.
std::string SlotTable::TickJoin(int64_t step) const {
  const int64_t base = starts_[0];
  std::vector<std::string> rows;
  for (size_t i = 0; i < starts_.size(); ++i) {
    rows.push_back(
        fmt::format("({},{},{})", i, (starts_[i] - base) / step, (ends_[i] - base) / step));
  }
  return fmt::format(
      "LEFT JOIN (SELECT _rf_slot, unnest(range(_rf_from, _rf_to)) AS _rf_tick FROM (VALUES {}) AS "
      "_rf_values(_rf_slot, _rf_from, _rf_to)) AS _rf_slots ON CASE WHEN {} >= {} AND {} < {} THEN "
      "({} - ({})) // {} END = _rf_slots._rf_tick",
      retrofill::Join(rows, ","), position_, base, position_, ends_.back(), position_, base, step);
}

std::string SlotTable::AsofJoin() const {
  std::vector<std::string> rows;
  for (size_t i = 0; i < starts_.size(); ++i) {
    rows.push_back(fmt::format("({},{})", i, starts_[i]));
    const bool followed = i + 1 < starts_.size() && starts_[i + 1] == ends_[i];
    if (!followed) rows.push_back(fmt::format("(NULL,{})", ends_[i]));
  }
  return fmt::format(
      "ASOF LEFT JOIN (VALUES {}) AS _rf_slots(_rf_slot, _rf_from) ON {} >= _rf_slots._rf_from",
      retrofill::Join(rows, ","), position_);
}

}  // namespace retrofill
