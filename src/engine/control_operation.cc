#include "engine/control_operation.h"

#include <utility>

#include "base/queue.h"
#include "engine/end_run.h"
#include "engine/run_context.h"

namespace retrofill {
namespace {

constexpr absl::Duration kWaitForCancel = absl::Seconds(10);
constexpr absl::Duration kLookEvery = absl::Milliseconds(50);

Result<bool> DrivenByOther(const EngineContext& engine, const std::string& backfill) {
  RF_ASSIGN(std::optional<Lease> lease, engine.store->journal().ReadLease(backfill));
  return lease && lease->alive && lease->owner != engine.owner;
}

Status AppendOne(const EngineContext& engine, const std::string& backfill, EventBody body) {
  RF_ASSIGN(int64_t seq, engine.store->Append(backfill, {std::move(body)}));
  static_cast<void>(seq);
  return Ok();
}

Status Refuse(const BackfillState& state, std::string_view verb) {
  return Fail(ErrorCode::kRefused, "X0105", "backfill {} is {} and cannot be {}", state.id,
              PhaseText(state.phase), verb)
      .Help("see it: retrofill status " + state.id);
}

// Waits until the process that drives the backfill has followed the request.
Result<Driven> AwaitCancel(const EngineContext& engine, const std::string& backfill) {
  Queue<bool> nothing(1);  // nobody fills it: waiting with a limit
  absl::Duration start = engine.clock->Monotonic();
  while (engine.clock->Monotonic() - start < kWaitForCancel) {
    RF_ASSIGN(BackfillState state, engine.store->Load(backfill));
    if (state.phase == BackfillPhase::kCancelled) return Driven::kByOther;
    RF_ASSIGN(bool driven, DrivenByOther(engine, backfill));
    if (!driven) return CancelBackfill(engine, backfill, "its process ended");
    nothing.PopWithin(kLookEvery);
  }
  return Driven::kByOther;
}

}  // namespace

Result<Driven> PauseBackfill(const EngineContext& engine, const std::string& backfill,
                             const std::string& reason) {
  RF_ASSIGN(BackfillState state, engine.store->Load(backfill));
  if (IsFinal(state.phase) || state.phase == BackfillPhase::kPaused)
    return Refuse(state, "paused").error();
  RF_ASSIGN(bool driven, DrivenByOther(engine, backfill));
  if (driven) {
    RF_TRY(AppendOne(engine, backfill, PauseRequested{.reason = reason}));
    return Driven::kByOther;
  }
  if (!state.started) return Refuse(state, "paused, because it has not started").error();
  RF_TRY(AppendOne(engine, backfill, BackfillPaused{.reason = reason}));
  return Driven::kByThisCommand;
}

Result<Driven> CancelBackfill(const EngineContext& engine, const std::string& backfill,
                              const std::string& reason) {
  RF_ASSIGN(BackfillState state, engine.store->Load(backfill));
  if (IsFinal(state.phase)) return Refuse(state, "cancelled").error();
  RF_ASSIGN(bool driven, DrivenByOther(engine, backfill));
  if (driven) {
    RF_TRY(AppendOne(engine, backfill, CancelRequested{.reason = reason}));
    return AwaitCancel(engine, backfill);
  }
  bool touched = state.plan_no != 0 || state.next_unit > 1;
  if (touched) {
    // Whatever the transform's file or the sources look like now, the target alone is needed to end
    // a plan.
    RF_ASSIGN(const Table* table, FindTable(*engine.project, state.plan->table));
    RF_ASSIGN(
        std::unique_ptr<Warehouse> warehouse,
        engine.open(engine.project->connections.at(table->connection), Access::kReadWrite, true));
    RF_ASSIGN(std::unique_ptr<Session> session, warehouse->Connect());
    RunContext run;
    run.plan = state.plan;
    run.backfill = backfill;
    run.actor = engine.actor;
    run.clock = engine.clock;
    run.stage.table = StageName(state.plan->relation, state.plan->hash);
    if (!state.plan->undoes.empty())
      run.undo_rows = StageName(state.plan->relation, state.plan->undoes);
    RF_TRY(EndRun(run, state, "cancelled", *session));
  }
  RF_TRY(AppendOne(engine, backfill, BackfillCancelled{.reason = reason}));
  return Driven::kByThisCommand;
}

Result<RetryChoice> ChooseRetry(const EngineContext& engine, const std::string& backfill,
                                const SelectionArguments& selection) {
  RF_ASSIGN(BackfillState state, engine.store->Load(backfill));
  if (IsFinal(state.phase)) return Refuse(state, "retried").error();
  const Plan& plan = *state.plan;
  RetryChoice choice;
  PartitionSet chosen = plan.ToCompute();
  if (!selection.empty()) {
    RF_ASSIGN(Selection picked, ResolveSelection(selection, {.space = plan.space.get(),
                                                             .table = plan.table,
                                                             .as_of = plan.as_of,
                                                             .watermark = chosen.Hull().end,
                                                             .state = {}}));
    choice.echo = EchoLines(picked.set, *plan.space);
    choice.warnings = std::move(picked.warnings);
    chosen = Intersection(chosen, picked.set);
  }
  for (const PartitionState& p : state.partitions) {
    if (p.phase == PartitionPhase::kFailed && chosen.Contains(p.partition))
      choice.parts.push_back(p.part);
  }
  if (choice.parts.empty())
    return Fail(ErrorCode::kRefused, "X0105",
                "no partition of {} has failed, so there is nothing to retry", backfill)
        .Help("see it: retrofill status " + backfill);
  return choice;
}

Status RetryPartitions(const EngineContext& engine, const std::string& backfill,
                       const RetryChoice& choice) {
  return AppendOne(engine, backfill, RetryRequested{.parts = choice.parts});
}

}  // namespace retrofill
