#include "engine/inspect_operation.h"

#include <algorithm>
#include <utility>

#include "engine/range_check.h"
#include "engine/reconcile.h"
#include "engine/run_context.h"

namespace retrofill {
namespace {

Status CheckStaged(const BackfillState& state) {
  BackfillCounts counts = state.Counts();
  if (counts.staged + counts.published + counts.undone + counts.indeterminate > 0) return Ok();
  return Fail(ErrorCode::kRefused, "X0105", "backfill {} is {}: nothing is staged yet", state.id,
              PhaseText(state.phase))
      .Help("run it: retrofill run " + state.id);
}

// The partitions of a diff: all that are computed and have rows to show, or the one asked for.
Result<PartitionSet> ChooseForDiff(const BackfillState& state, const std::string& key) {
  std::vector<Partition> chosen;
  if (!key.empty()) {
    RF_ASSIGN(Partition partition, state.plan->space->ParseKey(key));
    auto found = state.index.find(state.plan->space->IdentityText(partition));
    if (found == state.index.end() || !IsComputed(state.partitions[found->second].action)) {
      return Fail(ErrorCode::kInvalid, "P0106",
                  "{} is not among the partitions that backfill {} computes", key, state.id);
    }
    chosen.push_back(partition);
  } else {
    for (const PartitionState& p : state.partitions) {
      bool shown = p.phase == PartitionPhase::kStaged || p.phase == PartitionPhase::kPublished ||
                   p.phase == PartitionPhase::kUndone;
      if (IsComputed(p.action) && shown) chosen.push_back(p.partition);
    }
  }
  return PartitionSet::Of(*state.plan->space, std::move(chosen));
}

// The saved rows must still be those that were replaced.
Status CheckPreImages(const OpenedRun& opened, const BackfillState& state,
                      const PartitionSet& set) {
  RF_ASSIGN(PartitionFingerprints saved,
            opened.session->TakeFingerprints(opened.run.context.Fingerprints(
                opened.run.context.BackupSide(opened.run.backup), set, false)));
  for (const auto& [partition, fingerprint] : saved.partitions) {
    if (SameRows(opened.run.baseline.Of(state.plan->space->IdentityText(partition)), fingerprint,
                 nullptr))
      continue;
    return Fail(ErrorCode::kRefused, "X0305", "the saved rows of {} are gone or damaged",
                state.plan->space->KeyText(partition));
  }
  return Ok();
}

void CountPartitions(DiffAnswer& answer, const PartitionSet& set) {
  for (const Partition& partition : set.Partitions(*answer.state.plan->space)) {
    auto found = answer.diff.partitions.find(partition);
    bool differs = found != answer.diff.partitions.end() &&
                   found->second.changed + found->second.added + found->second.removed +
                           found->second.duplicates >
                       0;
    if (!differs) {
      ++answer.partitions_identical;
    } else if (found->second.rows_before == 0) {
      ++answer.partitions_new;
    } else {
      ++answer.partitions_changed;
    }
  }
}

// Evaluates the rules anew, on what is staged or live now: what an earlier run found is no answer.
Status EvaluateAgain(const OpenedRun& opened, bool after_publish, BackfillState& state) {
  const TableContext& context = opened.run.context;
  const PartitionSpace& space = *state.plan->space;
  std::vector<Partition> wanted;
  for (const PartitionState& p : state.partitions) {
    bool there = after_publish ? p.phase == PartitionPhase::kPublished
                               : p.phase == PartitionPhase::kStaged ||
                                     p.phase == PartitionPhase::kIndeterminate;
    if (IsComputed(p.action) && there) wanted.push_back(p.partition);
  }
  if (wanted.empty()) return Ok();
  ReconcileRequest request{
      .context = &context,
      .set = PartitionSet::Of(space, wanted),
      .target = after_publish ? context.sides.target : context.StageSide(opened.run.stage.table),
      .with_before = false,
      .target_rows = {},
      .before_rows = {},
      .source_rows = opened.run.inputs.source_rows,
      .as_of = state.plan->as_of};
  RF_ASSIGN(PartitionFingerprints found, opened.session->TakeFingerprints(context.Fingerprints(
                                             request.target, request.set, false, 0)));
  for (const Partition& partition : wanted) {
    request.target_rows[partition] = found.partitions.at(partition).n;
    request.before_rows[partition] = opened.run.baseline.Of(space.IdentityText(partition)).n;
  }
  using Checks = std::map<Partition, std::vector<CheckResult>>;
  RF_ASSIGN(Checks checks, Reconcile(request, *opened.session));
  for (auto& [partition, list] : checks) {
    state.partitions[state.index.at(space.IdentityText(partition))].checks = std::move(list);
  }
  return Ok();
}

}  // namespace

Result<VerifyResult> VerifyBackfill(const EngineContext& engine, const std::string& backfill) {
  VerifyResult result;
  RF_ASSIGN(result.state, engine.store->Load(backfill));
  RF_TRY(CheckStaged(result.state));
  result.after_publish = result.state.Counts().published > 0 || result.state.published;
  RF_ASSIGN(OpenedRun opened, OpenRun(engine, result.state, Access::kReadOnly));
  if (!opened.run.undo()) {
    RF_ASSIGN(opened.run.inputs,
              ObserveInputs(opened.run.context, result.state.plan->ToCompute(), *opened.session));
    RF_TRY(EvaluateAgain(opened, result.after_publish, result.state));
  }
  RF_ASSIGN(result.checks,
            CheckRange(opened.run, result.state, result.after_publish, *opened.session));
  result.ok = std::all_of(result.checks.begin(), result.checks.end(), [](const CheckResult& check) {
    return check.warn_only || check.verdict == Verdict::kOk;
  });
  return result;
}

Result<DiffAnswer> DiffBackfill(const EngineContext& engine, const std::string& backfill,
                                const std::string& key, int samples) {
  DiffAnswer answer;
  RF_ASSIGN(answer.state, engine.store->Load(backfill));
  RF_TRY(CheckStaged(answer.state));
  answer.after_publish = answer.state.published;
  RF_ASSIGN(PartitionSet set, ChooseForDiff(answer.state, key));
  RF_ASSIGN(OpenedRun opened, OpenRun(engine, answer.state, Access::kReadOnly));
  const TableContext& context = opened.run.context;
  answer.shape = context.shape;
  answer.grain = context.table->grain;
  for (const auto& [column, reason] : context.table->proof.ignore_columns)
    answer.set_aside.push_back(column);
  if (set.empty()) return answer;
  DiffRequest request{.before = context.sides.target,
                      .after = opened.run.undo() ? context.BackupSide(opened.run.undo_rows)
                                                 : context.StageSide(opened.run.stage.table),
                      .space = context.space.get(),
                      .set = set,
                      .shape = context.shape,
                      .grain = answer.grain,
                      .left_out = answer.set_aside,
                      .samples = samples};
  if (answer.after_publish) {
    RF_TRY(CheckPreImages(opened, answer.state, set));
    request.before = context.BackupSide(opened.run.backup);
    request.after = context.sides.target;
  } else if (!context.target_exists) {
    request.before = request.after;
    request.before.filter = "false";
  }
  RF_ASSIGN(answer.diff, opened.session->Diff(request));
  CountPartitions(answer, set);
  return answer;
}

}  // namespace retrofill
