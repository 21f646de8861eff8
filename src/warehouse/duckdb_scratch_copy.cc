// The copies and the target of a scratch.

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_scratch.h"

namespace retrofill {
namespace {

// Sentinels of one kind: 2 % of the window's rows, at least 1, at most this many.
constexpr int64_t kMaxSentinels = 1000;

// Own name of a relation, quoted: that of the table, or of the function that reads files.
std::string OwnName(const Side& side) {
  const size_t parenthesis = side.sql.find('(');
  if (parenthesis != std::string::npos && parenthesis > 0 && side.sql[0] != '"') {
    return QuoteName(Trim(std::string_view(side.sql).substr(0, parenthesis)));
  }
  // The last quoted part: names may hold dots, and quotes that are doubled.
  size_t start = side.sql.size();
  while (start > 0) {
    start = side.sql.rfind("\".\"", start - 1);
    if (start == std::string::npos) return side.sql;
    if (start == 0 || side.sql[start - 1] != '"') return side.sql.substr(start + 2);
  }
  return side.sql;
}

std::string SelectFrom(const Side& side, const std::string& columns, const std::string& where) {
  std::string condition = side.filter;
  if (!where.empty()) condition += condition.empty() ? where : " and " + where;
  return fmt::format("select {} from {}{}", columns, side.sql,
                     condition.empty() ? "" : " where " + condition);
}

Partition Neighbour(const PartitionSpace& space, const Partition& partition, int steps) {
  Partition other = partition;
  for (int i = 0; i < std::abs(steps); ++i) {
    other.interval =
        steps < 0 ? space.grid().Previous(other.interval) : space.grid().Next(other.interval);
  }
  return other;
}

// The rows around p that the scratch target holds: the partitions before and after, further ones
// before that the transform reads, one row two partitions away and one with a NULL.
struct Around {
  std::string earlier, later;  // conditions
  std::vector<std::string> single;
};

Around RowsAround(const ScratchTarget& target) {
  Around around;
  const PartitionSpace& space = *target.space;
  if (!space.has_time() || !target.from.time) return around;
  const std::vector<Partition> unit = target.unit.Partitions(space);
  const Partition& first = unit.front();
  const Partition& last = unit.back();
  const PartitionSet before = PartitionSet::Of(space, {Neighbour(space, first, -1)});
  const PartitionSet after = PartitionSet::Of(space, {Neighbour(space, last, 1)});
  around.earlier = "(" + RenderBounds(target.from, space, before, target.before) + ")";
  around.later = "(" + RenderBounds(target.from, space, after) + ")";
  const PartitionSet far = PartitionSet::Of(space, {Neighbour(space, last, 2)});
  around.single.push_back("(" + RenderBounds(target.from, space, far) + ")");
  around.single.push_back(QuoteName(target.from.time->name) + " is null");
  return around;
}

}  // namespace

std::string DuckdbScratch::Relation(const std::string& name, const Side& original) const {
  return catalog_ + "." + QuoteName(name) + "." + OwnName(original);
}

Status DuckdbScratch::Copy(const std::string& name, const ScratchCopy& copy) {
  const std::string made = Relation(name, copy.from);
  RF_TRY(connection_->Execute(
      fmt::format("create schema if not exists {}.{}", catalog_, QuoteName(name))));
  if (!copy.window) {
    const std::string columns =
        copy.edited ? EditedColumns(copy.shape, copy.keep) : PlainColumns(copy.shape);
    RF_TRY(connection_->Execute(fmt::format("create or replace table {} as select * from ({}){}",
                                            made, SelectFrom(copy.from, columns, ""),
                                            DrawnOrder(copy.shape, copy.order))));
    return Ok();
  }
  const std::string bounds =
      "(" + RenderBounds(copy.from, *copy.space, *copy.window, copy.before, copy.after) + ")";
  const std::string read = SelectFrom(copy.from, PlainColumns(copy.shape), bounds);
  // Copies that differ in order or sentinels share one read of production.
  auto known = windows_.find(read);
  if (known == windows_.end()) {
    const std::string made_window = Run(fmt::format("window{}", windows_.size()));
    RF_TRY(
        connection_->Execute(fmt::format("create or replace table {} as {}", made_window, read)));
    RF_ASSIGN(const int64_t count, CountOf("select count(*) from " + made_window));
    known = windows_.emplace(read, Window{made_window, count}).first;
  }
  const auto& [window, rows] = known->second;
  const int64_t limit = std::clamp<int64_t>(rows / 50, 1, kMaxSentinels);
  std::string sql = "select * from " + window;
  if (copy.sentinels) {
    for (const std::string& sentinels : SentinelSelects(copy, window, limit)) {
      sql += " union all (" + sentinels + ")";
    }
  }
  RF_TRY(connection_->Execute(fmt::format("create or replace table {} as select * from ({}){}",
                                          made, sql, DrawnOrder(copy.shape, copy.order))));
  return Ok();
}

Status DuckdbScratch::MakeTarget(const std::string& name, const ScratchTarget& target) {
  const std::string made = Relation(name, target.from);
  RF_TRY(connection_->Execute(
      fmt::format("create schema if not exists {}.{}", catalog_, QuoteName(name))));
  const std::string plain = PlainColumns(target.shape);
  const std::string edited =
      target.outside_edited ? EditedColumns(target.shape, target.keep) : plain;
  std::vector<std::string> selects;
  const std::string own = "(" + RenderBounds(target.from, *target.space, target.unit) + ")";
  if (target.exists) {
    const Around around = RowsAround(target);
    if (!around.earlier.empty()) {
      selects.push_back(SelectFrom(target.from, target.past_kept ? plain : edited, around.earlier));
      selects.push_back(SelectFrom(target.from, edited, around.later));
    }
    for (const std::string& condition : around.single) {
      selects.push_back(SelectFrom(target.from, edited, condition) + " limit 1");
    }
    if (target.own == ScratchTarget::Own::kAsProduction) {
      selects.push_back(SelectFrom(target.from, plain, own));
    }
  }
  if (target.own == ScratchTarget::Own::kResult) {
    selects.push_back(fmt::format("select {} from {}", plain, Run(target.result)));
  }
  if (selects.empty()) {
    std::vector<std::string> columns;
    for (const ColumnShape& column : target.shape.columns) {
      columns.push_back(fmt::format("cast(null as {}) as {}", column.type, QuoteName(column.name)));
    }
    selects.push_back(fmt::format("select {} where false", Join(columns, ", ")));
  }
  RF_TRY(connection_->Execute(fmt::format("create or replace table {} as select * from ((({}))){}",
                                          made, Join(selects, ") union all ("),
                                          DrawnOrder(target.shape, target.order))));
  return Ok();
}

}  // namespace retrofill
