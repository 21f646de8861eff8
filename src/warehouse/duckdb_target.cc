// Whether a relation can be a target: asked of the engine's binder, which also does so read-only.

#include <fmt/core.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_session.h"
#include "warehouse/duckdb_stage.h"

namespace retrofill {
namespace {

// What the binder has against a statement that is only explained; none = nothing.
Result<std::optional<std::string>> Objection(DuckdbConnection& connection, const std::string& sql) {
  Result<int64_t> explained = connection.Execute("explain " + sql);
  if (explained.ok()) return std::optional<std::string>();
  const DuckdbFailure& failure = connection.last_failure();
  if (failure.cannot_bind) return std::optional<std::string>(failure.message);
  // A file opened for reading says so after it has bound the statement.
  if (explained.error().code() == ErrorCode::kFailed) return std::optional<std::string>();
  return std::move(explained).error();
}

Error NoTarget(const Side& side, std::string_view why) {
  return Fail(ErrorCode::kRefused, "P0208", "{} cannot be a target: {}", side.sql, why);
}

}  // namespace

Result<bool> DuckdbSession::IsView(const Side& side) {
  RF_ASSIGN(const DuckdbRows views,
            connection_->Query(fmt::format(
                "SELECT count(*) FROM duckdb_views() WHERE lower({}) IN (lower('\"' || view_name "
                "|| '\"'), lower('\"' || schema_name || '\".\"' || view_name || '\"'), lower('\"' "
                "|| database_name || '\".\"' || schema_name || '\".\"' || view_name || '\"'))",
                QuoteText(side.sql))));
  return views.rows[0][0] != "0";
}

Status DuckdbSession::CheckTarget(const Side& side, const std::optional<RelationShape>& shape) {
  if (!shape) {
    RF_ASSIGN(const std::optional<std::string> objection,
              Objection(*connection_, fmt::format("create table {} as select 1 as one", side.sql)));
    if (!objection) return Ok();
    return NoTarget(side, "it does not exist and cannot be made")
        .Note(*objection)
        .Help("create its schema first, or correct `relation`");
  }
  // Almost always nothing is wrong, and one question tells; what is wrong is looked for after it.
  std::vector<std::string> nulls(shape->columns.size(), "null");
  const std::string all = fmt::format("insert into {} ({}) select {}", side.sql,
                                      ColumnNames(*shape), Join(nulls, ", "));
  RF_ASSIGN(const std::optional<std::string> any, Objection(*connection_, all));
  if (!any) return Ok();
  RF_ASSIGN(const bool is_view, IsView(side));
  if (is_view) {
    return NoTarget(side, "it is a view, whose rows cannot be replaced")
        .Help("name the table behind it in `relation`, or make it a table");
  }
  std::vector<std::string> generated;
  for (const ColumnShape& column : shape->columns) {
    RF_ASSIGN(const std::optional<std::string> objection,
              Objection(*connection_, fmt::format("insert into {} ({}) select null", side.sql,
                                                  QuoteName(column.name))));
    if (objection) generated.push_back(fmt::format("`{}`", column.name));
  }
  if (generated.empty()) return Ok();
  return NoTarget(side,
                  fmt::format("the database computes its column {} itself", Join(generated, ", ")))
      .Note("rows with generated columns cannot be staged and stored as they are")
      .Help("make it a plain column and compute it in the SQL");
}

}  // namespace retrofill
