// The whole life of a backfill on a real DuckDB file and a real journal, without the command line.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "engine/canary_operation.h"
#include "engine/clean_operation.h"
#include "engine/control_operation.h"
#include "engine/database_folder_test.h"
#include "engine/gaps_operation.h"
#include "engine/inspect_operation.h"
#include "engine/plan_operation.h"
#include "engine/run_operation.h"
#include "engine/undo_operation.h"
#include "journal/sqlite_journal.h"
#include "warehouse/duckdb_warehouse.h"

namespace retrofill {
namespace {

constexpr char kSql[] =
    "select cast(ordered_at as date) as order_date, product_id, count(*) as orders, sum(amount) as "
    "revenue\n"
    "from {{ source('main.orders') }} where {{ window('main.orders') }} group by 1, 2\n";

// A project with one table of daily revenue over orders of January 2026, made in an empty folder.
class Life : public DatabaseFolder {
 protected:
  void SetUp() override {
    DatabaseFolder::SetUp();
    ASSERT_TRUE(MakeFolders(folder_ + "/sql").ok());
    ASSERT_TRUE(WriteFileAtomically(folder_ + "/sql/revenue.sql", kSql).ok());
    Execute(
        "create table orders (ordered_at timestamp, product_id integer, amount decimal(18,2));"
        "insert into orders select timestamp '2026-01-01' + to_minutes(cast(i * 37 % 14400 as "
        "integer)), cast(i % 7 as integer), cast(i % 100 as decimal(18,2)) / 4 "
        "from range(5000) t(i);"
        "create table revenue (order_date date, product_id integer, orders bigint, revenue "
        "decimal(38,2))");
    MakeProject();
    Reopen();
  }

  void MakeProject() {
    project_.folder = folder_;
    project_.state_folder = folder_ + "/.retrofill";
    project_.as_of = *ParseInstant("2026-02-01T00:00:00Z");
    project_.connections["warehouse"] = {
        .name = "warehouse", .type = "duckdb", .path = Path(), .origin = {}};
    Source source;
    source.name = "main.orders";
    source.connection = "warehouse";
    source.relation = "main.orders";
    source.event_time = "ordered_at";
    project_.sources["main.orders"] = source;
    Table table;
    table.name = "revenue";
    table.connection = "warehouse";
    table.relation = "main.revenue";
    PartitionSpec spec;
    spec.by = "day";
    spec.column = "order_date";
    spec.begin = "2026-01-01";
    table.partition = spec;
    table.grain = {"order_date", "product_id"};
    table.inputs = {
        {.source = "main.orders", .table = "", .before = {}, .after = {}, .origin = {}}};
    table.sql_file = "sql/revenue.sql";
    table.pool = "default@warehouse";
    Rule rule;
    rule.kind = RuleKind::kSum;
    rule.name = "revenue";
    rule.source = "sum(amount)";
    rule.target = "sum(revenue)";
    table.rules = {rule};
    project_.tables["revenue"] = table;
  }

  // A new process, as far as the engine can tell.
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

  std::string Digest() {
    return Value(
        "select count(*) || ' ' || coalesce(sum(hash(order_date, product_id, orders, revenue)), 0) "
        "from revenue");
  }

  std::string Plan(const std::string& name, const std::string& selection) {
    PlanCommand command;
    command.table = "revenue";
    command.selection.words = {selection};
    command.name = name;
    Result<PlanResult> plan = PlanTable(engine_, command);
    EXPECT_TRUE(plan.ok()) << plan.error().message();
    if (!plan.ok() || !plan->plan) return "nothing";
    Status saved = SavePlan(engine_, *plan);
    EXPECT_TRUE(saved.ok()) << saved.error().message();
    return SetText(plan->plan->ToCompute(), *plan->plan->space, 5);
  }

  Result<RunResult> Run(const std::string& name) {
    RunRequest request;
    request.backfill = name;
    request.publish = true;
    request.override_proof = "the proof has tests of its own";
    int64_t last = 0;
    request.on_events = [&](const std::vector<Event>& events, const BackfillState& state) {
      for (const Event& event : events) EXPECT_GT(event.seq, std::exchange(last, event.seq));
      EXPECT_EQ(state.last_seq, last);
    };
    Runner runner(engine_);
    return runner.Run(request);
  }

