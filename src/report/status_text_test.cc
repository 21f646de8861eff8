#include "report/status_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/backfill_json.h"
#include "report/next_steps.h"
#include "report/sample_backfill_test.h"

namespace retrofill {
namespace {

using ::testing::HasSubstr;

TEST(StatusText, OneLineABackfill) {
  BackfillState state = SampleState();
  Place(state, "2026-01-03/eu").phase = PartitionPhase::kStaged;
  const std::vector<BackfillState> states = {state};
  EXPECT_EQ(StatusText(states),
            "ID        TABLE           STATE     DONE   FAILED   STARTED        NEXT\n"
            "fin-812   revenue_daily   planned    1/6        0   02-10 09:14Z   retrofill run "
            "fin-812\n");
}

TEST(StatusText, NothingGoingOnIsSaid) {
  EXPECT_EQ(StatusText({}), "no backfill is going on\n");
  EXPECT_EQ(HistoryText({}), "no backfill yet\n");
}

TEST(StatusText, FailuresAndAttentionAreNamed) {
  BackfillState state = SampleState();
  state.phase = BackfillPhase::kAttention;
  state.attention_id = "X0101";
  state.attention = "1 partition failed";
  PartitionState& failed = Place(state, "2026-01-03/us");
  failed.phase = PartitionPhase::kFailed;
  failed.failure_id = "R0301";
  failed.failure = "gross amount differs";
  failed.attempts = 3;
  const std::string text = BackfillText(state);
  EXPECT_THAT(text, HasSubstr("Attention X0101 1 partition failed\n"));
  EXPECT_THAT(text, HasSubstr("  x 2026-01-03/us   attempts 3   R0301 gross amount differs\n"));
  EXPECT_THAT(text, HasSubstr("x failed 1"));
}

TEST(StatusText, IndeterminateIsNeitherFailedNorDone) {
  BackfillState state = SampleState();
  Place(state, "2026-01-03/us").phase = PartitionPhase::kIndeterminate;
  const Json json = BackfillJson(state);
  EXPECT_EQ(json.FindPath("counts.indeterminate")->integer_value(), 1);
  EXPECT_EQ(json.FindPath("counts.failed")->integer_value(), 0);
  EXPECT_EQ(DoneText(state), "0/6");
  EXPECT_THAT(BackfillText(state), HasSubstr("? indeterminate 1"));
}

TEST(StatusText, HistoryHasTheNewestFirst) {
  BackfillState old = SampleState();
  BackfillState young = SampleState();
  young.id = "fin-813";
  young.created = old.created + absl::Hours(1);
  const std::vector<BackfillState> states = {old, young};
  const std::string text = HistoryText(states);
  EXPECT_LT(text.find("fin-813"), text.find("fin-812"));
}

TEST(NextSteps, FollowTheState) {
  BackfillState state = SampleState();
  EXPECT_EQ(NextSteps(state, "p.json").front().argv,
            (std::vector<std::string>{"retrofill", "run", "p.json"}));
  state.phase = BackfillPhase::kVerified;
  EXPECT_EQ(NextSteps(state).front().argv,
            (std::vector<std::string>{"retrofill", "publish", "fin-812", "--confirm", "fin-812"}));
  state.phase = BackfillPhase::kPaused;
  EXPECT_EQ(NextSteps(state).front().argv[1], "resume");
  state.phase = BackfillPhase::kCancelled;
  EXPECT_TRUE(NextSteps(state).empty());
}

TEST(NextSteps, UndoIsForAPerson) {
  BackfillState state = SampleState();
  state.phase = BackfillPhase::kDone;
  state.published = true;
  EXPECT_EQ(NextSteps(state).back().argv[1], "undo");
  EXPECT_TRUE(NextSteps(state).back().human_only);
}

}  // namespace
}  // namespace retrofill
