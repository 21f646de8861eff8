#include "model/event.h"
#include "base/json.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace retrofill {
namespace {

TEST(EventBodies, HaveTypesOfTheirOwn) {
  std::set<std::string_view> types = {EventType(PlanCreated{}), EventType(PartitionStaged{}),
                                      EventType(PartitionPublished{}), EventType(BackfillDone{}),
                                      EventType(RetryRequested{})};
  EXPECT_EQ(types.size(), 5u);
  EXPECT_EQ(EventType(PartitionStaged{}), "partition.staged");
  EXPECT_EQ(EventType(StageLost{}), "partition.stage_lost");
  EXPECT_EQ(EventType(PauseRequested{}), "request.pause");
}

TEST(EventBodies, ReadBackWhatTheyPrint) {
  PartitionStaged staged;
  staged.part = "20260101..20260102/region=eu";
  staged.unit = 3;
  staged.rows = 212;
  staged.source_rows = 0;
  staged.confirmed_empty = true;
  staged.inputs = {{"main.orders", "212/9@duckdb-1.5.6"}};
  CheckResult check;
  check.name = "gross amount";
  check.verdict = Verdict::kOk;
  check.delta = "0.00";
  staged.checks = {check};
  std::string text = EventText(staged);
  Result<std::optional<EventBody>> read = ParseEvent("partition.staged", text);
  ASSERT_TRUE(read.ok() && read->has_value());
  EXPECT_EQ(EventText(**read), text);
  EXPECT_EQ(Json::Parse(text, {.name = "staged"})->Compact(), text);  // the canonical form
  const auto& back = std::get<PartitionStaged>(**read);
  EXPECT_EQ(back.source_rows, 0);
  EXPECT_EQ(back.checks.at(0).verdict, Verdict::kOk);
  EXPECT_EQ(back.inputs, staged.inputs);
}

TEST(EventBodies, OfAnUnknownTypeAreSkippedAndDamagedOnesAreNot) {
  EXPECT_FALSE(ParseEvent("moon.landed", "{}")->has_value());
  EXPECT_EQ(ParseEvent("partition.staged", "{\"rows\":\"many\"}").error().code(),
            ErrorCode::kCorrupt);
  EXPECT_FALSE(ParseEvent("partition.staged", "{").ok());
}

}  // namespace
}  // namespace retrofill
