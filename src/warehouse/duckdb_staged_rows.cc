#include "warehouse/duckdb_staged_rows.h"

#include <fmt/core.h>

#include <map>
#include <set>

#include "base/check.h"
#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_stage.h"
#include "warehouse/grouped_scan.h"

namespace retrofill {
namespace {

using Unit = std::pair<int64_t, int64_t>;  // unit, epoch

Unit UnitOf(const PublishItem& item) { return {item.unit.unit, item.unit.epoch}; }

std::string UnitTerm(const Unit& unit) {
  return fmt::format("_rf_unit = {} and _rf_epoch = {}", unit.first, unit.second);
}

std::string UnitsTerm(const std::set<Unit>& units) {
  if (units.size() == 1) return UnitTerm(*units.begin());
  std::vector<std::string> pairs;
  for (const Unit& unit : units) pairs.push_back(fmt::format("({}, {})", unit.first, unit.second));
  return fmt::format("(_rf_unit, _rf_epoch) in ({})", Join(pairs, ", "));
}

// Whether some unit holds rows for a partition that is another unit's: a batch of which a part was
// built anew. A unit is never built twice, so its number says enough.
Result<bool> UnitsOverlap(DuckdbConnection& connection, const PublishGroup& group,
                          const std::vector<const PublishItem*>& items, const PartitionSet& set,
                          const std::string& units) {
  std::map<Partition, int64_t> unit_of;
  for (const PublishItem* item : items) unit_of[item->partition] = item->unit.unit;
  RF_ASSIGN(const GroupedScan scan, GroupedScan::OfSet(group.rows, *group.space, set));
  RF_ASSIGN(const DuckdbRows present,
            connection.Query(scan.Select("min(_rf_unit), max(_rf_unit)", units)));
  for (const auto& row : present.rows) {
    const GroupedScan::Group found = scan.GroupOf(row);
    RF_CHECK(found.partitions.size() == 1, "staged rows of {} partitions", found.partitions.size());
    const std::string own = fmt::format("{}", unit_of.at(found.partitions[0]));
    if (row[scan.key_count()] != own || row[scan.key_count() + 1] != own) return true;
  }
  return false;
}

// Exact whatever the units hold: one term for each unit, with its own partitions.
std::string TermPerUnit(const PublishGroup& group, const std::vector<const PublishItem*>& items) {
  std::map<Unit, std::vector<const PublishItem*>> by_unit;
  for (const PublishItem* item : items) by_unit[UnitOf(*item)].push_back(item);
  std::vector<std::string> terms;
  for (const auto& [unit, own] : by_unit) {
    terms.push_back(fmt::format("({} and {})", UnitTerm(unit),
                                RenderBounds(group.rows, *group.space, SetOf(group, own))));
  }
  return Join(terms, " or ");
}

Result<std::string> ConditionOf(DuckdbConnection& connection, const PublishGroup& group,
                                const std::vector<const PublishItem*>& items) {
  const PartitionSet set = SetOf(group, items);
  if (!group.rows_have_units) return RenderBounds(group.rows, *group.space, set);
  std::set<Unit> units;
  for (const PublishItem* item : items) units.insert(UnitOf(*item));
  const std::string term = UnitsTerm(units);
  if (units.size() > 1) {
    RF_ASSIGN(const bool overlap, UnitsOverlap(connection, group, items, set, term));
    if (overlap) return TermPerUnit(group, items);
  }
  return fmt::format("{} and {}", term, RenderBounds(group.rows, *group.space, set));
}

}  // namespace

PartitionSet SetOf(const PublishGroup& group, const std::vector<const PublishItem*>& items) {
  std::vector<Partition> partitions;
  partitions.reserve(items.size());
  for (const PublishItem* item : items) partitions.push_back(item->partition);
  return PartitionSet::Of(*group.space, std::move(partitions));
}

Status InsertStagedRows(DuckdbConnection& connection, const PublishGroup& group,
                        const std::vector<const PublishItem*>& items) {
  std::vector<const PublishItem*> filled;
  int64_t rows = 0;
  for (const PublishItem* item : items) {
    if (item->staged.n > 0) filled.push_back(item);
    rows += item->staged.n;
  }
  // Emptied partitions need no stage: their rows are gone by the delete.
  if (filled.empty()) return Ok();
  RF_ASSIGN(const std::string condition, ConditionOf(connection, group, filled));
  const std::string columns = ColumnNames(group.shape);
  RF_ASSIGN(
      const int64_t inserted,
      connection.Execute(fmt::format("insert into {} ({}) select {} from {} where {}",
                                     group.live.sql, columns, columns, group.rows.sql, condition)));
  if (inserted == rows) return Ok();
  return Fail(ErrorCode::kFailed, group.undoes.empty() ? "R0301" : "X0305",
              "{} rows were staged for `{}`, but {} are there; nothing was committed", rows,
              group.target, inserted)
      .Help(group.undoes.empty() ? "retry the partitions: their rows are built anew"
                                 : "the kept rows are damaged: restore the table from a backup");
}

}  // namespace retrofill
