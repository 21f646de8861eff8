// The publish protocol of the publish document, 3 to 6, as every warehouse has to keep it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "backfill_rig.h"
#include "base/point.h"
#include "warehouse/bounds.h"

namespace retrofill {
namespace {

using testing::HasSubstr;

constexpr const char* kFive =
    "insert into daily select date '2026-01-01', 'eu', x from range(1, 6) t(x)";

std::string Days(int day, int rows) {
  return fmt::format(
      "select date '2026-01-{:02}' as day, 'eu' as region, x as amount from range({}) t(x)", day,
      rows);
}

TEST(PublishContract, OtherPartitionsStay) {  // T02
  Rig rig;
  rig.Run(kFive);
  Backfill backfill(rig, "plan_a", {rig.At(2)});
  const auto outcome = backfill.RunAll(Days(2, 3));
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  EXPECT_FALSE(outcome->already_published);
  EXPECT_EQ(rig.Read("select day, count(*) from daily group by 1 order by 1"),
            "2026-01-01|5;2026-01-02|3");
}

TEST(PublishContract, EmptyResultClearsThePartition) {  // T03, T05
  Rig rig;
  rig.Run("insert into daily values ('2026-01-17', 'eu', 1), ('2026-01-18', 'eu', 2)");
  Backfill backfill(rig, "plan_a", {rig.At(17)});
  const auto outcome = backfill.RunAll(Days(17, 0));
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  EXPECT_EQ(outcome->rows.at(0).rows, 0);
  EXPECT_EQ(outcome->rows.at(0).before_rows, 1);
  EXPECT_EQ(rig.Read("select amount from daily"), "2");
}

TEST(PublishContract, WindowLeavesTheRestAlone) {  // T04
  Rig rig;
  rig.Run("insert into daily select date '2026-01-01' + x::int, 'eu', 0 from range(5) t(x)");
  Backfill backfill(rig, "plan_a", {rig.At(1), rig.At(2), rig.At(3)});
  ASSERT_TRUE(backfill
                  .RunAll("select date '2026-01-01' + x::int as day, 'eu' as region, 9 as amount "
                          "from range(3) t(x)")
                  .ok());
  EXPECT_EQ(rig.Read("select amount from daily order by day"), "9;9;9;0;0");
}

TEST(PublishContract, SameDayTwiceIsReplacedNotAppended) {  // T01, T06
  Rig rig;
  rig.Run("insert into daily values ('2026-01-04', 'eu', 1), ('2026-01-04', 'eu', 2)");
  for (const char* plan : {"plan_a", "plan_b"}) {
    Backfill backfill(rig, plan, {rig.At(4)});
    const auto outcome = backfill.RunAll(Days(4, 2));
    ASSERT_TRUE(outcome.ok()) << outcome.error().message();
    ASSERT_TRUE(backfill.End().ok());
  }
  EXPECT_EQ(rig.Read("select count(*), sum(amount) from daily"), "2|1");
}

TEST(PublishContract, RowsWithoutTimeAreNeverTouched) {  // K06
  Rig rig;
  rig.Run(
      "insert into daily values (null, 'eu', 7), ('2026-01-01', 'eu', 1), ('2026-01-01', 'asia', "
      "8)");
  for (const char* plan : {"plan_a", "plan_b", "plan_c"}) {
    Backfill backfill(rig, plan, {rig.At(1)});
    ASSERT_TRUE(backfill.RunAll(Days(1, 10)).ok());
    ASSERT_TRUE(backfill.End().ok());
  }
  EXPECT_EQ(rig.Read("select count(*) from daily where day = '2026-01-01' and region = 'eu'"),
            "10");
  EXPECT_EQ(rig.Read("select amount from daily where day is null or region = 'asia' order by 1"),
            "7;8");
}

TEST(PublishContract, ListedNullValueIsAPartitionOfItsOwn) {
  Rig rig;
  rig.Run(
      "insert into daily values ('2026-01-01', null, 1), ('2026-01-01', 'eu', 2), ('2026-01-01', "
      "'us', 3)");
  Backfill backfill(rig, "plan_a", {rig.At(1, 2)});
  const auto outcome =
      backfill.RunAll("select date '2026-01-01' as day, null::varchar as region, 5 as amount");
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  EXPECT_EQ(rig.Read("select region, amount from daily order by amount"), "eu|2;us|3;-|5");
  Backfill undo = backfill.Undo("plan_b");
  ASSERT_TRUE(undo.Register().ok());
  ASSERT_TRUE(undo.Acquire().ok());
  ASSERT_TRUE(undo.Publish().ok());
  EXPECT_EQ(rig.Read("select region, amount from daily order by amount"), "-|1;eu|2;us|3");
}

TEST(PublishContract, SecondPublishOfAPlanFindsItsMarkers) {
  Rig rig;
  Backfill backfill(rig, "plan_a", {rig.At(1), rig.At(2)});
  const auto first = backfill.RunAll(Days(1, 3));
  ASSERT_TRUE(first.ok()) << first.error().message();
  const auto second = backfill.Publish();
  ASSERT_TRUE(second.ok()) << second.error().message();
  EXPECT_TRUE(second->already_published);
  EXPECT_EQ(second->rows.at(0).digest, first->rows.at(0).digest);
  EXPECT_EQ(rig.Read("select count(*) from daily"), "3");
  EXPECT_EQ(rig.Read("select count(*) from retrofill.ledger where kind = 'publish'"), "2");
}

TEST(PublishContract, PartOfAGroupMarkedIsForAPerson) {
  Rig rig;
  Backfill backfill(rig, "plan_a", {rig.At(1), rig.At(2)});
  ASSERT_TRUE(backfill.RunAll(Days(1, 3)).ok());
  rig.Run("delete from retrofill.ledger where kind = 'publish' and part like '20260102%'");
  EXPECT_EQ(backfill.Publish().error().id(), "R0402");
  EXPECT_EQ(rig.Read("select count(*) from daily"), "3");
}

TEST(PublishContract, CancelledPublishChangesNothing) {
  Rig rig;
  rig.Run(kFive);
  Backfill backfill(rig, "plan_a", {rig.At(1)});
  ASSERT_TRUE(backfill.Register().ok());
  ASSERT_TRUE(backfill.Acquire().ok());
  ASSERT_TRUE(backfill.Stage(Days(1, 6)).ok());
  const auto announce = [](const std::string&) -> Status {
    return Error(ErrorCode::kCancelled, "X0106", "asked to stop");
  };
  EXPECT_EQ(rig.session().Publish(backfill.group(), announce).error().code(),
            ErrorCode::kCancelled);
  EXPECT_EQ(rig.Read("select count(*) from daily"), "5");
}

TEST(PublishContract, MarkerSaysWhatWasAndWhatIs) {
  Rig rig;
  rig.Run(kFive);
  Backfill backfill(rig, "plan_a", {rig.At(1)});
  const auto outcome = backfill.RunAll(Days(1, 6));
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  const LedgerRow& row = outcome->rows.at(0);
  EXPECT_EQ(row.part, "20260101..20260102/region=eu");
  EXPECT_EQ(row.before_rows, 5);
  EXPECT_EQ(row.rows, 6);
  EXPECT_EQ(row.before_digest, FingerprintText(backfill.group().items[0].baseline));
  EXPECT_EQ(row.digest, FingerprintText(backfill.group().items[0].staged));
  EXPECT_EQ(row.epoch, 1);
  EXPECT_EQ(row.plan_no, 1);
  EXPECT_EQ(row.actor, "ann");
  EXPECT_EQ(row.written_at.size(), std::string("2026-01-01T00:00:00.000Z").size());
}

TEST(PublishContract, EqualContentWritesOnlyTheMarker) {
  Rig rig;
  rig.Run(kFive);
  Backfill backfill(rig, "plan_a", {rig.At(1)});
  const std::string before = rig.Read("select min(rowid), max(rowid) from daily");
  const auto outcome = backfill.RunAll(
      "select date '2026-01-01' as day, 'eu' as region, x as amount from range(1, 6) t(x)");
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  EXPECT_EQ(rig.Read("select min(rowid), max(rowid) from daily"), before);
  EXPECT_EQ(outcome->rows.at(0).digest, outcome->rows.at(0).before_digest);
}

TEST(PublishContract, PortableEqualityIsNoReasonNotToWrite) {
  Rig rig;
  rig.Run("insert into daily values ('2026-01-01', 'eu', 1), ('2026-01-01', 'eu', 5)");
  Backfill backfill(rig, "plan_a", {rig.At(1)});
  backfill.group().items[0].baseline.engine = "duckdb-1.5.5";
  const auto outcome =
      backfill.RunAll("select date '2026-01-01' as day, 'eu' as region, unnest([2, 4]) as amount");
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  EXPECT_EQ(rig.Read("select amount from daily order by 1"), "2;4");
}

TEST(PublishContract, ForeignChangesAreConflictsAndSurvive) {
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"insert into daily values ('2026-01-01', 'eu', 99)", "6|114"},
      {"update daily set amount = 50 where amount = 1", "5|64"},
      {"delete from daily where amount = 5", "4|10"}};
  for (const auto& [change, expected] : changes) {
    Rig rig;
    rig.Run(kFive);
    Backfill backfill(rig, "plan_a", {rig.At(1)});
    ASSERT_TRUE(backfill.Register().ok());
    ASSERT_TRUE(backfill.Acquire().ok());
    ASSERT_TRUE(backfill.Stage(Days(1, 6)).ok());
    rig.Run(change);
    const auto outcome = backfill.Publish();
    ASSERT_FALSE(outcome.ok()) << change;
    EXPECT_EQ(outcome.error().id(), "P0302");
    EXPECT_EQ(outcome.error().code(), ErrorCode::kConflict);
    EXPECT_THAT(outcome.error().message(), HasSubstr("2026-01-01/eu"));
    EXPECT_EQ(rig.Read("select count(*), sum(amount) from daily"), expected);
    EXPECT_EQ(rig.Read("select count(*) from retrofill.ledger where kind = 'publish'"), "0");
    EXPECT_EQ(rig.Read("select count(*) from information_schema.tables where table_schema = "
                       "'retrofill_backup'"),
              "0");
  }
}

