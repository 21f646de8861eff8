// Registrations and their numbers, fences, the layout and the ledger of a target.

#include <gtest/gtest.h>

#include "backfill_rig.h"

namespace retrofill {
namespace {

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