  void RunToDone(const std::string& name) {
    Result<RunResult> run = Run(name);
    ASSERT_TRUE(run.ok()) << run.error().id() << " " << run.error().message();
    ASSERT_EQ(run->end.outcome, RunOutcome::kDone)
        << (run->end.error ? run->end.error->message() : "");
  }

  // The transform with another date, another condition and another amount.
  void WriteSql(const std::string& date, const std::string& having,
                const std::string& amount = "amount", bool window = false) {
    std::string sum = window ? "(case when bool_or(ordered_at = timestamp '2026-01-02 10:00:00') "
                               "then 0 else 1 end) * sum(amount)"
                             : "sum(" + amount + ")";
    std::string sql = "select " + date + " as order_date, product_id, count(*) as orders, " + sum +
                      " as revenue\nfrom {{ source('main.orders') }} where {{ "
                      "window('main.orders') }} group by 1, 2 " +
                      having + "\n";
    ASSERT_TRUE(WriteFileAtomically(folder_ + "/sql/revenue.sql", sql).ok());
  }

  // What stops the run of a backfill whose canary is skipped.
  std::string FailureOf(const std::string& name) {
    RunRequest request;
    request.backfill = name;
    request.publish = true;
    request.override_proof = "the proof has tests of its own";
    request.skip_canary = "the run is to see it";
    project_.tables["revenue"].attempts.max = 1;
    project_.tables["revenue"].max_failed.count = 100;
    Result<RunResult> run = Runner(engine_).Run(request);
    if (!run.ok()) return run.error().id();
    return run->end.error ? run->end.error->id() : "none";
  }

  static bool HasBad(const std::vector<CheckResult>& checks, const std::string& id) {
    return std::any_of(checks.begin(), checks.end(), [&](const CheckResult& check) {
      return check.id == id && check.verdict != Verdict::kOk;
    });
  }

