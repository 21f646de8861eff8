#include "warehouse/duckdb_conversion.h"

#include <fmt/core.h>

#include <array>
#include <map>
#include <optional>

#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_stage.h"

namespace retrofill {
namespace {

bool IsInteger(std::string_view type) {
  constexpr std::array<std::string_view, 10> kIntegers = {
      "TINYINT",  "SMALLINT",  "INTEGER",  "BIGINT",  "HUGEINT",
      "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"};
  for (const std::string_view integer : kIntegers) {
    if (type == integer) return true;
  }
  return false;
}

// Digits after the point; an integer has none. Nothing for other types.
std::optional<int64_t> ScaleOf(std::string_view type) {
  if (IsInteger(type)) return 0;
  if (!type.starts_with("DECIMAL(") || !type.ends_with(")")) return std::nullopt;
  const size_t comma = type.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  return ParseInteger(type.substr(comma + 1, type.size() - comma - 2));
}

// A target column whose type the result has differently.
struct Differing {
  std::string name;  // quoted, as the target spells it
  std::string from;
  std::string to;
};

std::vector<Differing> DifferingColumns(const RelationShape& target, const RelationShape& result) {
  std::map<std::string, std::string> types;
  for (const ColumnShape& column : result.columns) types[Lower(column.name)] = column.type;
  std::vector<Differing> differing;
  for (const ColumnShape& column : target.columns) {
    const std::string& from = types[Lower(column.name)];
    if (from != column.type) {
      differing.push_back({.name = QuoteName(column.name), .from = from, .to = column.type});
    }
  }
  return differing;
}

// The select as a relation. The newline ends a comment that it ends in.
std::string Subquery(std::string_view select) {
  std::string_view body = Trim(select);
  while (body.ends_with(';')) body = Trim(body.substr(0, body.size() - 1));
  return fmt::format("({}\n)", body);
}

Result<int64_t> InsertFrom(DuckdbConnection& connection, const std::string& into,
                           const std::string& marks, const RelationShape& target,
                           const std::string& relation) {
  return connection.Execute(
      fmt::format("{} select {}, {} from {}", into, ColumnNames(target), marks, relation));
}

// Counts the values that do not survive the way there and back.
Status CheckValues(DuckdbConnection& connection, const std::vector<Differing>& differing) {
  std::vector<std::string> counts;
  for (const Differing& each : differing) {
    counts.push_back(fmt::format(
        "count(*) filter (where {0} is not null and try_cast(try_cast({0} as {1}) as {2}) is "
        "distinct from {0})",
        each.name, each.to, each.from));
  }
  RF_ASSIGN(const DuckdbRows lost,
            connection.Query(fmt::format("select {} from temp._rf_result", Join(counts, ", "))));
  for (size_t i = 0; i < differing.size(); ++i) {
    const std::string& count = *lost.rows[0][i];
    if (count == "0") continue;
    return Fail(ErrorCode::kFailed, "P0208",
                "cannot convert column {} from {} to {}: {} values would change", differing[i].name,
                differing[i].from, differing[i].to, count)
        .Help("cast or round it in the transform, so that the change is yours");
  }
  return Ok();
}

// Keeps the result aside, so that it is computed once, checked, and then inserted.
Result<int64_t> InsertChecked(DuckdbConnection& connection, const std::string& into,
                              const std::string& marks, const RelationShape& target,
                              const std::vector<Differing>& differing, const std::string& select) {
  RF_TRY(connection.Execute(fmt::format(
      "create or replace temp table _rf_result as select * from {}", Subquery(select))));
  const Status checked = CheckValues(connection, differing);
  Result<int64_t> inserted = 0;
  if (checked.ok()) inserted = InsertFrom(connection, into, marks, target, "temp._rf_result");
  RF_TRY(connection.Execute("drop table if exists temp._rf_result"));
  RF_TRY(checked);
  return inserted;
}

}  // namespace

bool ConvertsOrFails(const std::string& from, const std::string& to) {
  const std::optional<int64_t> scale = ScaleOf(from);
  const std::optional<int64_t> target_scale = ScaleOf(to);
  return scale && target_scale && *scale <= *target_scale;
}

Result<int64_t> InsertExactly(DuckdbConnection& connection, const std::string& into,
                              const std::string& marks, const RelationShape& target,
                              const RelationShape& result, const std::string& select) {
  const std::vector<Differing> differing = DifferingColumns(target, result);
  bool is_safe = true;
  for (const Differing& each : differing) is_safe = is_safe && ConvertsOrFails(each.from, each.to);
  if (!is_safe) return InsertChecked(connection, into, marks, target, differing, select);
  Result<int64_t> inserted = InsertFrom(connection, into, marks, target, Subquery(select));
  if (inserted.ok() || differing.empty() || inserted.error().code() != ErrorCode::kFailed) {
    return inserted;
  }
  // A value that does not fit, or the select itself: only value by value can tell the column.
  return InsertChecked(connection, into, marks, target, differing, select);
}

}  // namespace retrofill
