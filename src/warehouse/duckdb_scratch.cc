#include "warehouse/duckdb_scratch.h"

#include <absl/time/time.h>

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/log.h"
#include "base/point.h"
#include "base/random.h"
#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_hash.h"
#include "warehouse/duckdb_warehouse.h"

namespace retrofill {
namespace {

constexpr std::string_view kNow = "getvariable('rf_now')::timestamptz";

// Macros that shadow the clock functions, keyword forms included, each of the built-in's type
// (verification document, 5.3). They read a variable of the session.
std::string ClockMacros(const std::string& schema) {
  std::string sql;
  const auto add = [&](std::string_view name, std::string_view cast) {
    sql += fmt::format("create macro {}.{}() as {}{}; ", schema, name, kNow, cast);
  };
  for (const char* name :
       {"now", "current_timestamp", "get_current_timestamp", "transaction_timestamp"}) {
    add(name, "");
  }
  for (const char* name : {"current_date", "today"}) add(name, "::date");
  for (const char* name : {"current_time", "get_current_time"}) add(name, "::timetz");
  for (const char* name : {"localtime", "current_localtime"}) add(name, "::timestamp::time");
  for (const char* name : {"localtimestamp", "current_localtimestamp"}) add(name, "::timestamp");
  sql += fmt::format(
      "create macro {}.age(x) as system.main.age({}::timestamp, x), (x, y) as "
      "system.main.age(x, y); ",
      schema, kNow);
  return sql;
}

// Sequences of production are not to be used up: any number does, and each time another one.
std::string SequenceMacros(const std::string& schema) {
  return fmt::format(
      "create macro {0}.nextval(s) as cast(system.main.random() * 1e15 as bigint); "
      "create macro {0}.currval(s) as cast(system.main.random() * 1e15 as bigint); ",
      schema);
}

bool Zoned(const std::string& type) { return type == "TIMESTAMP WITH TIME ZONE"; }
bool Naive(const std::string& type) {
  return type == "DATE" || (type.substr(0, 9) == "TIMESTAMP" && !Zoned(type));
}

// A column of the result in the target's type. Between zoned and naive times the engine itself
// converts in UTC, whatever zone the transform runs in.
std::string Stored(const ColumnShape& column, const RelationShape& result) {
  const std::string name = QuoteName(column.name);
  const ColumnShape* from = result.Find(column.name);
  if (from == nullptr || from->type == column.type) return name;
  std::string value = name;
  if (Zoned(from->type) && Naive(column.type)) value = fmt::format("({} at time zone 'UTC')", name);
  if (Naive(from->type) && Zoned(column.type)) {
    value = fmt::format("(cast({} as timestamp) at time zone 'UTC')", name);
  }
  return fmt::format("cast({} as {}) as {}", value, column.type, name);
}

std::vector<ColumnShape> Compared(const FactsRequest& request) {
  std::vector<ColumnShape> columns;
  for (const ColumnShape& column : request.shape.columns) {
    if (!HasName(request.left_out, column.name)) columns.push_back(column);
  }
  return columns;
}

}  // namespace

Result<std::unique_ptr<Scratch>> DuckdbWarehouse::OpenScratch(const std::string& folder) {
  RF_ASSIGN(std::unique_ptr<DuckdbConnection> connection, database_->Connect());
  RF_ASSIGN(std::unique_ptr<DuckdbScratch> scratch,
            DuckdbScratch::Open(std::move(connection), folder));
  return std::unique_ptr<Scratch>(std::move(scratch));
}

Result<std::unique_ptr<DuckdbScratch>> DuckdbScratch::Open(
    std::unique_ptr<DuckdbConnection> connection, const std::string& folder) {
  RF_TRY(MakeFolders(folder));
  const std::string id = SecureHex(4);
  const std::string path = JoinPath(folder, fmt::format("scratch-{}.duckdb", id));
  std::unique_ptr<DuckdbScratch> scratch(
      new DuckdbScratch(std::move(connection), path, "rf_scratch_" + id));
  RF_TRY(scratch->Prepare());
  return scratch;
}

Status DuckdbScratch::Prepare() {
  RF_ASSIGN(const DuckdbRows home,
            connection_->Query("select current_database(), current_schema(), "
                               "current_setting('threads')::varchar"));
  home_ = QuoteName(*home.rows[0][0]) + "." + QuoteName(*home.rows[0][1]);
  threads_ = *home.rows[0][2];
  RF_TRY(connection_->Execute(
      fmt::format("attach {} as {} (read_write)", QuoteText(path_), catalog_)));
  RF_TRY(connection_->Execute(fmt::format("create schema {0}.clock; create schema {0}.seq; {1} {2}",
                                          catalog_, ClockMacros(catalog_ + ".clock"),
                                          SequenceMacros(catalog_ + ".seq"))));
  RF_TRY(Reach("warehouse.scratch_made"));
  return SurroundAsUsual();
}

DuckdbScratch::~DuckdbScratch() {
  // Nobody reads the scratch again, so a statement that fails here loses nothing but the file.
  const auto run = [&](const std::string& sql) {
    if (!connection_->Execute(sql).ok()) Log("scratch: `{}` failed", sql);
  };
  if (one_thread_) run("set threads = " + threads_);
  if (!home_.empty()) {
    run("set search_path = " + QuoteText(home_));
    // What is thrown away need not be written first; the setting is the whole instance's.
    run("pragma disable_checkpoint_on_shutdown");
    run("detach " + catalog_);
    run("pragma enable_checkpoint_on_shutdown");
  }
  connection_.reset();
  for (const std::string& path : {path_, path_ + ".wal"}) {
    if (!RemoveFile(path).ok()) Log("scratch: {} is left", path);
  }
}

Status DuckdbScratch::Surround(const ScratchSurroundings& surroundings) {
  std::string path = home_;
  if (surroundings.clock) path += "," + catalog_ + ".clock";
  path += "," + catalog_ + ".seq";
  std::string sql = fmt::format("set search_path = {}; set TimeZone = {}; ", QuoteText(path),
                                QuoteText(surroundings.zone));
  if (surroundings.clock) {
    sql += fmt::format(
        "set variable rf_now = timestamptz '{}+00'; ",
        absl::FormatTime("%E4Y-%m-%d %H:%M:%E6S", *surroundings.clock, absl::UTCTimeZone()));
  }
  if (surroundings.one_thread != one_thread_) {
    sql += "set threads = " + (surroundings.one_thread ? std::string("1") : threads_) + "; ";
    one_thread_ = surroundings.one_thread;
  }
  RF_TRY(connection_->Execute(sql));
  return Ok();
}

Status DuckdbScratch::SurroundAsUsual() {
  RF_TRY(connection_->Execute(
      fmt::format("set search_path = {}; set TimeZone = 'UTC'", QuoteText(home_))));
  return Ok();
}

std::string DuckdbScratch::Run(const std::string& name) const {
  return catalog_ + ".main." + QuoteName(name);
}

Status DuckdbScratch::Compute(const std::string& name, const ScratchSelect& select,
                              const ScratchSurroundings& surroundings) {
  std::vector<std::string> columns;
  for (const ColumnShape& column : select.shape.columns) {
    columns.push_back(Stored(column, select.result));
  }
  RF_TRY(Surround(surroundings));
  Result<int64_t> computed = connection_->Execute(
      fmt::format("create or replace table {} as select {} from (\n{}\n) as rf_rows", Run(name),
                  Join(columns, ", "), select.sql));
  RF_TRY(SurroundAsUsual());
  RF_TRY(std::move(computed));
  return Ok();
}

Status DuckdbScratch::Unite(const std::string& name, const std::vector<std::string>& runs) {
  std::vector<std::string> selects;
  for (const std::string& run : runs) selects.push_back("select * from " + Run(run));
  RF_TRY(connection_->Execute(
      fmt::format("create or replace table {} as {}", Run(name), Join(selects, " union all "))));
  return Ok();
}

Result<ScratchFacts> DuckdbScratch::Facts(const std::string& run, const FactsRequest& request) {
  std::vector<std::string> keys, nulls;
  for (const std::string& column : request.grain) {
    keys.push_back(QuoteName(column));
    nulls.push_back(QuoteName(column) + " is null");
  }
  const std::string any_null = nulls.empty() ? "false" : Join(nulls, " or ");
  const std::string duplicates =
      keys.empty() ? "0"
                   : fmt::format(
                         "(select count(*) from (select 1 from {} where not ({}) group by {} "
                         "having count(*) > 1))",
                         Run(run), any_null, Join(keys, ", "));
  const std::vector<ColumnShape> columns = Compared(request);
  const std::string inside = "(" + RenderBounds(request.side, *request.space, request.unit) + ")";
  const std::string digest = columns.empty() ? "'0'"
                                             : fmt::format("(sum({}) filter (where {}))::varchar",
                                                           RowHash(columns, 1), inside);
  RF_ASSIGN(const DuckdbRows found,
            connection_->Query(fmt::format(
                "select count(*) filter (where {0}), count(*) filter (where {0} is not true), {1}, "
                "count(*) filter (where {2}), {3} from {4}",
                inside, duplicates, any_null, digest, Run(run))));
  const auto number = [&](size_t i) {
    return ParseInteger(found.rows[0][i].value_or("0")).value_or(0);
  };
  return ScratchFacts{number(0), number(1), number(2), number(3),
                      fmt::format("{}:{}", number(0), found.rows[0][4].value_or("0"))};
}

Result<std::vector<std::string>> DuckdbScratch::DifferingColumns(const std::string& a,
                                                                 const std::string& b,
                                                                 const FactsRequest& request) {
  const std::vector<ColumnShape> columns = Compared(request);
  std::vector<std::string> sums;
  // A column counts together with its row's key, so that values that changed places are seen.
  for (const bool keyed : {true, false}) {
    sums.clear();
    for (const ColumnShape& column : columns) {
      std::vector<ColumnShape> hashed;
      for (const std::string& key : request.grain) {
        const ColumnShape* part = request.shape.Find(key);
        if (keyed && part != nullptr) hashed.push_back(*part);
      }
      hashed.push_back(column);
      sums.push_back(fmt::format("sum({})::varchar", RowHash(hashed, 1)));
    }
    if (sums.empty()) return std::vector<std::string>();
    const auto read = [&](const std::string& run) {
      return connection_->Query(
          fmt::format("select {} from {} where {}", Join(sums, ", "), Run(run),
                      RenderBounds(request.side, *request.space, request.unit)));
    };
    RF_ASSIGN(const DuckdbRows left, read(a));
    RF_ASSIGN(const DuckdbRows right, read(b));
    std::vector<std::string> differing;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (left.rows[0][i] != right.rows[0][i]) differing.push_back(columns[i].name);
    }
    // Where keys differ, every column does together with them: then each one alone tells more.
    if (differing.size() < columns.size() || !keyed) return differing;
  }
  return std::vector<std::string>();
}

Status DuckdbScratch::Drop(const std::string& name) {
  RF_TRY(
      connection_->Execute(fmt::format("drop schema if exists {0}.{1} cascade; "
                                       "drop table if exists {2}",
                                       catalog_, QuoteName(name), Run(name))));
  return Ok();
}

}  // namespace retrofill
