#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_session.h"
#include "warehouse/grouped_scan.h"
#include "warehouse/position.h"

namespace retrofill {
namespace {

using Row = std::vector<std::optional<std::string>>;

constexpr size_t kMaxSamples = 5;

int64_t CountOf(const std::optional<std::string>& text) {
  return text ? ParseInteger(*text).value_or(0) : 0;
}

// Keys as they are grouped: texts by their bytes, whatever the collation of the column.
struct KeyColumns {
  std::string grouped;  // `encode("name") AS _rf_c0, "id" AS _rf_c1`
  std::string shown;    // of those, one text: `2026-01-17, eu`
  std::string null;     // condition on a row: some part is NULL
};

KeyColumns KeyColumnsOf(const std::vector<std::string>& columns, const RelationShape& shape) {
  std::vector<std::string> grouped;
  std::vector<std::string> shown;
  std::vector<std::string> null;
  for (const std::string& column : columns) {
    const std::string name = QuoteName(column);
    const ColumnShape* found = shape.Find(column);
    const bool text = found != nullptr && found->type == "VARCHAR";
    const size_t i = grouped.size();
    grouped.push_back(
        fmt::format("{} AS _rf_c{}", text ? fmt::format("encode({})", name) : name, i));
    shown.push_back(text ? fmt::format("decode(_rf_c{})", i) : fmt::format("_rf_c{}::VARCHAR", i));
    null.push_back(name + " IS NULL");
  }
  return {.grouped = Join(grouped, ", "),
          .shown = fmt::format("concat_ws(', ', {})", Join(shown, ", ")),
          .null = Join(null, " OR ")};
}

// `1, 2, 3` up to `count`.
std::string Positions(size_t count) {
  std::vector<std::string> positions;
  for (size_t i = 1; i <= count; ++i) positions.push_back(fmt::format("{}", i));
  return Join(positions, ", ");
}

// Groups of keys that occur more than once: the partition keys, how many, and a few as one text.
std::string DuplicatesSql(const GroupedScan& scan, const KeyColumns& keys, size_t key_columns) {
  const size_t parts = scan.key_count();
  std::string outer;
  for (size_t i = 0; i < parts; ++i) outer += fmt::format("_rf_k{}, ", i);
  return fmt::format(
      "SELECT {0}count(*), array_to_string(list({1} ORDER BY {1})[1:{2}], chr(31)) FROM (SELECT "
      "{3}{4} {5} GROUP BY {6} HAVING count(*) > 1){7}",
      outer, keys.shown, kMaxSamples, scan.KeyList(), keys.grouped,
      scan.FromWhere(fmt::format("NOT ({})", keys.null)), Positions(parts + key_columns),
      parts == 0 ? "" : " GROUP BY " + Positions(parts));
}

}  // namespace

Result<std::map<Partition, KeyRow>> DuckdbSession::CheckKeys(const KeyRequest& request) {
  RF_CHECK(request.space != nullptr && !request.columns.empty());
  std::map<Partition, KeyRow> result;
  if (request.set.empty()) return result;
  request.set.ForEach(*request.space, [&](const Partition& partition) {
    result.emplace_hint(result.end(), partition, KeyRow{});
    return true;
  });
  RF_ASSIGN(const GroupedScan scan, GroupedScan::OfSet(request.side, *request.space, request.set));
  RF_ASSIGN(const std::optional<RelationShape> shape, Describe(request.side));
  const KeyColumns keys = KeyColumnsOf(request.columns, shape.value_or(RelationShape{}));
  const size_t at = scan.key_count();
  RF_ASSIGN(const DuckdbRows nulls, connection_->Query(scan.Select("count(*)", keys.null)));
  for (const Row& row : nulls.rows) {
    for (const Partition& partition : scan.GroupOf(row).partitions) {
      result[partition].null_rows += CountOf(row[at]);
    }
  }
  RF_ASSIGN(const DuckdbRows duplicates,
            connection_->Query(DuplicatesSql(scan, keys, request.columns.size())));
  for (const Row& row : duplicates.rows) {
    if (CountOf(row[at]) == 0) continue;  // of a scan without keys
    for (const Partition& partition : scan.GroupOf(row).partitions) {
      KeyRow& held = result[partition];
      held.duplicate_keys += CountOf(row[at]);
      held.samples = Split(row[at + 1].value_or(""), '\x1f');
    }
  }
  return result;
}

Result<int64_t> DuckdbSession::CountUnassigned(const Side& side, const PartitionSpace& space) {
  std::vector<std::string> terms;
  // NULL for a time that is NULL or infinite.
  if (side.time && space.has_time()) terms.push_back(PositionExpression(*side.time) + " IS NULL");
  for (size_t i = 0; i < space.dimensions().size() && i < side.dimension_columns.size(); ++i) {
    if (!side.dimension_columns[i]) continue;
    const std::string name = QuoteName(*side.dimension_columns[i]);
    std::vector<std::string> listed;
    bool null_listed = false;
    for (const DimensionValue& value : space.dimensions()[i].values) {
      null_listed = null_listed || !value.text;
      if (value.text) listed.push_back(QuoteText(*value.text));
    }
    if (!null_listed) terms.push_back(name + " IS NULL");
    terms.push_back(listed.empty() ? name + " IS NOT NULL"
                                   : fmt::format("{} NOT IN ({})", name, Join(listed, ", ")));
  }
  if (terms.empty()) return 0;
  const std::string filter = side.filter.empty() ? "" : fmt::format("({}) AND ", side.filter);
  RF_ASSIGN(const DuckdbRows rows,
            connection_->Query(fmt::format("SELECT count(*) FROM {} WHERE {}({})", side.sql, filter,
                                           Join(terms, " OR "))));
  return CountOf(rows.rows[0][0]);
}

}  // namespace retrofill
