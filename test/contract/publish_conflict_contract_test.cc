// What a publish never overwrites: changes of others, newer plans, and a stage that is not its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backfill_rig.h"

namespace retrofill {
namespace {

using testing::HasSubstr;

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

}  // namespace
}  // namespace retrofill
