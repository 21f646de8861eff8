// What may go into a stage, and what leaves it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backfill_rig.h"

namespace retrofill {
namespace {

using testing::HasSubstr;

// The stage of a table with columns of many types.
class StageContract : public testing::Test {
 protected:
  StageContract() {
    stage_ = {.table = "t_0123abcd",
              .columns = {{{.name = "day", .type = "DATE", .nullable = false},
                           {.name = "n", .type = "BIGINT", .nullable = true},
                           {.name = "price", .type = "DECIMAL(18,2)", .nullable = true}}}};
    const Status made = rig_.session().CreateStage(stage_);
    EXPECT_TRUE(made.ok()) << made.error().message();
  }

  Result<int64_t> Fill(const std::string& select) {
    return rig_.session().FillStage(stage_, {.unit = 1, .epoch = 1}, select);
  }
  std::string Staged() {
    return rig_.Read("select day, n, price, _rf_unit, _rf_epoch from retrofill_stage.t_0123abcd");
  }

  Rig rig_;
  StageSpec stage_;
};

TEST_F(StageContract, ColumnsGoByName) {
  EXPECT_EQ(Fill("select 2.50::decimal(18,2) as price, 1::bigint as N, date '2026-01-01' as day;")
                .value(),
            1);
  EXPECT_EQ(Staged(), "2026-01-01|1|2.50|1|1");
}

TEST_F(StageContract, SelectMayEndInAComment) {
  EXPECT_TRUE(
      Fill("select date '2026-01-01' as day, 1::bigint as n, 1::decimal(18,2) as price -- end")
          .ok());
}

TEST_F(StageContract, MissingAndExtraColumnsAreRefused) {
  auto missing = Fill("select date '2026-01-01' as day, 1::bigint as n");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().id(), "P0208");
  EXPECT_THAT(missing.error().message(), HasSubstr("`price`"));
  auto extra = Fill("select date '2026-01-01' as day, 1::bigint as n, 1.5 as price, 7 as note");
  ASSERT_FALSE(extra.ok());
  EXPECT_EQ(extra.error().id(), "P0208");
  EXPECT_THAT(extra.error().message(), HasSubstr("`note`"));
  EXPECT_EQ(Fill("select date '2026-01-01' as day, 1 as n, 2 as N, 1.5 as price").error().id(),
            "P0208");
  EXPECT_EQ(Staged(), "");
}

TEST_F(StageContract, TypesThatConvertExactlyAreAccepted) {
  EXPECT_TRUE(Fill("select timestamp '2026-01-01' as day, sum(x) as n, 2.5::double as price from "
                   "range(3) t(x)")
                  .ok());
  EXPECT_EQ(Staged(), "2026-01-01|3|2.50|1|1");
}

TEST_F(StageContract, LossyValuesFailAndNameTheColumn) {
  const std::vector<std::pair<std::string, std::string>> lossy = {
      {"timestamp '2026-01-01 12:00' as day, 1::bigint as n, 1::decimal(18,2) as price", "\"day\""},
      {"date '2026-01-01' as day, 1.5::double as n, 1::decimal(18,2) as price", "\"n\""},
      {"date '2026-01-01' as day, 99999999999999999999::hugeint as n, 1::decimal(18,2) as price",
       "\"n\""},
      {"date '2026-01-01' as day, 1::bigint as n, 1.005::decimal(18,3) as price", "\"price\""},
      {"date '2026-01-01' as day, 'one' as n, 1::decimal(18,2) as price", "\"n\""}};
  for (const auto& [columns, name] : lossy) {
    const auto filled = Fill("select " + columns);
    ASSERT_FALSE(filled.ok()) << columns;
    EXPECT_EQ(filled.error().id(), "P0208") << columns;
    EXPECT_EQ(filled.error().code(), ErrorCode::kFailed);
    EXPECT_THAT(filled.error().message(), HasSubstr(name));
  }
  EXPECT_EQ(Staged(), "");
}

TEST_F(StageContract, FailureOfTheSelectItselfIsNoConversion) {
  const auto filled =
      Fill("select date '2026-01-01' as day, 'x'::integer as n, 1::decimal(18,2) as price");
  ASSERT_FALSE(filled.ok());
  EXPECT_EQ(filled.error().id(), "X0207");
}

TEST_F(StageContract, OnlyClearedUnitsLeave) {
  for (const StageUnit& unit : {StageUnit{1, 1}, StageUnit{1, 2}, StageUnit{2, 1}}) {
    ASSERT_TRUE(
        rig_.session()
            .FillStage(stage_, unit,
                       "select date '2026-01-01' as day, 1::bigint as n, 1::decimal(18,2) as price")
            .ok());
  }
  ASSERT_TRUE(rig_.session().ClearStage(stage_, {{.unit = 1, .epoch = 1}}).ok());
  EXPECT_EQ(rig_.Read("select _rf_unit, _rf_epoch from retrofill_stage.t_0123abcd order by 1, 2"),
            "1|2;2|1");
  ASSERT_TRUE(rig_.session()
                  .ClearStage({.table = "nothing", .columns = {}}, {{.unit = 1, .epoch = 1}})
                  .ok());
}

TEST_F(StageContract, ObjectsAreListedAndDropped) {
  ASSERT_TRUE(
      Fill("select date '2026-01-01' as day, 1::bigint as n, 1::decimal(18,2) as price").ok());
  auto objects = rig_.session().ListObjects();
  ASSERT_TRUE(objects.ok());
  ASSERT_EQ(objects->size(), 1u);
  EXPECT_EQ(objects->at(0).schema, "retrofill_stage");
  EXPECT_EQ(objects->at(0).rows, 1);
  ASSERT_TRUE(rig_.session().DropObject(objects->at(0)).ok());
  ASSERT_TRUE(rig_.session().DropObject(objects->at(0)).ok());
  EXPECT_TRUE(rig_.session().ListObjects()->empty());
}

TEST(StageName, IsShortPlainAndBoundToThePlan) {
  EXPECT_EQ(StageName("analytics.\"Revenue Daily\"", "3f9a2c1d77aa"), "revenue_daily_3f9a2c1d");
  EXPECT_EQ(StageName(std::string(100, 'x'), "3f9a2c1d77aa").size(), 63u);
}

}  // namespace
}  // namespace retrofill