  Project project_;
  std::unique_ptr<Clock> clock_ = MakeSystemClock();
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<BackfillStore> store_;
  EngineContext engine_;
};

TEST_F(Life, PlansRunsVerifiesAndIsDone) {
  EXPECT_EQ(Plan("first", "2026-01-01..2026-01-10"), "2026-01-01..2026-01-10");
  RunToDone("first");
  EXPECT_EQ(Value("select sum(orders) from revenue"), "5000");
  EXPECT_EQ(Value("select count(distinct order_date) from revenue"), "10");
  Result<VerifyResult> verified = VerifyBackfill(engine_, "first");
  ASSERT_TRUE(verified.ok()) << verified.error().message();
  EXPECT_TRUE(verified->ok);
  EXPECT_EQ(
      Value(
          "select count(*) from information_schema.tables where table_schema = 'retrofill_stage'"),
      "0");
}

TEST_F(Life, PlanningAgainHasNothingToDo) {
  Plan("first", "2026-01-01..2026-01-10");
  RunToDone("first");
  EXPECT_EQ(Plan("again", "2026-01-01..2026-01-10"), "nothing");
}

TEST_F(Life, UndoRestoresEveryRowAndCanItselfBeUndone) {
  Execute("insert into revenue values ('2026-01-03', 1, 99, 9.99), ('2026-02-20', 1, 1, 1)");
  std::string before = Digest();
  Plan("first", "2026-01-01..2026-01-10");
  RunToDone("first");
  std::string after = Digest();
  EXPECT_NE(before, after);
  Result<UndoPlan> undo = PlanUndo(engine_, "first", {}, "a test");
  ASSERT_TRUE(undo.ok()) << undo.error().message();
  ASSERT_TRUE(SaveUndo(engine_, *undo).ok());
  RunToDone("first-u1");
  EXPECT_EQ(Digest(), before);
  EXPECT_EQ(store_->Load("first")->phase, BackfillPhase::kUndone);
  Result<UndoPlan> again = PlanUndo(engine_, "first-u1", {}, "a test");
  ASSERT_TRUE(again.ok()) << again.error().message();
  ASSERT_TRUE(SaveUndo(engine_, *again).ok());
  RunToDone(again->plan.plan->name);
  EXPECT_EQ(again->plan.plan->name, "first-u2");
  EXPECT_EQ(Digest(), after);
}

TEST_F(Life, ARowThatChangedSinceThePlanIsNeverOverwritten) {
  Plan("first", "2026-01-01..2026-01-10");
  Execute("insert into revenue values ('2026-01-05', 1, 99, 9.99)");
  Result<RunResult> run = Run("first");
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_EQ(run->end.outcome, RunOutcome::kAttention);
  ASSERT_TRUE(run->end.error.has_value());
  EXPECT_EQ(run->end.error->id(), "P0302");
  EXPECT_EQ(Value("select count(*) from revenue"), "1");
}

TEST_F(Life, OneFailingPartitionNamesItselfAndStopsThePublish) {
  // 2026-01-03 has an order twice in the result: the rule sees it.
  ASSERT_TRUE(
      WriteFileAtomically(
          folder_ + "/sql/revenue.sql",
          "select cast(ordered_at as date) as order_date, product_id, count(*) as orders,\n"
          "  sum(case when cast(ordered_at as date) = date '2026-01-03' then 2 else 1 end * "
          "amount) as revenue\n"
          "from {{ source('main.orders') }} where {{ window('main.orders') }} group by 1, 2\n")
          .ok());
  Plan("first", "2026-01-01..2026-01-05");
  RunRequest request;
  request.backfill = "first";
  request.publish = true;
  request.override_proof = "the proof has tests of its own";
  request.skip_canary = "the canary would see it";
  Result<RunResult> run = Runner(engine_).Run(request);
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_EQ(run->end.outcome, RunOutcome::kAttention);
  EXPECT_EQ(run->end.error->id(), "R0301");
  EXPECT_NE(run->end.error->message().find("4/5"), std::string::npos) << run->end.error->message();
  EXPECT_NE(run->end.error->message().find("2026-01-03"), std::string::npos);
  EXPECT_EQ(Value("select count(*) from revenue"), "0");
  ASSERT_TRUE(CancelBackfill(engine_, "first", "a test").ok());
  EXPECT_EQ(store_->Load("first")->phase, BackfillPhase::kCancelled);
}

TEST_F(Life, TwoPlansOnCommonPartitionsAreNotRunTogether) {
  Plan("first", "2026-01-01..2026-01-05");
  Plan("second", "2026-01-05..2026-01-06");
  RunRequest request;
  request.backfill = "first";
  request.no_publish = true;
  request.override_proof = "the proof has tests of its own";
  Result<RunResult> first = Runner(engine_).Run(request);
  ASSERT_TRUE(first.ok()) << first.error().message();
  EXPECT_EQ(first->end.outcome, RunOutcome::kVerified);
  Result<RunResult> second = Run("second");
  ASSERT_TRUE(second.ok()) << second.error().message();
  EXPECT_EQ(second->end.error->id(), "P0304");
  EXPECT_NE(second->end.error->message().find("2026-01-05"), std::string::npos);
  Reopen();
  RunToDone("first");
}

TEST_F(Life, RowsOutsideTheIntervalFailTheUnitAndChangeNothing) {
  WriteSql("cast(ordered_at as date) + 1", "");
  Plan("first", "2026-01-01..2026-01-03");
  EXPECT_EQ(FailureOf("first"), "X0210");
  EXPECT_EQ(Value("select count(*) from revenue"), "0");
}

TEST_F(Life, RowsWithoutADateFailTheUnit) {
  WriteSql("case when product_id = 3 then null else cast(ordered_at as date) end", "");
  Plan("first", "2026-01-01..2026-01-03");
  EXPECT_EQ(FailureOf("first"), "X0212");
}

TEST_F(Life, AnExpiredPartitionIsNamedAndKeepsItsRows) {
  project_.sources["main.orders"].retention_days = 28;
  Execute("insert into revenue values ('2026-01-02', 1, 99, 9.99)");
  PlanCommand command;
  command.table = "revenue";
  command.selection.words = {"2026-01-01..2026-01-10"};
  command.name = "first";
  command.skip_blocked = true;
  Result<PlanResult> plan = PlanTable(engine_, command);
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  ASSERT_FALSE(plan->warnings.empty());
  EXPECT_EQ(plan->warnings[0].id, "P0210");
  ASSERT_TRUE(SavePlan(engine_, *plan).ok());
  RunToDone("first");
  EXPECT_EQ(Value("select max(orders) from revenue where order_date = '2026-01-02'"), "99");
  EXPECT_EQ(Value("select count(distinct order_date) from revenue"), "8");
}

TEST_F(Life, ARowChangedOutsideTheRangeIsFoundByVerify) {
  Execute("insert into revenue values ('2026-02-20', 1, 1, 1)");
  Plan("first", "2026-01-01..2026-01-03");
  RunToDone("first");
  ASSERT_TRUE(VerifyBackfill(engine_, "first")->ok);
  Execute("update revenue set orders = 2 where order_date = '2026-02-20'");
  Result<VerifyResult> verified = VerifyBackfill(engine_, "first");
  ASSERT_TRUE(verified.ok()) << verified.error().message();
  EXPECT_FALSE(verified->ok);
  EXPECT_TRUE(HasBad(verified->checks, "R0401"));
}

TEST_F(Life, ARowMovedToNoDateAndOneAddedYearsAwayAreFound) {
  Plan("first", "2026-01-01..2026-01-03");
  RunToDone("first");
  Execute("insert into revenue values (null, 1, 1, 1)");
  EXPECT_TRUE(HasBad(VerifyBackfill(engine_, "first")->checks, "R0401"));
  Execute("delete from revenue where order_date is null");
  ASSERT_TRUE(VerifyBackfill(engine_, "first")->ok);
  Execute("insert into revenue values ('2031-02-20', 1, 1, 1)");
  EXPECT_TRUE(HasBad(VerifyBackfill(engine_, "first")->checks, "R0401"));
}

TEST_F(Life, APublishedRowThatChangedAgainIsFoundAndNotUndone) {
  Plan("first", "2026-01-01..2026-01-03");
  RunToDone("first");
  Execute("update revenue set orders = 0 where order_date = '2026-01-02'");
  EXPECT_TRUE(HasBad(VerifyBackfill(engine_, "first")->checks, "X0304"));
  Result<UndoPlan> undo = PlanUndo(engine_, "first", {}, "a test");
  ASSERT_FALSE(undo.ok());
  EXPECT_EQ(undo.error().id(), "X0304");
  EXPECT_NE(undo.error().message().find("2026-01-02"), std::string::npos);
}

TEST_F(Life, AChangedGrainStopsAnOldPlan) {
  Plan("first", "2026-01-01..2026-01-03");
  project_.tables["revenue"].partition->by = "month";
  project_.tables["revenue"].partition->begin = "2026-01";
  Result<RunResult> run = Run("first");
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().id(), "P0307");
}

TEST_F(Life, AnOldPlanIsRefused) {
  Plan("first", "2026-01-01..2026-01-03");
  auto later = MakeFixedClock(clock_->Now() + absl::Hours(24 * 29));
  clock_ = std::move(later);
  Reopen();
  Result<RunResult> run = Run("first");
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().id(), "P0306");
}

