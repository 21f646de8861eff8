#include "engine/step.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"

namespace retrofill {
namespace {

// A session over five days, of which nothing is done yet.
class StepTest : public testing::Test {
 protected:
  void SetUp() override {
    auto plan = std::make_shared<Plan>();
    Result<Grid> grid = Grid::Make(
        {.by = "day", .zone = Zone(), .week_start = absl::Weekday::monday, .begin = "", .end = ""});
    plan->name = "p";
    plan->space = std::make_shared<PartitionSpace>(*grid, std::vector<Dimension>(), true);
    Interval days{plan->space->ParseKey("2026-01-01")->interval.start,
                  plan->space->ParseKey("2026-01-05")->interval.end};
    plan->runs = {{.action = Action::kFill,
                   .why = "missing",
                   .set = PartitionSet::Rectangle({days}, {{0, 1}}),
                   .before = "empty"}};
    state_.fold = StartBackfill("p", plan);
    state_.now = *ParseInstant("2026-02-01T00:00:00Z");
    state_.options.publish = true;
  }

  template <typename T>
  static std::vector<T> Of(const StepOutput& output) {
    std::vector<T> found;
    for (const Command& command : output.commands) {
      if (const T* match = std::get_if<T>(&command)) found.push_back(*match);
    }
    return found;
  }

  StepOutput Open() {
    EXPECT_EQ(Of<PrepareCommand>(Step(state_, SessionOpened{.owner = "me"})).size(), 1u);
    Prepared prepared{.plan_no = 1};
    for (const PartitionState& p : state_.fold.partitions) {
      prepared.epochs.push_back({.part = p.part, .epoch = 1});
    }
    return Step(state_, prepared);
  }

  UnitsBuilt Built(const BuildCommand& build) {
    UnitsBuilt built{.units = {}, .elapsed = absl::Seconds(1)};
    for (const UnitToBuild& unit : build.units) {
      UnitOutcome outcome;
      outcome.unit = unit.unit.unit;
      for (const Partition& partition : unit.partitions) {
        PartitionStaged staged;
        staged.part = state_.fold.plan->space->IdentityText(partition);
        staged.unit = unit.unit.unit;
        staged.rows = 1;
        outcome.staged.push_back(std::move(staged));
      }
      built.units.push_back(std::move(outcome));
    }
    return built;
  }

  // Every unit of the build ends with the same error.
  static UnitsBuilt Broken(const BuildCommand& build, const Error& error) {
    UnitsBuilt built{.units = {}, .elapsed = absl::Seconds(1)};
    for (const UnitToBuild& unit : build.units) {
      UnitOutcome outcome;
      outcome.unit = unit.unit.unit;
      outcome.broken = error;
      built.units.push_back(std::move(outcome));
    }
    return built;
  }

  // Builds everything; the output of the last step.
  StepOutput BuildAll(StepOutput output) {
    while (!Of<BuildCommand>(output).empty()) {
      output = Step(state_, Built(Of<BuildCommand>(output)[0]));
    }
    return output;
  }

  CheckResult Good() {
    CheckResult check;
    check.name = "fine";
    check.verdict = Verdict::kOk;
    return check;
  }

