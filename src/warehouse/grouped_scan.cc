#include "warehouse/grouped_scan.h"

#include <algorithm>

#include "base/check.h"
#include "base/db/duckdb.h"
#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/position.h"

namespace retrofill {
namespace {

// What rows outside every slot are grouped under, apart from rows without a time.
constexpr std::string_view kNoSlot = "-1";

// With more runs than this the condition in time would be a long disjunction, evaluated for every
// row; being in one of the slots says the same and is looked up once.
constexpr size_t kManyRuns = 8;

// Instants that can lie in a partition (intervals document, 2).
const absl::Time kFirstInstant = absl::FromCivil(absl::CivilDay(1900, 1, 1), absl::UTCTimeZone());
const absl::Time kEndOfInstants =
    absl::FromCivil(absl::CivilDay(2199, 12, 31), absl::UTCTimeZone());

// Positions that are read together when looking which slots a column has: a day, or for yyyymmdd
// one integer.
int64_t CoarseStep(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kDate:
    case ColumnKind::kYyyymmdd:
      return 1;
    case ColumnKind::kEpochSeconds:
      return 86'400;
    case ColumnKind::kEpochMillis:
      return 86'400'000;
    case ColumnKind::kTimestampLocal:
    case ColumnKind::kTimestampUtc:
    case ColumnKind::kTimestampTz:
    case ColumnKind::kEpochMicros:
      return 86'400'000'000;
    case ColumnKind::kEpochNanos:
      return 86'400'000'000'000;
  }
  return 1;
}

std::optional<int64_t> CoarseOf(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::optional<int64_t> magnitude = ParseInteger(text.substr(negative ? 1 : 0));
  if (!magnitude) return std::nullopt;
  return negative ? -*magnitude : *magnitude;
}

// The date at or next to a coarse position; clamped, for integers that are no date.
absl::CivilDay DayNear(ColumnKind kind, int64_t coarse) {
  const absl::CivilDay first(1900, 1, 1);
  const absl::CivilDay last(2199, 12, 31);
  if (kind == ColumnKind::kYyyymmdd) {
    const int64_t year = std::clamp<int64_t>(coarse / 10000, 1899, 2200);
    const int month = static_cast<int>(std::clamp<int64_t>(coarse / 100 % 100, 1, 12));
    const absl::CivilDay end = absl::CivilDay(absl::CivilMonth(year, month) + 1) - 1;
    const bool past_month = coarse / 100 % 100 > 12;
    const int day = past_month ? 31 : static_cast<int>(std::clamp<int64_t>(coarse % 100, 1, 31));
    return std::clamp(absl::CivilDay(year, month, std::min(day, end.day())), first, last);
  }
  return std::clamp(absl::CivilDay(1970, 1, 1) + std::clamp<int64_t>(coarse, -30'000, 90'000),
                    first, last);
}

}  // namespace

GroupedScan::GroupedScan(const Side& side, const PartitionSpace& space, const PartitionSet& set,
                         bool whole)
    : side_(side), space_(&space), set_(set), whole_(whole) {
  cuts_time_ = side.time.has_value() && space.has_time();
}

Status GroupedScan::CutTime(const std::vector<Interval>& runs, Slots slots) {
  if (!cuts_time_) return Ok();
  const std::optional<std::string> slot = RenderSlot(side_, *space_);
  if (slot && slots == Slots::kBest) {
    keys_.push_back(*slot);
    return Ok();
  }
  RF_ASSIGN(slots_, SlotTable::Make(*side_.time, space_->grid(), runs));
  keys_.push_back(whole_ ? fmt::format("CASE WHEN {} IS NOT NULL THEN coalesce(_rf_slot, {}) END",
                                       QuoteName(side_.time->name), kNoSlot)
                         : "_rf_slot");
  return Ok();
}

void GroupedScan::CutDimensions() {
  for (size_t i = 0; i < space_->dimensions().size() && i < side_.dimension_columns.size(); ++i) {
    if (!side_.dimension_columns[i]) continue;
    dimensions_.push_back(i);
    keys_.push_back(QuoteName(*side_.dimension_columns[i]));
  }
  for (uint32_t cell = 0; cell < space_->cell_count(); ++cell) {
    const std::vector<DimensionValue> values = space_->CellValues(cell);
    std::vector<DimensionValue> carried;
    for (size_t index : dimensions_) carried.push_back(values[index]);
    cells_[std::move(carried)].push_back(cell);
  }
}

Result<GroupedScan> GroupedScan::OfSet(const Side& side, const PartitionSpace& space,
                                       const PartitionSet& set, Slots slots) {
  RF_CHECK(!set.empty(), "a scan of no partition");
  GroupedScan scan(side, space, set, false);
  std::vector<Interval> runs;
  for (const PartitionBlock& block : set.blocks()) {
    runs.insert(runs.end(), block.runs.begin(), block.runs.end());
  }
  runs = NormalizeRuns(std::move(runs));
  scan.slots_select_ = scan.cuts_time_ && set.blocks().size() == 1 && runs.size() > kManyRuns;
  RF_TRY(scan.CutTime(runs, scan.slots_select_ ? Slots::kByNumber : slots));
  scan.CutDimensions();
  return scan;
}