TEST(PublishContract, ForeignChangesOfOtherPartitionsAreNoConflict) {
  Rig rig;
  rig.Run(kFive);
  Backfill backfill(rig, "plan_a", {rig.At(1)});
  rig.Run("insert into daily values ('2026-01-02', 'eu', 1), ('2026-01-01', 'us', 2)");
  ASSERT_TRUE(backfill.RunAll(Days(1, 6)).ok());
  EXPECT_EQ(rig.Read("select count(*) from daily"), "8");
}

TEST(PublishContract, AlteredTargetIsRefused) {
  Rig rig;
  rig.Run(kFive);
  Backfill backfill(rig, "plan_a", {rig.At(1)});
  ASSERT_TRUE(backfill.Register().ok());
  ASSERT_TRUE(backfill.Acquire().ok());
  ASSERT_TRUE(backfill.Stage(Days(1, 6)).ok());
  rig.Run("alter table daily add column note varchar");
  const auto outcome = backfill.Publish();
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().id(), "P0303");
  EXPECT_EQ(rig.Read("select count(*) from daily"), "5");
  rig.Run("drop table daily");
  EXPECT_EQ(backfill.Publish().error().id(), "P0303");
}

TEST(PublishContract, TakeOverFencesTheOlderEpoch) {
  Rig rig;
  rig.Run(kFive);
  Backfill zombie(rig, "plan_a", {rig.At(1)});
  ASSERT_TRUE(zombie.Register().ok());
  ASSERT_TRUE(zombie.Acquire().ok());
  ASSERT_TRUE(zombie.Stage(Days(1, 6)).ok());
  Backfill heir(rig, "plan_a", {rig.At(1)});
  ASSERT_TRUE(heir.Register().value().resumed);
  ASSERT_TRUE(heir.Acquire().ok());
  EXPECT_EQ(heir.group().items[0].epoch, zombie.group().items[0].epoch + 1);
  const auto outcome = zombie.Publish();
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().id(), "X0302");
  EXPECT_EQ(outcome.error().code(), ErrorCode::kConflict);
  EXPECT_EQ(rig.Read("select count(*) from daily"), "5");
  heir.group().items[0].unit = zombie.group().items[0].unit;  // the stage is adopted
  heir.group().items[0].staged = zombie.group().items[0].staged;
  ASSERT_TRUE(heir.Publish().ok());
  EXPECT_EQ(rig.Read("select count(*) from daily"), "6");
}

