#include "report/plan_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/sample_backfill_test.h"

namespace retrofill {
namespace {

using ::testing::HasSubstr;

TEST(PlanText, ActionsAddUpToTheSelection) {
  EXPECT_THAT(PlanText(SamplePlan()),
              HasSubstr("  ~ restate     4   stale: code, source changed   2026-01-03..2026-01-04\n"
                        "  + fill        2   2026-01-02: 0 rows in target\n"
                        "  ! blocked     2   2026-01-01: expired\n"
                        "              ---\n"
                        "                8   6 to compute\n"));
}

TEST(PlanText, HeadNamesPlanCodeRangeAndInstant) {
  const std::string text = PlanText(SamplePlan());
  EXPECT_THAT(text, HasSubstr("Plan      fin-812   9f3c1ad2"));
  EXPECT_THAT(text, HasSubstr("warehouse: duckdb 1.5.6, exactly-once\n"));
  EXPECT_THAT(text, HasSubstr("sql/revenue_daily.sql 1c77e0b4   windowed\n"));
  EXPECT_THAT(text, HasSubstr("Range     2026-01-01 .. 2026-01-04   4 days x 2 regions = 8"));
  EXPECT_THAT(text, HasSubstr("Interval  [2026-01-01T00:00Z, 2026-01-05T00:00Z)"));
  EXPECT_THAT(text, HasSubstr("As of     2026-02-10T09:14:05Z\n"));
}

TEST(PlanText, DownstreamTablesAndCostAreNamed) {
  const std::string text = PlanText(SamplePlan());
  EXPECT_THAT(text, HasSubstr("Downstream, stale after publish\n  ~ revenue_monthly  2 of 12   "
                              "2026-01  left stale"));
  EXPECT_THAT(text, HasSubstr("read 41 022 source rows"));
}

TEST(PlanText, UnreconciledTablesShowTheReason) {
  Plan plan = SamplePlan();
  plan.unreconciled = "no source of truth exists";
  EXPECT_THAT(PlanText(plan), HasSubstr("not reconciled with its source: no source of truth"));
}

TEST(PlanText, JsonHasTheCounts) {
  Plan plan = SamplePlan();
  SealPlan(plan);
  const Json json = PlanJson(plan);
  EXPECT_EQ(json.FindPath("counts.to_compute")->integer_value(), 6);
  EXPECT_EQ(json.FindPath("counts.blocked")->integer_value(), 2);
  EXPECT_EQ(json.FindPath("counts.selected")->integer_value(), 8);
  EXPECT_EQ(json.FindPath("plan.hash")->text_value(), plan.hash);
}

}  // namespace
}  // namespace retrofill