  RunState state_;
};

TEST_F(StepTest, BuildsChecksPublishesChecksAndEndsInThisOrder) {
  StepOutput output = BuildAll(Open());
  ASSERT_EQ(Of<CheckCommand>(output).size(), 1u);
  EXPECT_FALSE(Of<CheckCommand>(output)[0].after_publish);
  output = Step(state_, RangeChecked{.checks = {Good()}});
  ASSERT_EQ(Of<PublishCommand>(output).size(), 1u);
  EXPECT_EQ(Of<PublishCommand>(output)[0].places.size(), 5u);
  GroupPublished published;
  for (const PartitionState& p : state_.fold.partitions) {
    published.rows.push_back({.part = p.part, .epoch = 1, .rows = 1, .adopted = false});
  }
  output = Step(state_, published);
  ASSERT_EQ(Of<CheckCommand>(output).size(), 1u);
  EXPECT_TRUE(Of<CheckCommand>(output)[0].after_publish);
  output = Step(state_, RangeChecked{.checks = {Good()}});
  ASSERT_EQ(Of<EndCommand>(output).size(), 1u);
  EXPECT_EQ(Of<EndCommand>(output)[0].outcome, "done");
  Step(state_, PlanEnded{});
  ASSERT_TRUE(state_.end.has_value());
  EXPECT_EQ(state_.end->outcome, RunOutcome::kDone);
}

TEST_F(StepTest, WithoutConsentNothingIsPublished) {
  state_.options.publish = false;
  BuildAll(Open());
  StepOutput output = Step(state_, RangeChecked{.checks = {Good()}});
  EXPECT_TRUE(Of<PublishCommand>(output).empty());
  EXPECT_EQ(state_.end->outcome, RunOutcome::kVerified);
}

TEST_F(StepTest, AnIndeterminateCheckBlocksThePublish) {
  BuildAll(Open());
  CheckResult unknown = Good();
  unknown.verdict = Verdict::kIndeterminate;
  unknown.id = "R0102";
  StepOutput output = Step(state_, RangeChecked{.checks = {Good(), unknown}});
  EXPECT_TRUE(Of<PublishCommand>(output).empty());
  EXPECT_EQ(state_.end->outcome, RunOutcome::kAttention);
  EXPECT_EQ(state_.fold.attention_id, "R0102");
}

TEST_F(StepTest, AnUnknownOutcomeIsResolvedByTakingOverAndNeverRepeated) {
  BuildAll(Open());
  Step(state_, RangeChecked{.checks = {Good()}});
  StepOutput output =
      Step(state_, CommandBroken{.error = Fail(ErrorCode::kIndeterminate, "X0303", "no answer")});
  EXPECT_EQ(state_.fold.Counts().indeterminate, 5);
  EXPECT_TRUE(Of<PublishCommand>(output).empty());
  ASSERT_EQ(Of<PrepareCommand>(output).size(), 1u);
  // It had taken effect: nothing is published again.
  Prepared prepared{.plan_no = 1};
  for (const PartitionState& p : state_.fold.partitions) {
    prepared.published.push_back({.part = p.part, .epoch = 1, .rows = 1, .adopted = true});
  }
  output = Step(state_, prepared);
  EXPECT_TRUE(Of<PublishCommand>(output).empty());
  EXPECT_EQ(state_.fold.Counts().published, 5);
}

TEST_F(StepTest, AnUnknownOutcomeThatDidNotHappenIsPublishedFromTheStage) {
  BuildAll(Open());
  Step(state_, RangeChecked{.checks = {Good()}});
  Step(state_, CommandBroken{.error = Fail(ErrorCode::kIndeterminate, "X0303", "no answer")});
  StepOutput output = Step(state_, Prepared{.plan_no = 1});
  EXPECT_EQ(Of<PublishCommand>(output).size(), 1u);
  EXPECT_TRUE(Of<BuildCommand>(output).empty());
}

TEST_F(StepTest, PublishesThatTheTargetLostAreNamedAndNotRepeated) {
  Step(state_, SessionOpened{.owner = "me"});
  StepOutput output = Step(state_, Prepared{.plan_no = 1, .vanished = {"20260101..20260102"}});
  EXPECT_TRUE(output.commands.empty());
  EXPECT_EQ(state_.fold.attention_id, "W0202");
}

TEST_F(StepTest, APauseWaitsForWhatRunsAndStartsNothing) {
  StepOutput output = Open();
  BuildCommand running = Of<BuildCommand>(output)[0];
  output = Step(state_, StopAsked{.kind = StopKind::kPause, .reason = "asked"});
  EXPECT_TRUE(output.commands.empty());
  EXPECT_FALSE(state_.end.has_value());
  output = Step(state_, Built(running));
  EXPECT_TRUE(output.commands.empty());
  EXPECT_EQ(state_.end->outcome, RunOutcome::kPaused);
}

TEST_F(StepTest, ACancelEndsThePlanInTheTarget) {
  StepOutput output = Open();
  BuildCommand running = Of<BuildCommand>(output)[0];
  Step(state_, StopAsked{.kind = StopKind::kCancel, .reason = "asked"});
  output = Step(state_, Broken(running, Fail(ErrorCode::kCancelled, "X0106", "interrupted")));
  ASSERT_EQ(Of<EndCommand>(output).size(), 1u);
  EXPECT_EQ(Of<EndCommand>(output)[0].outcome, "cancelled");
  Step(state_, PlanEnded{});
  EXPECT_EQ(state_.end->outcome, RunOutcome::kCancelled);
}

TEST_F(StepTest, ABrokenUnitIsHalvedWithoutUsingUpAttempts) {
  state_.options.can_batch = true;
  state_.options.partition_time = absl::Milliseconds(1);
  StepOutput output = Open();
  BuildCommand whole = Of<BuildCommand>(output)[0];
  ASSERT_EQ(whole.units[0].partitions.size(), 5u);
  output = Step(state_, Broken(whole, Fail(ErrorCode::kFailed, "X0207", "bad value")));
  ASSERT_EQ(Of<BuildCommand>(output).size(), 1u);
  EXPECT_EQ(Of<BuildCommand>(output)[0].units[0].partitions.size(), 2u);
  for (const PartitionState& p : state_.fold.partitions) EXPECT_EQ(p.attempts, 0);
}

TEST_F(StepTest, ASinglePartitionIsTriedAgainAfterItsBackOffAndThenFails) {
  state_.options.attempts.max = 2;
  StepOutput output = Open();
  BuildCommand first = Of<BuildCommand>(output)[0];
  output = Step(state_, Broken(first, Fail(ErrorCode::kFailed, "X0207", "bad value")));
  EXPECT_EQ(state_.fold.partitions[0].attempts, 1);
  EXPECT_GT(state_.fold.partitions[0].not_before, state_.now);
  BuildAll(std::move(output));
  state_.now += absl::Hours(1);
  output = Step(state_, TimePassed{});
  ASSERT_EQ(Of<BuildCommand>(output).size(), 1u);
  Step(state_, Broken(Of<BuildCommand>(output)[0], Fail(ErrorCode::kFailed, "X0207", "bad value")));
  EXPECT_EQ(state_.fold.Counts().failed, 1);
  EXPECT_EQ(state_.end->outcome, RunOutcome::kAttention);
  EXPECT_NE(state_.end->error->message().find("4/5"), std::string::npos);
}

TEST_F(StepTest, AnAttemptComesDueWhereTheClockStandsStill) {
  state_.options.attempts.max = 2;
  StepOutput output = Open();
  BuildCommand first = Of<BuildCommand>(output)[0];
  output = Step(state_, Broken(first, Fail(ErrorCode::kFailed, "X0207", "bad value")));
  BuildAll(std::move(output));
  state_.waited = state_.now;
  EXPECT_TRUE(Of<BuildCommand>(Step(state_, TimePassed{})).empty());
  state_.waited = state_.now + absl::Hours(1);
  EXPECT_EQ(Of<BuildCommand>(Step(state_, TimePassed{})).size(), 1u);
}

TEST_F(StepTest, AFullDiskPausesAndKeepsTheState) {
  StepOutput output = Open();
  Step(state_,
       Broken(Of<BuildCommand>(output)[0], Fail(ErrorCode::kUnavailable, "W0109", "no space")));
  EXPECT_EQ(state_.end->outcome, RunOutcome::kPaused);
  EXPECT_EQ(state_.fold.Counts().failed, 0);
}

TEST_F(StepTest, SlotsBoundWhatRunsAtOnce) {
  state_.options.slots = 3;
  EXPECT_EQ(Of<BuildCommand>(Open()).size(), 3u);
}

TEST_F(StepTest, SinglePartitionsAreBuiltInGroupsThatShareTheSlots) {
  state_.options.slots = 2;
  state_.options.partition_time = absl::Milliseconds(1);
  const std::vector<BuildCommand> builds = Of<BuildCommand>(Open());
  ASSERT_EQ(builds.size(), 2u);
  EXPECT_EQ(builds[0].units.size(), 3u);
  EXPECT_EQ(builds[1].units.size(), 2u);
  for (const UnitToBuild& unit : builds[0].units) EXPECT_EQ(unit.partitions.size(), 1u);
}

TEST_F(StepTest, AUnitThatBreaksLeavesTheOthersOfItsGroup) {
  state_.options.partition_time = absl::Milliseconds(1);
  const BuildCommand build = Of<BuildCommand>(Open())[0];
  ASSERT_EQ(build.units.size(), 5u);
  UnitsBuilt built = Built(build);
  built.units[1] = Broken(build, Fail(ErrorCode::kFailed, "X0207", "bad value")).units[1];
  Step(state_, built);
  EXPECT_EQ(state_.fold.Counts().staged, 4);
  EXPECT_EQ(state_.fold.partitions[1].attempts, 1);
}

TEST_F(StepTest, WhereTheFirstFailureStopsNothingIsBuiltBesideIt) {
  state_.options.partition_time = absl::Milliseconds(1);
  state_.options.on_failure = OnFailure::kStop;
  EXPECT_EQ(Of<BuildCommand>(Open())[0].units.size(), 1u);
}

}  // namespace
}  // namespace retrofill