TEST(PublishContract, NewerPlanIsNeverOverwrittenByAnOlderOne) {
  Rig rig;
  rig.Run(kFive);
  Backfill older(rig, "plan_a", {rig.At(1)});
  ASSERT_TRUE(older.Register().ok());
  ASSERT_TRUE(older.Acquire().ok());
  ASSERT_TRUE(older.Stage(Days(1, 6)).ok());
  Backfill newer(rig, "plan_b", {rig.At(1)});
  ASSERT_TRUE(newer.RunAll(Days(1, 7)).ok());
  EXPECT_EQ(older.Publish().error().id(), "X0302");
  EXPECT_EQ(older.Acquire().error().id(), "X0302");
  EXPECT_EQ(rig.Read("select count(*) from daily"), "7");
}

TEST(PublishContract, RowsOfOtherUnitsAndEpochsAreNotPublished) {
  Rig rig;
  Backfill backfill(rig, "plan_a", {rig.At(1), rig.At(2)});
  ASSERT_TRUE(backfill.Register().ok());
  ASSERT_TRUE(backfill.Acquire().ok());
  const std::string both =
      "select date '2026-01-01' + x::int as day, 'eu' as region, {} as amount "
      "from range(2) t(x)";
  ASSERT_TRUE(backfill.Stage(fmt::format(fmt::runtime(both), 1), 1).ok());
  const PublishItem first = backfill.group().items[0];
  // The second day alone is built anew: its rows in the first unit must stay behind.
  ASSERT_TRUE(backfill.Stage(fmt::format(fmt::runtime(both), 2) + " where x = 1", 2).ok());
  backfill.group().items[0] = first;
  const auto outcome = backfill.Publish();
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  EXPECT_EQ(rig.Read("select amount from daily order by day"), "1;2");
}