TEST_F(Life, AnEditedTransformIsRefusedUnlessThePinnedCodeIsAskedFor) {
  Plan("first", "2026-01-01..2026-01-03");
  WriteSql("cast(ordered_at as date)", "having count(*) > 1");
  Result<RunResult> run = Run("first");
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().id(), "P0301");
  RunRequest request;
  request.backfill = "first";
  request.publish = true;
  request.override_proof = "the proof has tests of its own";
  request.allow_stale = "the edit is for the next plan";
  ASSERT_TRUE(Runner(engine_).Run(request).ok());
  EXPECT_EQ(store_->Load("first")->phase, BackfillPhase::kDone);
}

TEST_F(Life, TheStopFilePausesAndResumeContinues) {
  Plan("first", "2026-01-01..2026-01-03");
  ASSERT_TRUE(WriteFileAtomically(engine_.StopFile(), "").ok());
  Result<RunResult> run = Run("first");
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_EQ(run->end.outcome, RunOutcome::kPaused);
  EXPECT_NE(run->state.pause_reason.find("X0103"), std::string::npos);
  ASSERT_TRUE(RemoveFile(engine_.StopFile()).ok());
  RunToDone("first");
}

TEST_F(Life, TooManyFailuresStopTheRest) {
  project_.tables["revenue"].max_failed.count = 0;
  project_.tables["revenue"].batch = 1;
  WriteSql("cast(ordered_at as date)", "",
           "case when cast(ordered_at as date) = date '2026-01-01' then 2 else 1 end * amount");
  Plan("first", "2026-01-01..2026-01-05");
  RunRequest request;
  request.backfill = "first";
  request.publish = true;
  request.override_proof = "the proof has tests of its own";
  request.skip_canary = "the canary would see it";
  Result<RunResult> run = Runner(engine_).Run(request);
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_EQ(run->end.error->id(), "X0102");
  EXPECT_EQ(run->state.Counts().waiting, 4);
}