Result<GroupedScan> GroupedScan::OfWhole(DuckdbConnection& connection, const Side& side,
                                         const PartitionSpace& space, const PartitionSet& set) {
  GroupedScan scan(side, space, set, true);
  std::vector<Interval> runs;
  if (scan.cuts_time_ && !RenderSlot(side, space)) {
    RF_ASSIGN(runs, scan.RunsPresent(connection));
  }
  RF_TRY(scan.CutTime(runs, Slots::kBest));
  scan.CutDimensions();
  return scan;
}

// Stretches of the grid that hold every slot the side has rows in; longer than needed does no harm.
Result<std::vector<Interval>> GroupedScan::RunsPresent(DuckdbConnection& connection) const {
  const ColumnKind kind = side_.time->kind;
  RF_ASSIGN(
      const DuckdbRows present,
      connection.Query(fmt::format("SELECT DISTINCT CAST({} AS BIGINT) // {} FROM {}{}",
                                   PositionExpression(*side_.time), CoarseStep(kind), side_.sql,
                                   side_.filter.empty() ? "" : " WHERE " + side_.filter)));
  const Grid& grid = space_->grid();
  std::vector<Interval> runs;
  for (const auto& row : present.rows) {
    const std::optional<int64_t> coarse = row[0] ? CoarseOf(*row[0]) : std::nullopt;
    if (!coarse) continue;
    // Two days on each side cover every offset of a zone and division towards zero.
    const absl::Time day = absl::FromCivil(DayNear(kind, *coarse), absl::UTCTimeZone());
    absl::Time start = std::max(day - absl::Hours(48), kFirstInstant);
    absl::Time end = std::min(day + absl::Hours(72), kEndOfInstants);
    if (grid.begin()) start = std::max(start, *grid.begin());
    if (grid.end()) end = std::min(end, *grid.end());
    if (start < end) runs.push_back({grid.Floor(start), grid.Ceil(end)});
  }
  return NormalizeRuns(std::move(runs));
}

std::string GroupedScan::KeyList() const {
  std::string list;
  for (size_t i = 0; i < keys_.size(); ++i) list += fmt::format("{} AS _rf_k{}, ", keys_[i], i);
  return list;
}

std::string GroupedScan::FromWhere(const std::string& where) const {
  std::string sql = "FROM " + side_.sql;
  if (slots_) sql += " " + slots_->Join();
  std::vector<std::string> terms;
  if (slots_select_) {
    const PartitionSet hull = PartitionSet::Rectangle({set_.Hull()}, set_.blocks().front().cells);
    terms.push_back("_rf_slot IS NOT NULL and " + RenderBounds(side_, *space_, hull));
  } else if (!whole_) {
    terms.push_back(RenderBounds(side_, *space_, set_));
  } else if (!side_.filter.empty()) {
    terms.push_back(fmt::format("({})", side_.filter));
  }
  // The newline ends a comment in what a user wrote.
  if (!where.empty()) terms.push_back(fmt::format("({}\n)", where));
  if (!terms.empty()) sql += " WHERE " + Join(terms, " and ");
  return sql;
}

std::string GroupedScan::Select(const std::string& values, const std::string& where) const {
  std::string sql = fmt::format("SELECT {}{} {}", KeyList(), values, FromWhere(where));
  for (size_t i = 0; i < keys_.size(); ++i) {
    sql += fmt::format("{}{}", i == 0 ? " GROUP BY " : ", ", i + 1);
  }
  return sql;
}

std::optional<Interval> GroupedScan::SlotOf(const std::string& text) const {
  if (!slots_) return SlotOfText(side_, *space_, text);
  const std::optional<int64_t> index = ParseInteger(text);
  if (!index || static_cast<size_t>(*index) >= slots_->slots().size()) return std::nullopt;
  return slots_->slots()[static_cast<size_t>(*index)];
}

GroupedScan::Group GroupedScan::GroupOf(const Row& row) const {
  Group group;
  size_t at = 0;
  std::optional<Interval> slot;
  if (cuts_time_) {
    if (!row[at]) return {.kind = Kind::kNull, .partitions = {}, .others = {}};
    slot = SlotOf(*row[at++]);
  } else if (!space_->has_time()) {
    slot = PartitionSpace::AllTime();
  }
  std::vector<DimensionValue> values;
  bool unlisted_null = false;
  for (size_t index : dimensions_) {
    DimensionValue value{row[at++]};
    unlisted_null = unlisted_null || (!value.text && !space_->ValueIndex(index, value));
    values.push_back(std::move(value));
  }
  if (unlisted_null) return {.kind = Kind::kNull, .partitions = {}, .others = {}};
  const auto cells = cells_.find(values);
  if (cells == cells_.end() || (cuts_time_ && !slot)) return group;
  group.kind = Kind::kPartitions;
  for (uint32_t cell : cells->second) {
    if (slot) {
      const Partition partition{*slot, cell};
      (set_.Contains(partition) ? group.partitions : group.others).push_back(partition);
      continue;
    }
    // A side without a time belongs to every slot.
    for (const Interval& run : set_.RunsOf(cell)) {
      for (int64_t k = 0; k < space_->grid().Count(run); ++k) {
        group.partitions.push_back({space_->grid().At(run, k), cell});
      }
    }
  }
  return group;
}

}  // namespace retrofill