TEST(PublishContract, StageThatChangedIsNotPublished) {
  Rig rig;
  rig.Run(kFive);
  Backfill backfill(rig, "plan_a", {rig.At(1)});
  ASSERT_TRUE(backfill.Register().ok());
  ASSERT_TRUE(backfill.Acquire().ok());
  ASSERT_TRUE(backfill.Stage(Days(1, 6)).ok());
  rig.Run("update retrofill_stage." + backfill.stage().table + " set amount = 77 where amount = 3");
  auto outcome = backfill.Publish();
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().id(), "R0301");
  EXPECT_THAT(outcome.error().message(), HasSubstr("`amount`"));
  rig.Run("delete from retrofill_stage." + backfill.stage().table + " where amount = 77");
  EXPECT_EQ(backfill.Publish().error().id(), "R0301");
  EXPECT_EQ(rig.Read("select count(*), sum(amount) from daily"), "5|15");
}

TEST(PublishContract, UniqueKeyAcrossPartitionsFailsAsAWhole) {
  Rig rig("create table daily (day date, region varchar, amount bigint unique)");
  rig.Run("insert into daily values ('2026-01-01', 'eu', 1), ('2026-01-02', 'eu', 2)");
  Backfill backfill(rig, "plan_a", {rig.At(1)});
  const auto outcome =
      backfill.RunAll("select date '2026-01-01' as day, 'eu' as region, 2 as amount");
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code(), ErrorCode::kFailed);
  EXPECT_EQ(rig.Read("select amount from daily order by 1"), "1;2");
}

TEST(PublishContract, ReplacedRowsMayKeepTheirKeys) {
  Rig rig("create table daily (day date, region varchar, amount bigint primary key)");
  rig.Run("insert into daily values ('2026-01-01', 'eu', 1), ('2026-01-01', 'eu', 2)");
  Backfill backfill(rig, "plan_a", {rig.At(1)});
  const auto outcome = backfill.RunAll(
      "select date '2026-01-01' as day, 'eu' as region, x as amount from range(1, 4) t(x)");
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  EXPECT_EQ(rig.Read("select amount from daily order by 1"), "1;2;3");
}