TEST_F(Life, RetryRunsOnlyWhatFailed) {
  project_.tables["revenue"].batch = 1;
  Execute(
      "insert into orders values (timestamp '2026-01-02 10:00:00', 1, 1), (timestamp '2026-01-02 "
      "10:00:00', 1, 1)");
  project_.tables["revenue"].attempts.max = 1;
  WriteSql("cast(ordered_at as date)", "", "amount", true);
  Plan("first", "2026-01-01..2026-01-03");
  RunRequest request;
  request.backfill = "first";
  request.publish = true;
  request.override_proof = "the proof has tests of its own";
  request.skip_canary = "the canary would see it";
  ASSERT_EQ(Runner(engine_).Run(request)->end.outcome, RunOutcome::kAttention);
  Execute("delete from orders where ordered_at = timestamp '2026-01-02 10:00:00'");
  const Result<RetryChoice> choice = ChooseRetry(engine_, "first", {});
  ASSERT_TRUE(choice.ok());
  ASSERT_EQ(choice->parts.size(), 1U);
  ASSERT_TRUE(RetryPartitions(engine_, "first", *choice).ok());
  RunToDone("first");
}

TEST_F(Life, PerPartitionModePublishesAsItGoesAndIsDone) {
  project_.tables["revenue"].publish = PublishMode::kPerPartition;
  project_.tables["revenue"].batch = 1;
  Plan("first", "2026-01-01..2026-01-04");
  RunToDone("first");
  EXPECT_EQ(Value("select count(distinct order_date) from revenue"), "4");
  EXPECT_EQ(Value("select count(*) from retrofill.ledger where kind = 'publish'"), "4");
}

TEST_F(Life, ManualModeEndsVerifiedUntilSomebodyPublishes) {
  project_.tables["revenue"].publish = PublishMode::kManual;
  Plan("first", "2026-01-01..2026-01-04");
  RunRequest request;
  request.backfill = "first";
  request.override_proof = "the proof has tests of its own";
  Result<RunResult> run = Runner(engine_).Run(request);
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_EQ(run->end.outcome, RunOutcome::kVerified);
  EXPECT_EQ(Value("select count(*) from revenue"), "0");
  RunToDone("first");
}

TEST_F(Life, VerifyEvaluatesTheRulesAnew) {
  Plan("first", "2026-01-01..2026-01-03");
  RunToDone("first");
  Execute("delete from orders where cast(ordered_at as date) = date '2026-01-02'");
  Result<VerifyResult> verified = VerifyBackfill(engine_, "first");
  ASSERT_TRUE(verified.ok()) << verified.error().message();
  EXPECT_TRUE(HasBad(verified->checks, "R0301"));
}

TEST_F(Life, AChangedSourceColumnStopsAnOldPlan) {
  Plan("first", "2026-01-01..2026-01-03");
  Execute("alter table orders alter amount type double");
  Result<RunResult> run = Run("first");
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().id(), "P0303");
  Execute("alter table orders drop column amount");
  EXPECT_EQ(Run("first").error().id(), "P0303");
}

TEST_F(Life, ABackfillThatIsDoneOwnsNothing) {
  Plan("first", "2026-01-01..2026-01-03");
  RunToDone("first");
  EXPECT_EQ(Value("select count(*) from retrofill.ledger where kind = 'end'"), "1");
  std::vector<Event> events = *store_->Events("first", 0);
  EXPECT_TRUE(std::holds_alternative<BackfillDone>(events.back().body));
}

}  // namespace
}  // namespace retrofill
