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

TEST(NextSteps, AfterABadCanaryItIsPlannedAgain) {
  BackfillState state = SampleState();
  state.canary_failed = true;
  for (const BackfillPhase phase : {BackfillPhase::kPlanned, BackfillPhase::kProven}) {
    state.phase = phase;
    EXPECT_EQ(
        NextSteps(state).front().argv,
        (std::vector<std::string>{"retrofill", "plan", "revenue_daily", "2026-01-01..2026-01-04"}));
  }
  state.canary_skipped = "the rows are the test";
  EXPECT_EQ(NextSteps(state).front().argv[1], "run");
}

TEST(NextSteps, AnAttentionThatNothingMendsIsCancelledAndPlannedAgain) {
  BackfillState state = SampleState();
  state.phase = BackfillPhase::kAttention;
  state.attention_id = "P0302";
  const std::vector<NextStep> steps = NextSteps(state);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].argv, (std::vector<std::string>{"retrofill", "cancel", "fin-812", "--yes"}));
  EXPECT_EQ(steps[1].argv[1], "plan");
}

TEST(NextSteps, APlanOfSomeCellsIsNamedByItsKeys) {
  Plan plan = SamplePlan();
  plan.runs = {
      {.action = Action::kFill,
       .why = "missing",
       .set = PartitionSet::Rectangle(
           {Interval{At("2026-01-02T00:00:00Z"), At("2026-01-04T00:00:00Z")}}, {CellRange{1, 2}}),
       .before = "empty"}};
  BackfillState state = StartBackfill("fin-812", std::make_shared<const Plan>(plan));
  state.canary_failed = true;
  EXPECT_EQ(NextSteps(state).front().argv[3], "2026-01-02/us,2026-01-03/us");
}

TEST(StatusText, APartitionThatFailedAndIsTriedAgainSaysWhy) {
  BackfillState state = SampleState();
  PartitionState& failed = Place(state, "2026-01-03/us");
  failed.failure_id = "R0301";
  failed.failure = "gross amount differs";
  EXPECT_THAT(BackfillText(state),
              HasSubstr("  . 2026-01-03/us   attempts 0   R0301 gross amount differs\n"));
}

TEST(StatusText, AnInterruptedBackfillNamesTheProcessAndGoesOnWithResume) {
  BackfillState state = SampleState();
  state.phase = BackfillPhase::kRunning;
  state.owner = "build-1/4711/boot/12";
  EXPECT_EQ(NextSteps(state).front().argv[1], "status");
  state.interrupted = true;
  EXPECT_THAT(BackfillText(state), HasSubstr("running, interrupted"));
  EXPECT_THAT(BackfillText(state), HasSubstr("build-1, pid 4711"));
  EXPECT_EQ(NextSteps(state).front().argv[1], "resume");
  EXPECT_EQ(BackfillJson(state).FindBool("interrupted"), true);
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