TEST(PublishContract, MissingTableIsMadeInTheSameTransaction) {
  Rig rig;
  Backfill backfill(rig, "plan_a", {rig.At(1)});
  rig.Run("drop table daily");
  backfill.group().create_target = true;
  const auto announce = [](const std::string&) -> Status {
    return Fail(ErrorCode::kUnavailable, "W0201", "the journal is full");
  };
  ASSERT_TRUE(backfill.Register().ok());
  ASSERT_TRUE(backfill.Acquire().ok());
  ASSERT_TRUE(rig.session().CreateStage(backfill.stage()).ok());
  ASSERT_TRUE(rig.session().FillStage(backfill.stage(), {.unit = 1, .epoch = 1}, Days(1, 3)).ok());
  rig.Run("create temp table shape (day date, region varchar, amount bigint)");
  backfill.group().items[0].unit = {.unit = 1, .epoch = 1};
  auto prints = rig.session().TakeFingerprints({.side = backfill.group().rows,
                                                .space = &rig.space(),
                                                .set = PartitionSet::Of(rig.space(), {rig.At(1)}),
                                                .shape = backfill.group().shape,
                                                .grain = {},
                                                .left_out = {},
                                                .about = "main.daily"});
  ASSERT_TRUE(prints.ok()) << prints.error().message();
  backfill.group().items[0].staged = prints->partitions.at(rig.At(1));
  backfill.group().items[0].baseline = Fingerprint();
  ASSERT_FALSE(rig.session().Publish(backfill.group(), announce).ok());
  EXPECT_FALSE(rig.session().Describe(backfill.group().live).value().has_value());
  const auto outcome = backfill.Publish();
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  EXPECT_EQ(rig.Read("select count(*) from daily"), "3");
  Backfill undo = backfill.Undo("plan_b");
  ASSERT_TRUE(undo.Register().ok());
  ASSERT_TRUE(undo.Acquire().ok());
  const auto undone = undo.Publish();
  ASSERT_TRUE(undone.ok()) << undone.error().message();
  EXPECT_EQ(rig.Read("select count(*) from daily"), "0");
}

TEST(PublishContract, ErrorAtAnyPointBeforeTheCommitChangesNothing) {
  for (const char* point : {"begun", "fenced", "deleted", "inserted", "marked", "announced"}) {
    Rig rig;
    rig.Run(kFive);
    Backfill backfill(rig, "plan_a", {rig.At(1)});
    ASSERT_TRUE(backfill.Register().ok());
    ASSERT_TRUE(backfill.Acquire().ok());
    ASSERT_TRUE(backfill.Stage(Days(1, 6)).ok());
    ASSERT_TRUE(ArmPoints(fmt::format("fail:warehouse.{}=kFailed/X0207", point), "").ok());
    const auto broken = backfill.Publish();
    DisarmPoints();
    ASSERT_FALSE(broken.ok()) << point;
    EXPECT_EQ(rig.Read("select count(*) from daily"), "5") << point;
    EXPECT_EQ(rig.Read("select count(*) from retrofill.ledger where kind = 'publish'"), "0");
    ASSERT_TRUE(backfill.Publish().ok()) << point;
    EXPECT_EQ(rig.Read("select count(*) from daily"), "6") << point;
  }
}

TEST(PublishContract, LostAnswerIsResolvedByBumpThenRead) {
  Rig rig;
  rig.Run(kFive);
  Backfill backfill(rig, "plan_a", {rig.At(1)});
  ASSERT_TRUE(backfill.Register().ok());
  ASSERT_TRUE(backfill.Acquire().ok());
  ASSERT_TRUE(backfill.Stage(Days(1, 6)).ok());
  ASSERT_TRUE(ArmPoints("fail:warehouse.commit_sent=kIndeterminate/X0303", "").ok());
  const auto lost = backfill.Publish();
  DisarmPoints();
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.error().code(), ErrorCode::kIndeterminate);
  ASSERT_TRUE(backfill.Acquire().ok());
  const auto rows =
      rig.session().ReadLedger({.target = "main.daily", .plan = "plan_a", .kind = "publish"});
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->size(), 1u);
  const auto again = backfill.Publish();
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->already_published);
  EXPECT_EQ(rig.Read("select count(*) from daily"), "6");
}

