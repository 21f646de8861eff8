#include "engine/canary_operation.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/build_unit.h"
#include "engine/run_context.h"

namespace retrofill {
namespace {

struct Choice {
  Partition partition;
  std::string why;
};

Result<Choice> ChooseAsked(const BackfillState& state, const std::string& key) {
  RF_ASSIGN(Partition partition, state.plan->space->ParseKey(key));
  auto found = state.index.find(state.plan->space->IdentityText(partition));
  if (found == state.index.end() || !IsComputed(state.partitions[found->second].action)) {
    return Fail(ErrorCode::kInvalid, "P0106",
                "{} is not among the partitions that plan {} computes", key, state.id);
  }
  return Choice{partition, "asked for"};
}

// The median by source rows among those to restate, else among the fills.
Choice ChooseMedian(const BackfillState& state, const Baseline& baseline) {
  for (Action wanted : {Action::kRestate, Action::kFill}) {
    std::vector<std::pair<int64_t, Partition>> sizes;
    for (const PartitionState& p : state.partitions) {
      if (p.action != wanted) continue;
      auto rows = baseline.source_rows.find(p.part);
      sizes.emplace_back(rows == baseline.source_rows.end() ? 0 : rows->second, p.partition);
    }
    if (sizes.empty()) continue;
    std::sort(sizes.begin(), sizes.end());
    return {sizes[sizes.size() / 2].second, "median size"};
  }
  RF_CHECK(false, "plan {} computes nothing", state.id);
  return {};
}

Status CheckAllowed(const BackfillState& state) {
  bool early = state.phase == BackfillPhase::kPlanned || state.phase == BackfillPhase::kProven ||
               state.phase == BackfillPhase::kCanaried;
  if (early && state.plan->undoes.empty()) return Ok();
  return Fail(ErrorCode::kRefused, "X0105", "backfill {} is {}: its canary is over", state.id,
              PhaseText(state.phase));
}

// The whole range at the canary's pace, give or take: a batch is faster, a cold or crowded disk
// slower.
void EstimateRange(const BackfillState& state, int slots, CanaryResult& result) {
  result.to_compute = state.Counts().to_compute;
  result.slots = slots;
  absl::Duration all = result.elapsed * static_cast<double>(result.to_compute) / std::max(1, slots);
  result.estimate_low = all / 20;
  result.estimate_high = all * 1.25;
}

Result<DiffResult> CompareWithLive(const OpenedRun& opened, const Partition& partition,
                                   const StageUnit& unit) {
  const TableContext& context = opened.run.context;
  if (!context.target_exists) return DiffResult{};
  Side after = context.StageSide(opened.run.stage.table);
  after.filter = fmt::format("_rf_unit = {} and _rf_epoch = {}", unit.unit, unit.epoch);
  std::vector<std::string> aside;
  for (const auto& [column, reason] : context.table->proof.ignore_columns) aside.push_back(column);
  return opened.session->Diff({.before = context.sides.target,
                               .after = after,
                               .space = context.space.get(),
                               .set = PartitionSet::Of(*context.space, {partition}),
                               .shape = context.shape,
                               .grain = context.table->grain,
                               .left_out = std::move(aside),
                               .samples = 3});
}

// Builds, records, compares.
Status Build(const EngineContext& engine, const BackfillState& state, OpenedRun& opened,
             CanaryResult& result) {
  RunContext& run = opened.run;
  BuildRequest request;
  request.context = &run.context;
  request.plan = run.plan.get();
  request.baseline = &run.baseline;
  request.inputs = &run.inputs;
  request.clock = run.clock;
  request.stage = run.stage;
  const StageUnit unit = {.unit = state.next_unit, .epoch = 0};
  request.units = {{.unit = unit, .partitions = {result.partition}}};
  request.clear_first = true;
  request.with_before = true;
  std::string part = run.plan->space->IdentityText(result.partition);
  RF_ASSIGN(
      int64_t intended,
      engine.store->Append(
          state.id,
          {UnitStarted{.unit = unit.unit, .epoch = 0, .parts = {{.part = part, .epoch = 0}}}}));
  static_cast<void>(intended);
  BuildResult built = BuildUnits(request, *opened.session);
  UnitOutcome& outcome = built.units.at(0);
  std::vector<EventBody> events;
  if (outcome.broken) {
    if (outcome.broken->code() != ErrorCode::kFailed &&
        outcome.broken->code() != ErrorCode::kInvalid)
      return *std::move(outcome.broken);
    result.failure_id = outcome.broken->id();
    result.failure = outcome.broken->message();
  } else if (!outcome.failed.empty()) {
    result.failure_id = outcome.failed[0].id;
    result.failure = outcome.failed[0].message;
    result.checks = outcome.failed[0].checks;
  } else {
    result.passed = true;
    result.elapsed = built.elapsed;
    result.rows = outcome.staged[0].rows;
    result.checks = outcome.staged[0].checks;
    PartitionStaged staged = outcome.staged[0];
    staged.attempt = 1;
    staged.milliseconds = absl::ToInt64Milliseconds(built.elapsed);
    events.push_back(std::move(staged));
  }
  if (!result.passed)
    events.push_back(PartitionFailed{.part = part,
                                     .attempt = 0,
                                     .final = false,
                                     .not_before = absl::InfinitePast(),
                                     .id = result.failure_id,
                                     .message = result.failure,
                                     .checks = result.checks});
  events.push_back(CanaryRecorded{.passed = result.passed, .part = part});
  RF_ASSIGN(int64_t recorded, engine.store->Append(state.id, events));
  static_cast<void>(recorded);
  if (!outcome.broken) {
    RF_ASSIGN(result.diff, CompareWithLive(opened, result.partition, unit));
  }
  return Ok();
}

}  // namespace

Result<CanaryResult> RunCanary(const EngineContext& engine, const BackfillState& state,
                               OpenedRun& opened, const std::string& key) {
  RF_TRY(CheckAllowed(state));
  RunContext& run = opened.run;
  Choice choice;
  if (key.empty()) {
    choice = ChooseMedian(state, run.baseline);
  } else {
    RF_ASSIGN(choice, ChooseAsked(state, key));
  }
  PartitionSet chosen = PartitionSet::Of(*run.plan->space, {choice.partition});
  RF_ASSIGN(run.inputs, ObserveInputs(run.context, chosen, *opened.session));
  RF_TRY(opened.session->PrepareTarget());
  RF_TRY(opened.session->CreateStage(run.stage));
  CanaryResult result;
  result.partition = choice.partition;
  result.key = run.plan->space->KeyText(choice.partition);
  result.why = choice.why;
  RF_TRY(Build(engine, state, opened, result));
  EstimateRange(state, run.plan->settings.slots, result);
  return result;
}

Result<CanaryResult> RunCanary(const EngineContext& engine, const std::string& backfill,
                               const std::string& key) {
  RF_ASSIGN(BackfillState state, engine.store->Load(backfill));
  RF_TRY(CheckAllowed(state));
  RF_ASSIGN(OpenedRun opened, OpenRun(engine, state, Access::kReadWrite));
  return RunCanary(engine, state, opened, key);
}

}  // namespace retrofill
