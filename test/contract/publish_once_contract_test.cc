// A publish takes effect once, as a whole or not at all, whatever breaks and whoever looks on.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "backfill_rig.h"
#include "base/point.h"

namespace retrofill {
namespace {

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

}  // namespace
}  // namespace retrofill
