#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_session.h"

namespace retrofill {
namespace {

// The engine counts bytes from 0; people count lines, and characters of a line, from 1.
Origin OriginAt(const std::string& sql, size_t byte) {
  byte = std::min(byte, sql.size());
  const std::string before = sql.substr(0, byte);
  const size_t newline = before.rfind('\n');
  const size_t line_start = newline == std::string::npos ? 0 : newline + 1;
  const size_t line_end = std::min(sql.find('\n', byte), sql.size());
  Origin origin;
  origin.file = "<sql>";
  origin.line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
  origin.column = static_cast<int>(CharacterCount(before.substr(line_start))) + 1;
  const size_t word_end = sql.find_first_of(" \t\r\n,;()+-*/=<>", byte);
  const std::string word = sql.substr(byte, std::min(word_end, line_end) - byte);
  origin.length = std::max(1, static_cast<int>(CharacterCount(word)));
  origin.lines = Lines(sql.substr(0, line_end));
  return origin;
}

std::string CandidatesText(const std::vector<std::string>& candidates) {
  std::vector<std::string> quoted;
  for (const std::string& candidate : candidates) {
    quoted.push_back(fmt::format("`{}`", Trim(candidate)));
  }
  return "did you mean " + Join(quoted, " or ");
}

// The error with its place and the names that were near.
Error Placed(const std::string& sql, const DuckdbFailure& failure, Error error) {
  if (error.id() != "X0206") return error;
  if (failure.position) error = std::move(error).At(OriginAt(sql, *failure.position));
  if (!failure.candidates.empty())
    error = std::move(error).Help(CandidatesText(failure.candidates));
  return error;
}

RelationShape ShapeOf(const std::vector<DuckdbColumn>& columns) {
  RelationShape shape;
  for (const DuckdbColumn& column : columns) {
    shape.columns.push_back({.name = column.name, .type = column.type, .nullable = true});
  }
  return shape;
}

}  // namespace

Result<std::optional<RelationShape>> DuckdbSession::Describe(const Side& side) {
  // Only a name may follow DESCRIBE alone, and only then are NOT NULL columns told apart.
  const bool name = !side.sql.empty() && side.sql[0] == '"';
  Result<DuckdbRows> described =
      connection_->Query((name ? "DESCRIBE " : "DESCRIBE FROM ") + side.sql);
  if (!described) {
    if (!connection_->last_failure().cannot_bind) return std::move(described).error();
    // A view that is there but cannot be bound is an error of its own, not a missing relation.
    RF_ASSIGN(const bool is_view, IsView(side));
    if (is_view) return std::move(described).error();
    return std::optional<RelationShape>();
  }
  RelationShape shape;
  for (const auto& row : described->rows) {
    shape.columns.push_back(
        {.name = row[0].value_or(""), .type = row[1].value_or(""), .nullable = row[2] == "YES"});
  }
  return std::optional<RelationShape>(std::move(shape));
}

Result<RelationShape> DuckdbSession::Bind(const std::string& sql) {
  Result<std::vector<DuckdbColumn>> columns = connection_->BindSelect(sql);
  if (!columns) {
    if (columns.error().id() != "X0206") return std::move(columns).error();
    return Placed(sql, connection_->last_failure(), std::move(columns).error());
  }
  return ShapeOf(*columns);
}

Result<Rows> DuckdbSession::Query(const std::string& sql, int64_t max_rows) {
  RF_ASSIGN(const RelationShape shape, Bind(sql));
  RF_ASSIGN(DuckdbRows rows, connection_->Query(sql, max_rows));
  if (rows.truncated) {
    return Fail(ErrorCode::kFailed, "R0102", "the query gives more than {} rows", max_rows)
        .Note("what was cut off cannot be judged")
        .Help("narrow the query, or let it aggregate");
  }
  return Rows{.columns = shape.columns, .rows = std::move(rows.rows)};
}

}  // namespace retrofill
