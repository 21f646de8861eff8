#include "warehouse/duckdb_stage.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/point.h"
#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_conversion.h"
#include "warehouse/duckdb_layout.h"
#include "warehouse/duckdb_session.h"
#include "warehouse/duckdb_transaction.h"

namespace retrofill {
namespace {

Status CheckColumns(const StageSpec& stage, const RelationShape& result) {
  std::map<std::string, int> seen;
  for (const ColumnShape& column : result.columns) ++seen[Lower(column.name)];
  for (const auto& [name, count] : seen) {
    if (count > 1) {
      return Fail(ErrorCode::kFailed, "P0208", "the transform returns column `{}` {} times", name,
                  count)
          .Help("give each column of the `select` a name of its own");
    }
  }
  std::vector<std::string> missing;
  for (const ColumnShape& column : stage.columns.columns) {
    if (seen.erase(Lower(column.name)) == 0) missing.push_back(fmt::format("`{}`", column.name));
  }
  std::vector<std::string> extra;
  for (const auto& [name, count] : seen) extra.push_back(fmt::format("`{}`", name));
  if (missing.empty() && extra.empty()) return Ok();
  Error error =
      missing.empty()
          ? Fail(ErrorCode::kFailed, "P0208",
                 "the transform returns {}, which the target does not have", Join(extra, ", "))
          : Fail(ErrorCode::kFailed, "P0208", "the transform does not return {} of the target",
                 Join(missing, ", "));
  return std::move(error).Help("return exactly the columns of the target, by name");
}

Result<RelationShape> ResultOf(DuckdbConnection& connection, const StageSpec& stage,
                               const std::string& select) {
  if (stage.result) return *stage.result;
  RF_ASSIGN(const std::vector<DuckdbColumn> columns, connection.BindSelect(select));
  RelationShape result;
  for (const DuckdbColumn& column : columns) {
    result.columns.push_back({.name = column.name, .type = column.type});
  }
  return result;
}

}  // namespace

std::string StageTable(const StageSpec& stage) {
  return "\"retrofill_stage\"." + QuoteName(stage.table);
}

std::string BackupTable(const std::string& table) {
  return "\"retrofill_backup\"." + QuoteName(table);
}

std::string ColumnNames(const RelationShape& shape) {
  std::vector<std::string> names;
  for (const ColumnShape& column : shape.columns) names.push_back(QuoteName(column.name));
  return Join(names, ", ");
}

std::string ColumnDefinitions(const RelationShape& shape, Nulls nulls) {
  std::vector<std::string> definitions;
  for (const ColumnShape& column : shape.columns) {
    const bool is_required = nulls == Nulls::kAsDeclared && !column.nullable;
    definitions.push_back(fmt::format("{} {}{}", QuoteName(column.name), column.type,
                                      is_required ? " NOT NULL" : ""));
  }
  return Join(definitions, ", ");
}

std::string StageName(std::string_view relation, std::string_view plan_hash) {
  constexpr size_t kMaxBytes = 63;
  constexpr size_t kPlanDigits = 8;
  std::string name;
  const size_t dot = relation.rfind('.');
  for (const char c : Lower(relation.substr(dot == std::string_view::npos ? 0 : dot + 1))) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    if (is_plain) {
      name.push_back(c);
    } else if (c != '"') {
      name.push_back('_');
    }
  }
  name.resize(std::min(name.size(), kMaxBytes - kPlanDigits - 1));
  return fmt::format("{}_{}", name, Lower(plan_hash.substr(0, kPlanDigits)));
}

Status DuckdbSession::InTransaction(const std::function<Status()>& work) {
  RF_ASSIGN(DuckdbTransaction transaction, DuckdbTransaction::Begin(*connection_));
  RF_TRY(work());
  return transaction.Commit();
}

Status DuckdbSession::CreateStage(const StageSpec& stage) {
  RF_TRY(connection_->Execute(
      fmt::format("create table if not exists {} ({}, _rf_unit bigint, _rf_epoch bigint)",
                  StageTable(stage), ColumnDefinitions(stage.columns, Nulls::kAllowed))));
  return Reach("warehouse.stage_created");
}

Result<int64_t> DuckdbSession::FillStage(const StageSpec& stage, const StageUnit& unit,
                                         const std::string& select) {
  RF_ASSIGN(const RelationShape result, ResultOf(*connection_, stage, select));
  RF_TRY(CheckColumns(stage, result));
  RF_TRY(Reach("warehouse.stage_filling"));
  const std::string into = fmt::format("insert into {} ({}, _rf_unit, _rf_epoch)",
                                       StageTable(stage), ColumnNames(stage.columns));
  const std::string marks = fmt::format("{}, {}", unit.unit, unit.epoch);
  RF_ASSIGN(const int64_t rows,
            InsertExactly(*connection_, into, marks, stage.columns, result, select));
  RF_TRY(Reach("warehouse.stage_filled"));
  return rows;
}

Status DuckdbSession::ClearStage(const StageSpec& stage, const std::vector<StageUnit>& units) {
  if (units.empty()) return Ok();
  RF_ASSIGN(const bool has_stage, DuckdbHasTable(*connection_, "retrofill_stage", stage.table));
  if (!has_stage) return Ok();
  std::vector<int64_t> ids;
  std::vector<int64_t> epochs;
  for (const StageUnit& unit : units) {
    ids.push_back(unit.unit);
    epochs.push_back(unit.epoch);
  }
  RF_TRY(connection_->Execute(
      fmt::format("delete from {} as s using (select unnest($1) as unit, unnest($2) as epoch) x "
                  "where s._rf_unit = x.unit and s._rf_epoch <= x.epoch",
                  StageTable(stage)),
      {ids, epochs}));
  return Reach("warehouse.stage_cleared");
}

Result<std::vector<StoredObject>> DuckdbSession::ListObjects() {
  RF_ASSIGN(const DuckdbRows found,
            connection_->Query("select table_schema, table_name from information_schema.tables "
                               "where table_catalog = current_database() and table_schema in "
                               "('retrofill_stage', 'retrofill_backup') order by 1, 2"));
  std::vector<StoredObject> objects;
  for (const auto& row : found.rows) {
    StoredObject object{.schema = row[0].value_or(""), .table = row[1].value_or(""), .rows = 0};
    RF_ASSIGN(const DuckdbRows counted,
              connection_->Query(fmt::format("select count(*) from {}.{}", QuoteName(object.schema),
                                             QuoteName(object.table))));
    object.rows = ParseInteger(counted.rows[0][0].value_or("")).value_or(0);
    objects.push_back(std::move(object));
  }
  return objects;
}

Status DuckdbSession::DropObject(const StoredObject& object) {
  RF_CHECK(object.schema == "retrofill_stage" || object.schema == "retrofill_backup",
           "schema {} is not ours to drop from", object.schema);
  const std::scoped_lock alone(shared_.lane);
  RF_TRY(connection_->Execute(fmt::format("drop table if exists {}.{}", QuoteName(object.schema),
                                          QuoteName(object.table))));
  return Reach("warehouse.dropped");
}

}  // namespace retrofill
