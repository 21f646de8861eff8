#include "warehouse/duckdb_diff_sql.h"

#include <algorithm>

#include "base/check.h"
#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_hash.h"

namespace retrofill {
namespace {

// Text keys group by their bytes, whatever the collation of the column.
std::string KeyColumn(const ColumnShape* column, const std::string& name) {
  return column != nullptr && column->type == "VARCHAR" ? fmt::format("encode({})", QuoteName(name))
                                                        : QuoteName(name);
}

// Kinds of a key by how often its rows occur on either side. Without a grain a "key" is a row, and
// one that occurs more often on one side is that many rows added or removed.
constexpr std::string_view kKindOfKey =
    "CASE WHEN xa = 0 AND xb = 0 THEN 'identical' WHEN nb = 0 THEN 'removed' WHEN na = 0 THEN "
    "'added' WHEN na = 1 AND nb = 1 THEN 'changed' WHEN xa = 0 OR xb = 0 THEN 'duplicate_count' "
    "ELSE 'changed_with_duplicates' END";
constexpr std::string_view kKindOfRow =
    "CASE WHEN xa > 0 THEN 'removed' WHEN xb > 0 THEN 'added' ELSE 'identical' END";

}  // namespace

DiffSql::DiffSql(const DiffRequest& request, const GroupedScan& before, const GroupedScan& after,
                 uint64_t salt)
    : request_(request), before_(before), after_(after), salt_(salt) {
  RF_CHECK(before.key_count() == after.key_count(), "sides of a diff are cut alike");
  for (const ColumnShape& column : request.shape.columns) {
    if (HasName(request.left_out, column.name)) continue;
    hashed_.push_back(column);
    if (!HasName(request.grain, column.name)) compared_.push_back(column);
  }
  for (const std::string& name : request.grain) {
    key_columns_.push_back(KeyColumn(request.shape.Find(name), name));
  }
  if (request.grain.empty()) key_columns_.push_back(RowHash(hashed_, salt));
}

std::string DiffSql::Parts(const std::string& prefix) const {
  std::string list;
  for (size_t i = 0; i < before_.key_count(); ++i) list += fmt::format("{}_rf_k{}, ", prefix, i);
  return list;
}

std::string DiffSql::Keys(const std::string& prefix) const {
  std::vector<std::string> list;
  for (size_t i = 0; i < key_columns_.size(); ++i)
    list.push_back(fmt::format("{}_rf_g{}", prefix, i));
  return Join(list, ", ");
}

// The rows of one side with their key and hash, marked by side.
std::string DiffSql::Rows(const GroupedScan& scan, bool before) const {
  std::string keys;
  for (size_t i = 0; i < key_columns_.size(); ++i) {
    keys += fmt::format("{} AS _rf_g{}, ", key_columns_[i], i);
  }
  return fmt::format("SELECT {}{}{} AS rh, {} AS ca, {} AS cb {}", scan.KeyList(), keys,
                     RowHash(hashed_, salt_), before ? 1 : 0, before ? 0 : 1, scan.FromWhere());
}

std::string DiffSql::Classify() const {
  const std::string group = Parts("") + Keys("");
  std::string shown_keys;
  for (size_t i = 0; i < key_columns_.size(); ++i) {
    // Identical keys are counted, not kept.
    shown_keys += fmt::format("CASE WHEN kind <> 'identical' THEN _rf_g{0} END AS _rf_g{0}, ", i);
  }
  return fmt::format(
      "CREATE OR REPLACE TEMP TABLE _rf_diff AS "
      "WITH u AS ({0} UNION ALL {1}), "
      "r AS (SELECT {2}, rh, sum(ca) AS ca, sum(cb) AS cb FROM u GROUP BY {2}, rh), "
      "k AS (SELECT {2}, sum(ca) AS na, sum(cb) AS nb, sum(greatest(ca - cb, 0)) AS xa, "
      "sum(greatest(cb - ca, 0)) AS xb FROM r GROUP BY {2}), "
      "c AS (SELECT *, {3} AS kind FROM k), "
      "s AS (SELECT {4}kind, {5}na, nb, xa, xb FROM c) "
      "SELECT {4}kind, {6}, count(*) AS keys, sum(na)::BIGINT AS na, sum(nb)::BIGINT AS nb, "
      "sum(xa)::BIGINT AS xa, sum(xb)::BIGINT AS xb FROM s GROUP BY {4}kind, {6}",
      Rows(before_, true), Rows(after_, false), group,
      request_.grain.empty() ? kKindOfRow : kKindOfKey, Parts(""), shown_keys, Keys(""));
}

std::string DiffSql::Totals() const {
  return fmt::format(
      "SELECT {0}kind, sum(keys)::BIGINT, sum(xa)::BIGINT, sum(xb)::BIGINT, sum(na)::BIGINT, "
      "sum(nb)::BIGINT FROM _rf_diff GROUP BY {0}kind",
      Parts(""));
}

// The rows of one side with partition, key, and each compared column as it is hashed and shown.
std::string DiffSql::Values(const GroupedScan& scan) const {
  std::string list = scan.KeyList();
  for (size_t i = 0; i < key_columns_.size(); ++i) {
    list += fmt::format("{} AS _rf_g{}, ", key_columns_[i], i);
  }
  const std::vector<ColumnShape>& columns = request_.grain.empty() ? hashed_ : compared_;
  for (size_t i = 0; i < columns.size(); ++i) {
    list += fmt::format("{} AS _rf_v{}, ", HashedExpression(columns[i]), i);
  }
  return fmt::format("SELECT {}1 AS _rf_one {}", list, scan.FromWhere());
}

std::string DiffSql::SameKey(const std::string& side) const {
  std::vector<std::string> terms;
  for (size_t i = 0; i < before_.key_count(); ++i) {
    terms.push_back(fmt::format("{}._rf_k{} IS NOT DISTINCT FROM d._rf_k{}", side, i, i));
  }
  for (size_t i = 0; i < key_columns_.size(); ++i) {
    terms.push_back(fmt::format("{}._rf_g{} IS NOT DISTINCT FROM d._rf_g{}", side, i, i));
  }
  return Join(terms, " AND ");
}

std::string DiffSql::ChangedColumns() const {
  std::vector<std::string> counts = {"count(*)"};
  for (size_t i = 0; i < compared_.size(); ++i) {
    counts.push_back(
        fmt::format("count(*) FILTER (WHERE a._rf_v{0} IS DISTINCT FROM b._rf_v{0})", i));
  }
  return fmt::format(
      "SELECT {} FROM (SELECT * FROM _rf_diff WHERE kind = 'changed') d JOIN ({}) a ON {} JOIN "
      "({}) "
      "b ON {}",
      Join(counts, ", "), Values(before_), SameKey("a"), Values(after_), SameKey("b"));
}

std::string DiffSql::Samples() const {
  // As many of each kind as of the others while there are some, in the order of the key.
  const std::string chosen = fmt::format(
      "SELECT * FROM (SELECT {0}kind, {1}, row_number() OVER (PARTITION BY kind ORDER BY {0}{1}) "
      "AS "
      "rank FROM _rf_diff WHERE kind <> 'identical') ORDER BY rank, kind LIMIT {2}",
      Parts(""), Keys(""), request_.samples);
  std::string list = Parts("d.") + "d.kind";
  if (request_.grain.empty()) {
    for (size_t i = 0; i < hashed_.size(); ++i) {
      list += fmt::format(", first(coalesce(a._rf_v{0}, b._rf_v{0}))::VARCHAR", i);
    }
    return fmt::format(
        "SELECT {0} FROM ({1}) d LEFT JOIN ({2}) a ON d.kind = 'removed' AND {3} LEFT JOIN ({4}) b "
        "ON d.kind = 'added' AND {5} GROUP BY {6}d.kind, d.rank, {7} ORDER BY d.kind, d.rank",
        list, chosen, Values(before_), SameKey("a"), Values(after_), SameKey("b"), Parts("d."),
        Keys("d."));
  }
  for (size_t i = 0; i < key_columns_.size(); ++i) {
    list += key_columns_[i].starts_with("encode(") ? fmt::format(", decode(d._rf_g{})", i)
                                                   : fmt::format(", d._rf_g{}::VARCHAR", i);
  }
  for (size_t i = 0; i < compared_.size(); ++i) {
    list += fmt::format(
        ", a._rf_v{0}::VARCHAR, b._rf_v{0}::VARCHAR, a._rf_v{0} IS DISTINCT FROM b._rf_v{0}", i);
  }
  return fmt::format(
      "SELECT {0} FROM ({1}) d LEFT JOIN ({2}) a ON d.kind = 'changed' AND {3} LEFT JOIN ({4}) b "
      "ON "
      "d.kind = 'changed' AND {5} ORDER BY d.kind, d.rank",
      list, chosen, Values(before_), SameKey("a"), Values(after_), SameKey("b"));
}

}  // namespace retrofill
