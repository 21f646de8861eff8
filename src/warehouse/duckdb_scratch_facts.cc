// What a scratch asks the engine about itself and about production.

#include <set>
#include <utility>

#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_hash.h"
#include "warehouse/duckdb_scratch.h"

namespace retrofill {
namespace {

// The parts of a quoted qualified name, unquoted; empty for anything else, such as files.
std::vector<std::string> NameParts(const std::string& sql) {
  std::vector<std::string> parts;
  size_t at = 0;
  while (at < sql.size() && sql[at] == '"') {
    std::string part;
    for (++at; at < sql.size(); ++at) {
      if (sql[at] == '"' && at + 1 < sql.size() && sql[at + 1] == '"') {
        ++at;
      } else if (sql[at] == '"') {
        break;
      }
      part += sql[at];
    }
    parts.push_back(std::move(part));
    ++at;
    if (at < sql.size() && sql[at] != '.') return {};
    ++at;
  }
  return parts;
}

// Condition on the catalog's tables that holds for this relation alone.
std::string ThisTable(const std::vector<std::string>& parts) {
  const std::string schema =
      parts.size() > 1 ? QuoteText(parts[parts.size() - 2]) : "current_schema()";
  return fmt::format("database_name = current_database() and schema_name = {} and table_name = {}",
                     schema, QuoteText(parts.back()));
}

}  // namespace

Result<std::vector<std::string>> DuckdbScratch::KeyColumns(const Side& side) {
  const std::vector<std::string> parts = NameParts(side.sql);
  std::vector<std::string> columns;
  if (parts.empty()) return columns;
  RF_ASSIGN(const DuckdbRows found,
            connection_->Query(fmt::format(
                "select unnest(constraint_column_names) from (select constraint_column_names from "
                "duckdb_constraints() where {} and constraint_type in ('PRIMARY KEY', 'UNIQUE') "
                "order by constraint_type limit 1)",
                ThisTable(parts))));
  for (const auto& row : found.rows) columns.push_back(row[0].value_or(""));
  return columns;
}

Result<std::vector<Watched>> DuckdbScratch::Watch(const std::string& relation,
                                                  const std::optional<FactsRequest>& target,
                                                  const std::vector<Side>& inputs) {
  const std::vector<std::string> parts = NameParts(QuoteRelation(relation));
  const std::string schema =
      parts.size() > 1 ? QuoteText(parts[parts.size() - 2]) : "current_schema()";
  RF_ASSIGN(const DuckdbRows tables,
            connection_->Query(fmt::format("select schema_name, table_name from duckdb_tables() "
                                           "where database_name = current_database() and "
                                           "schema_name = {} and not temporary",
                                           schema)));
  std::set<std::string> names;
  for (const auto& row : tables.rows) {
    names.insert(QuoteName(row[0].value_or("")) + "." + QuoteName(row[1].value_or("")));
  }
  for (const Side& input : inputs) {
    const std::vector<std::string> input_parts = NameParts(input.sql);
    if (input_parts.size() == 1) {
      RF_ASSIGN(const DuckdbRows home, connection_->Query("select current_schema()"));
      names.insert(QuoteName(home.rows[0][0].value_or("")) + "." + QuoteName(input_parts[0]));
    } else if (!input_parts.empty()) {
      names.insert(input.sql);
    }
  }
  std::vector<std::string> selects;
  for (const std::string& name : names) {
    selects.push_back(
        fmt::format("select {} as name, count(*), '' from {}", QuoteText(name), name));
  }
  if (target && !target->shape.columns.empty()) {
    selects.push_back(fmt::format(
        "select {} as name, count(*), coalesce(sum({})::varchar, '') from {} where {}",
        QuoteText(relation + ", rows of the samples"), RowHash(target->shape.columns, 1),
        target->side.sql, RenderBounds(target->side, *target->space, target->unit)));
  }
  selects.push_back(
      "select sequence_name, 0, coalesce(last_value::varchar, '') from "
      "duckdb_sequences() where database_name = current_database()");
  RF_ASSIGN(const DuckdbRows found,
            connection_->Query(Join(selects, " union all ") + " order by 1"));
  std::vector<Watched> watched;
  for (const auto& row : found.rows) {
    watched.push_back(
        {row[0].value_or(""), ParseInteger(row[1].value_or("")).value_or(0), row[2].value_or("")});
  }
  return watched;
}

Result<std::string> DuckdbScratch::SerializeSelect(const std::string& select) {
  RF_ASSIGN(const DuckdbRows found,
            connection_->Query(fmt::format("select json_serialize_sql({})", QuoteText(select))));
  return found.rows[0][0].value_or("");
}

Result<std::string> DuckdbScratch::DeserializeSelect(const std::string& tree) {
  RF_ASSIGN(const DuckdbRows found, connection_->Query(fmt::format(
                                        "select json_deserialize_sql({}::json)", QuoteText(tree))));
  return found.rows[0][0].value_or("");
}

Result<int64_t> DuckdbScratch::CountOf(const std::string& select) {
  RF_ASSIGN(const DuckdbRows found, connection_->Query(select));
  if (found.rows.empty() || found.rows[0].empty()) return 0;
  return ParseInteger(found.rows[0][0].value_or("0")).value_or(0);
}

}  // namespace retrofill