TEST(PublishContract, ReadersSeeOldOrNewRowsOnly) {  // T09
  Rig rig;
  rig.Run(kFive);
  std::atomic<bool> is_done = false;
  std::atomic<int> bad = 0;
  std::atomic<int> reads = 0;
  const auto reader_session = rig.NewSession();
  std::thread reader([&] {
    while (!is_done || reads < 3) {
      const auto rows = reader_session->connection().Query("select count(*) from daily");
      const std::string count = rows.ok() ? rows->rows[0][0].value_or("") : "error";
      if (count != "5" && count != "6") ++bad;
      ++reads;
    }
  });
  for (int i = 0; i < 20; ++i) {
    Backfill backfill(rig, fmt::format("plan_{}", i), {rig.At(1)});
    const auto outcome = backfill.RunAll(Days(1, i % 2 == 0 ? 6 : 5));
    EXPECT_TRUE(outcome.ok()) << outcome.error().message();
    EXPECT_TRUE(backfill.End().ok());
  }
  is_done = true;
  reader.join();
  EXPECT_EQ(bad, 0);
}

TEST(PublishContract, PublishersOfOneFileTakeTurns) {
  Rig rig;
  rig.Run(kFive);
  std::vector<std::unique_ptr<Backfill>> backfills;
  for (int day = 1; day <= 8; ++day) {
    auto backfill = std::make_unique<Backfill>(rig, fmt::format("plan_{}", day),
                                               std::vector<Partition>{rig.At(day)});
    ASSERT_TRUE(backfill->Register().ok());
    ASSERT_TRUE(backfill->Acquire().ok());
    ASSERT_TRUE(backfill->Stage(Days(day, 3)).ok());
    backfills.push_back(std::move(backfill));
  }
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (const auto& backfill : backfills) {
    threads.emplace_back([&rig, &failures, &backfill] {
      const auto session = rig.NewSession();
      if (!session->Publish(backfill->group(), nullptr).ok()) ++failures;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(rig.Read("select count(*) from daily"), "24");
}

// -- registration

TEST(RegisterContract, NumbersRiseAndRepeatsResume) {
  Rig rig;
  Backfill first(rig, "plan_a", {rig.At(1)});
  Backfill second(rig, "plan_b", {rig.At(2)});
  EXPECT_EQ(first.Register().value().plan_no, 1);
  EXPECT_EQ(second.Register().value().plan_no, 2);
  const Registration again = first.Register().value();
  EXPECT_TRUE(again.resumed);
  EXPECT_FALSE(again.ended);
  EXPECT_EQ(again.plan_no, 1);
  ASSERT_TRUE(first.End().ok());
  EXPECT_TRUE(first.Register().value().ended);
}

TEST(RegisterContract, OverlapIsRefusedInsideTheTransaction) {  // O07
  Rig rig;
  Backfill first(rig, "plan_a", {rig.At(1)});
  ASSERT_TRUE(first.Register().ok());
  RegisterRequest request{.target = "main.daily",
                          .plan = "plan_b",
                          .body = "{}",
                          .run = "r",
                          .actor = "ben",
                          .check = nullptr};
  std::vector<std::string> open;
  request.check = [&](const std::vector<RegisterRequest::Open>& plans) -> Status {
    for (const auto& plan : plans) open.push_back(plan.plan);
    if (plans.empty()) return Ok();
    return Fail(ErrorCode::kRefused, "P0304", "backfill {} owns common partitions", plans[0].plan);
  };
  EXPECT_EQ(rig.session().Register(request).error().id(), "P0304");
  EXPECT_EQ(open, std::vector<std::string>{"plan_a"});
  EXPECT_EQ(rig.session()
                .ReadLedger({.target = "main.daily", .plan = "plan_b", .kind = std::nullopt})
                ->size(),
            0u);
  ASSERT_TRUE(first.End("cancelled").ok());
  const auto registered = rig.session().Register(request);
  ASSERT_TRUE(registered.ok()) << registered.error().message();
  EXPECT_EQ(registered->plan_no, 2);
}

TEST(RegisterContract, EndedPlanPublishesNothingMore) {
  Rig rig;
  rig.Run(kFive);
  Backfill backfill(rig, "plan_a", {rig.At(1)});
  ASSERT_TRUE(backfill.Register().ok());
  ASSERT_TRUE(backfill.Acquire().ok());
  ASSERT_TRUE(backfill.Stage(Days(1, 6)).ok());
  ASSERT_TRUE(backfill.End("cancelled").ok());
  ASSERT_TRUE(backfill.End("cancelled").ok());
  EXPECT_EQ(backfill.Publish().error().id(), "X0302");
  EXPECT_EQ(backfill.Acquire().error().id(), "X0302");
  EXPECT_EQ(rig.Read("select count(*) from daily"), "5");
  EXPECT_EQ(rig.Read("select body from retrofill.ledger where kind = 'end'"),
            "{\"outcome\":\"cancelled\"}");
}

TEST(RegisterContract, EndOfAnOlderPlanDoesNotFenceItsHeir) {
  Rig rig;
  Backfill older(rig, "plan_a", {rig.At(1)});
  ASSERT_TRUE(older.Register().ok());
  ASSERT_TRUE(older.Acquire().ok());
  Backfill newer(rig, "plan_b", {rig.At(1)});
  ASSERT_TRUE(newer.Register().ok());
  ASSERT_TRUE(newer.Acquire().ok());
  ASSERT_TRUE(newer.Stage(Days(1, 2)).ok());
  ASSERT_TRUE(older.End().ok());
  EXPECT_TRUE(newer.Publish().ok());
}

TEST(AcquireContract, KnownEpochsAreNeverHandedOutAgain) {
  Rig rig;
  Backfill backfill(rig, "plan_a", {rig.At(1)});
  ASSERT_TRUE(backfill.Register().ok());
  AcquireRequest request{
      .target = "main.daily", .plan = "plan_a", .plan_no = 1, .parts = {"a", "b"}, .known = {0, 7}};
  EXPECT_EQ(rig.session().Acquire(request).value(), (std::vector<int64_t>{1, 8}));
  request.known = {5, 0};
  EXPECT_EQ(rig.session().Acquire(request).value(), (std::vector<int64_t>{6, 9}));
}

// -- layout and ledger

TEST(LayoutContract, NewerLayoutIsRefused) {
  Rig rig;
  EXPECT_TRUE(rig.session().HasLayout().value());
  rig.Run(
      "update retrofill.ledger set body = '{\"layout\":2,\"identity\":\"x\"}' where kind = "
      "'schema'");
  rig.Reopen();
  EXPECT_EQ(rig.session().HasLayout().error().id(), "W0107");
  EXPECT_EQ(rig.session().PrepareTarget().error().id(), "W0107");
}

TEST(LayoutContract, IdentityIsMadeOnceAndDiffers) {
  Rig one;
  Rig other;
  const std::string sql = "select body from retrofill.ledger where kind = 'schema'";
  const std::string identity = one.Read(sql);
  ASSERT_TRUE(one.session().PrepareTarget().ok());
  EXPECT_EQ(one.Read(sql), identity);
  EXPECT_NE(other.Read(sql), identity);
}

TEST(LedgerContract, LatestRowOfEachPartitionIsTheNewestPlans) {
  Rig rig;
  for (const char* plan : {"plan_a", "plan_b"}) {
    Backfill backfill(rig, plan, {rig.At(1)});
    ASSERT_TRUE(backfill.RunAll(Days(1, 3)).ok());
    ASSERT_TRUE(backfill.End().ok());
  }
  Backfill third(rig, "plan_c", {rig.At(2)});
  ASSERT_TRUE(third.RunAll(Days(2, 1)).ok());
  const auto rows = rig.session().ReadLedger(
      {.target = "main.daily", .plan = std::nullopt, .kind = std::nullopt, .latest_only = true});
  ASSERT_TRUE(rows.ok()) << rows.error().message();
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ(rows->at(0).plan, "plan_b");
  EXPECT_EQ(rows->at(1).plan, "plan_c");
}

}  // namespace
}  // namespace retrofill
