#pragma once

// A fixture of tables that read each other: `a` counts the orders of a day, the tests add tables
// below it. Every table has the columns `d` and `n`.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "engine/database_folder_test.h"
#include "engine/gaps_operation.h"
#include "engine/plan_operation.h"
#include "engine/run_operation.h"
#include "journal/sqlite_journal.h"
#include "model/selection.h"
#include "warehouse/duckdb_warehouse.h"

namespace retrofill {

class ChainFolder : public DatabaseFolder {
 protected:
  static constexpr char kDays[] =
      "select cast(taken_at as date) as d, count(*) as n from {{ source('orders') }} where {{ "
      "window('orders') }} group by 1\n";

  void SetUp() override {
    DatabaseFolder::SetUp();
    ASSERT_TRUE(MakeFolders(folder_ + "/sql").ok());
    Execute(
        "create table orders (taken_at timestamp);"
        "insert into orders select timestamp '2026-01-01 12:00:00' + to_days(cast(i as integer)) "
        "from range(31) t(i)");
    project_.folder = folder_;
    project_.state_folder = folder_ + "/.retrofill";
    project_.as_of = *ParseInstant("2026-02-01T00:00:00Z");
    project_.connections["warehouse"] = {
        .name = "warehouse", .type = "duckdb", .path = Path(), .origin = {}};
    Source source;
    source.name = "orders";
    source.connection = "warehouse";
    source.relation = "main.orders";
    source.event_time = "taken_at";
    project_.sources["orders"] = source;
    AddTable("a", "day", "2026-01-01", kDays, {Reads("", "orders")});
    Rule rule;
    rule.kind = RuleKind::kCount;
    rule.name = "orders";
    rule.source = "count(*)";
    rule.target = "sum(n)";
    project_.tables["a"].unreconciled.reset();
    project_.tables["a"].rules = {rule};
    Reopen();
  }

  static Span Days(int days) { return {.count = days, .unit = Span::Unit::kDay}; }

  static Input Reads(const std::string& table, const std::string& source = "", Span before = {}) {
    return {.source = source, .table = table, .before = before, .after = {}, .origin = {}};
  }

  // A table that exists and has no rows.
  void AddTable(const std::string& name, const std::string& by, const std::string& begin,
                const std::string& sql, std::vector<Input> inputs) {
    Execute("create table " + name + " (d date, n bigint)");
    Table table;
    table.name = name;
    table.connection = "warehouse";
    table.relation = "main." + name;
    PartitionSpec spec;
    spec.by = by;
    spec.column = "d";
    spec.begin = begin;
    table.partition = spec;
    table.inputs = std::move(inputs);
    table.sql_file = "sql/" + name + ".sql";
    table.pool = "default@warehouse";
    table.attempts.max = 1;
    table.unreconciled = "a test of other things";
    WriteSql(name, sql);
    project_.tables[name] = table;
  }

  void WriteSql(const std::string& table, const std::string& sql) {
    ASSERT_TRUE(WriteFileAtomically(folder_ + "/sql/" + table + ".sql", sql).ok());
  }

  // The sum over what `window` gives of another table, by its day.
  static std::string SumOf(const std::string& table) {
    return "select d, sum(n) as n from {{ ref('" + table + "') }} where {{ window('" + table +
           "') }} group by 1\n";
  }

  // The sum of a day and the one before it.
  static std::string TwoDaysOf(const std::string& table) {
    return "with x as (select distinct d from {{ ref('" + table + "') }} where {{ interval('" +
           table + "') }}), r as (select d, n from {{ ref('" + table + "') }} where {{ window('" +
           table +
           "') }}) select x.d, cast(sum(r.n) as bigint) as n from x join r on r.d between x.d - 1 "
           "and x.d group by 1\n";
  }

  // The sum by month.
  static std::string MonthOf(const std::string& table) {
    return "select cast(date_trunc('month', d) as date) as d, sum(n) as n from {{ ref('" + table +
           "') }} where {{ window('" + table + "') }} group by 1\n";
  }

  // Rows of every day of January, of which nothing is recorded.
  void FillDays(const std::string& table) {
    Execute("insert into " + table +
            " select date '2026-01-01' + cast(i as integer), 1 from range(31) t(i)");
  }

  void Reopen() {
    journal_ = OpenSqliteJournal(project_.state_folder + "/journal.db", JournalAccess::kReadWrite);
    store_ = std::make_unique<BackfillStore>(journal_.get(), clock_.get(), "ana@test");
    engine_.project = &project_;
    engine_.store = store_.get();
    engine_.clock = clock_.get();
    engine_.open = [](const Connection& connection, Access access, bool) {
      return OpenDuckdb(connection.path, access);
    };
    engine_.actor = "ana@test";
    engine_.owner = "test/1/1";
    engine_.version = "0.1.0";
  }

  Result<PlanResult> MakePlan(const std::string& table, const std::string& selection,
                              bool skip_blocked = false) {
    PlanCommand command;
    command.table = table;
    command.selection.words = {selection};
    command.skip_blocked = skip_blocked;
    return PlanTable(engine_, command);
  }

  // "b restate 2026-01-10; c missing 2026-01-11" of a plan, or why there is none.
  std::string DownstreamOf(const std::string& table, const std::string& selection) {
    Result<PlanResult> plan = MakePlan(table, selection);
    if (!plan.ok()) return plan.error().id() + " " + plan.error().message();
    std::string text;
    for (const PlanDownstream& each : plan->downstream) {
      if (!text.empty()) text += "; ";
      text += each.table + " " + each.action + " " + each.keys;
    }
    return text;
  }

  // Plans and runs a table to its end.
  void Build(const std::string& table, const std::string& selection) {
    Result<PlanResult> plan = MakePlan(table, selection, true);
    ASSERT_TRUE(plan.ok()) << plan.error().id() << " " << plan.error().message();
    ASSERT_TRUE(plan->plan.has_value());
    ASSERT_TRUE(SavePlan(engine_, *plan).ok());
    RunRequest request;
    request.backfill = plan->plan->name;
    request.publish = true;
    request.override_proof = "the proof has tests of its own";
    request.skip_canary = "the canary has tests of its own";
    Result<RunResult> run = Runner(engine_).Run(request);
    ASSERT_TRUE(run.ok()) << run.error().id() << " " << run.error().message();
    ASSERT_EQ(run->end.outcome, RunOutcome::kDone)
        << (run->end.error ? run->end.error->id() + " " + run->end.error->message() : "");
  }

  // "ok", "stale: upstream" of one partition.
  std::string HealthOf(const std::string& table, const std::string& key) {
    SelectionArguments selection;
    selection.words = {key};
    Result<GapsResult> gaps = FindGaps(engine_, table, selection);
    if (!gaps.ok()) return gaps.error().id() + " " + gaps.error().message();
    return gaps->health.size() == 1 ? gaps->health[0].Text() : "not one partition";
  }

  Project project_;
  std::unique_ptr<Clock> clock_ = MakeSystemClock();
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<BackfillStore> store_;
  EngineContext engine_;
};

}  // namespace retrofill
