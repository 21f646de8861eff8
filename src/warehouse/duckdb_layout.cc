#include "warehouse/duckdb_layout.h"

#include <fmt/core.h>

#include "base/json.h"
#include "base/random.h"
#include "warehouse/duckdb_session.h"
#include "warehouse/duckdb_transaction.h"

namespace retrofill {
namespace {

constexpr const char* kTables = R"(
create schema if not exists retrofill;
create schema if not exists retrofill_stage;
create schema if not exists retrofill_backup;
create table if not exists retrofill.fence (
  target text not null, part text not null, epoch bigint not null, plan text not null,
  plan_no bigint not null, touched bigint not null, primary key (target, part));
create table if not exists retrofill.ledger (
  target text not null, part text not null, plan text not null, kind text not null,
  epoch bigint not null, plan_no bigint, run text, attempt integer, code text, rows bigint,
  digest text, before_rows bigint, before_digest text, undoes text, txid text, actor text,
  written_at timestamp with time zone, body text,
  primary key (target, part, plan, kind)))";

}  // namespace

Result<bool> DuckdbHasTable(DuckdbConnection& connection, const std::string& schema,
                            const std::string& table) {
  RF_ASSIGN(const DuckdbRows found,
            connection.Query("select 1 from information_schema.tables where table_catalog = "
                             "current_database() and table_schema = $1 and table_name = $2",
                             {schema, table}, 1));
  return !found.rows.empty();
}

Result<bool> DuckdbHasLayout(DuckdbConnection& connection) {
  RF_ASSIGN(const bool has_ledger, DuckdbHasTable(connection, "retrofill", "ledger"));
  if (!has_ledger) return false;
  RF_ASSIGN(const DuckdbRows found,
            connection.Query("select body from retrofill.ledger where target = '*' and part = '*' "
                             "and plan = '' and kind = 'schema'"));
  if (found.rows.size() != 1 || !found.rows[0][0]) {
    return Fail(ErrorCode::kRefused, "W0107",
                "cannot use schema `retrofill` of the database: its layout row is missing")
        .Help("restore the database, or drop schema `retrofill` if nothing in it is needed");
  }
  const JsonSource source{.name = "retrofill.ledger", .id = "W0107", .code = ErrorCode::kRefused};
  RF_ASSIGN(const Json body, Json::Parse(*found.rows[0][0], source));
  RF_ASSIGN(const int64_t version, body.Integer("layout", source));
  if (version > kLayoutVersion) {
    return Fail(ErrorCode::kRefused, "W0107",
                "cannot use schema `retrofill` of the database: it has layout {}, this program "
                "knows layouts up to {}",
                version, kLayoutVersion)
        .Help("use the newer retrofill that wrote it");
  }
  return true;
}

Result<bool> DuckdbSession::HasLayout() {
  if (shared_.has_layout) return true;
  RF_ASSIGN(const bool has_layout, DuckdbHasLayout(*connection_));
  shared_.has_layout = has_layout;
  return has_layout;
}

Status DuckdbSession::PrepareTarget() {
  const std::scoped_lock alone(shared_.lane);
  // Writing nothing keeps the bytes of a file that is ready as they are.
  RF_ASSIGN(const bool is_ready, HasLayout());
  if (is_ready) return Ok();
  RF_ASSIGN(DuckdbTransaction transaction, DuckdbTransaction::Begin(*connection_));
  RF_TRY(connection_->Execute(kTables));
  const Json body = Json::Object({{"layout", kLayoutVersion}, {"identity", SecureHex(16)}});
  RF_TRY(connection_->Execute(
      "insert into retrofill.ledger (target, part, plan, kind, epoch, written_at, body) values "
      "('*', '*', '', 'schema', 0, now(), $1)",
      {body.Compact()}));
  RF_TRY(transaction.Commit());
  RF_ASSIGN(const bool was_made, HasLayout());
  if (was_made) return Ok();
  return Fail(ErrorCode::kFailed, "R0402",
              "the tables of schema `retrofill` could not be read back after the commit");
}

}  // namespace retrofill
