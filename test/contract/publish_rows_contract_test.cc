// Which rows a publish replaces, and what it leaves alone.

#include <gtest/gtest.h>

#include "backfill_rig.h"

namespace retrofill {
namespace {

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

}  // namespace
}  // namespace retrofill
