// Why partitions are not right, on a real DuckDB file.

#include "engine/health.h"

#include "engine/chain_folder_test.h"

namespace retrofill {
namespace {

class HealthOfAChain : public ChainFolder {
 protected:
  void SetUp() override {
    ChainFolder::SetUp();
    AddTable("b", "day", "2026-01-01", SumOf("a"), {Reads("a")});
    AddTable("c", "day", "2026-01-01", TwoDaysOf("b"), {Reads("b", "", Days(1))});
    for (const std::string table : {"a", "b", "c"}) Build(table, "2026-01-08..2026-01-14");
  }
};

TEST_F(HealthOfAChain, AnUpstreamPublishMakesWhatReadsItStaleTableByTable) {
  Execute("insert into orders values (timestamp '2026-01-10 10:00:00')");
  EXPECT_EQ(HealthOf("a", "2026-01-10"), "stale: source");
  EXPECT_EQ(HealthOf("b", "2026-01-10"), "ok");
  Build("a", "2026-01-10");
  EXPECT_EQ(HealthOf("b", "2026-01-10"), "stale: upstream");
  EXPECT_EQ(HealthOf("b", "2026-01-11"), "ok");
  EXPECT_EQ(HealthOf("c", "2026-01-10"), "ok");
  Result<PlanResult> plan = MakePlan("b", "2026-01-10..2026-01-11");
  ASSERT_TRUE(plan.ok() && plan->plan);
  EXPECT_EQ(plan->plan->runs.front().why, "stale:upstream");
  Build("b", "2026-01-10");
  EXPECT_EQ(HealthOf("b", "2026-01-10"), "ok");
  EXPECT_EQ(HealthOf("c", "2026-01-10"), "stale: upstream");
  EXPECT_EQ(HealthOf("c", "2026-01-11"), "stale: upstream");
  EXPECT_EQ(HealthOf("c", "2026-01-12"), "ok");
  Build("c", "2026-01-10..2026-01-11");
  EXPECT_EQ(HealthOf("c", "2026-01-11"), "ok");
}

TEST_F(HealthOfAChain, EqualRowsPublishedAgainMakeNothingStale) {
  WriteSql("a", std::string(kDays) + " having count(*) > 0\n");
  EXPECT_EQ(HealthOf("a", "2026-01-10"), "stale: code");
  Build("a", "2026-01-10");
  EXPECT_EQ(HealthOf("a", "2026-01-10"), "ok");
  EXPECT_EQ(HealthOf("b", "2026-01-10"), "ok");
}

TEST_F(HealthOfAChain, AllReasonsAreNamed) {
  Execute("insert into orders values (timestamp '2026-01-10 10:00:00')");
  Build("a", "2026-01-10");
  WriteSql("b", "select d, sum(n) as n from {{ ref('a') }} where {{ window('a') }} group by d\n");
  EXPECT_EQ(HealthOf("b", "2026-01-10"), "stale: code, upstream");
}

}  // namespace
}  // namespace retrofill
