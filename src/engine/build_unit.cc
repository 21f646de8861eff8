#include "engine/build_unit.h"

#include <algorithm>
#include <utility>

#include "base/point.h"
#include "base/text.h"
#include "engine/reconcile.h"

namespace retrofill {
namespace {

Result<int64_t> Compute(const BuildRequest& request, const PartitionSet& set, Session& session) {
  RF_ASSIGN(RenderedSql rendered, request.context->RenderUnit(set, request.plan->as_of));
  Result<int64_t> rows = session.FillStage(request.stage, request.unit, rendered.sql);
  if (!rows.ok()) return InTemplate(std::move(rows).error(), request.context->sql, rendered);
  return rows;
}

// Rows that belong to no partition of the unit are never filtered away (publish document, 9).
Status CheckInside(const BuildRequest& request, const PartitionFingerprints& found) {
  int64_t outside = found.outside.n;
  const PartitionSpace& space = *request.context->space;
  std::string sample;
  for (const auto& [partition, fingerprint] : found.others) {
    outside += fingerprint.n;
    if (sample.empty() && fingerprint.n > 0) sample = space.KeyText(partition);
  }
  if (found.null_rows.n > 0) {
    return Fail(ErrorCode::kFailed, "X0212",
                "{} of the result in no partition: a NULL time, or a dimension value that is NULL "
                "or not declared",
                Plural(found.null_rows.n, "row is", "rows are"))
        .Help("leave such rows out in the SQL, or declare the value");
  }
  if (outside == 0) return Ok();
  Error error = Fail(ErrorCode::kFailed, "X0210",
                     "{} of the result outside the intervals that were asked for",
                     Plural(outside, "row is", "rows are"));
  if (!sample.empty()) error = std::move(error).Note("such as rows of " + sample);
  return std::move(error).Help(
      "cut the result with {{ window() }} on the column that the partition column comes from");
}

CheckResult Unhashed(const Fingerprint& fingerprint) {
  return {.name = "columns as the target",
          .verdict = Verdict::kFailed,
          .id = "R0301",
          .source = "",
          .before = "",
          .target = "",
          .delta = "",
          .note = fmt::format("{} of {} rows have a NULL in a column that may have none",
                              fingerprint.n - fingerprint.n_hashed, fingerprint.n),
          .worst = ""};
}

const CheckResult* FirstBad(const std::vector<CheckResult>& checks) {
  // A failure says more than a check that could not tell.
  for (Verdict wanted : {Verdict::kFailed, Verdict::kIndeterminate}) {
    for (const CheckResult& check : checks) {
      if (!check.warn_only && check.verdict == wanted) return &check;
    }
  }
  return nullptr;
}

std::string BadText(const CheckResult& check) {
  std::string text = check.name + ": ";
  if (!check.source.empty() || !check.target.empty())
    text += fmt::format("source {}, target {}", check.source.empty() ? "-" : check.source,
                        check.target.empty() ? "-" : check.target);
  if (!check.note.empty()) text += (text.ends_with(": ") ? "" : "; ") + check.note;
  return text;
}

struct Unit {
  const BuildRequest& request;
  PartitionSet set;
  PartitionFingerprints found;
  absl::Duration elapsed;
};

PartitionStaged StagedOf(const Unit& unit, const Partition& partition,
                         std::vector<CheckResult> checks) {
  const Fingerprint& fingerprint = unit.found.partitions.at(partition);
  PartitionStaged staged;
  staged.part = unit.request.context->space->IdentityText(partition);
  staged.unit = unit.request.unit.unit;
  staged.epoch = unit.request.unit.epoch;
  staged.rows = fingerprint.n;
  staged.digest = FingerprintText(fingerprint);
  staged.milliseconds = absl::ToInt64Milliseconds(unit.elapsed) /
                        static_cast<int64_t>(unit.request.partitions.size());
  auto source = unit.request.inputs->source_rows.find(partition);
  if (source != unit.request.inputs->source_rows.end()) staged.source_rows = source->second;
  staged.confirmed_empty = fingerprint.n == 0 && staged.source_rows == 0;
  auto inputs = unit.request.inputs->inputs.find(partition);
  if (inputs != unit.request.inputs->inputs.end()) staged.inputs = inputs->second;
  staged.checks = std::move(checks);
  return staged;
}

ReconcileRequest ReconcileOf(const Unit& unit, const Side& stage) {
  const BuildRequest& request = unit.request;
  ReconcileRequest reconcile{.context = request.context,
                             .set = unit.set,
                             .target = stage,
                             .with_before = request.with_before,
                             .target_rows = {},
                             .before_rows = {},
                             .source_rows = {},
                             .as_of = request.plan->as_of};
  for (const Partition& partition : request.partitions) {
    reconcile.target_rows[partition] = unit.found.partitions.at(partition).n;
    reconcile.before_rows[partition] =
        request.baseline->Of(request.context->space->IdentityText(partition)).n;
    auto source = request.inputs->source_rows.find(partition);
    if (source != request.inputs->source_rows.end())
      reconcile.source_rows[partition] = source->second;
  }
  return reconcile;
}

}  // namespace

Result<BuildResult> BuildUnit(const BuildRequest& request, Session& session) {
  absl::Duration start = request.clock->Monotonic();
  const TableContext& context = *request.context;
  Unit unit{.request = request,
            .set = PartitionSet::Of(*context.space, request.partitions),
            .found = {},
            .elapsed = {}};
  Side stage = context.StageSide(request.stage.table);
  RF_TRY(Reach("engine.unit_begun"));
  if (request.clear_first)
    RF_TRY(session.ClearStagePartitions(request.stage, stage, *context.space, unit.set));
  RF_ASSIGN(int64_t rows, Compute(request, unit.set, session));
  static_cast<void>(rows);  // the engine's numbers come from reading back, never from the writer
  RF_TRY(Reach("engine.unit_filled"));
  stage.filter =
      fmt::format("_rf_unit = {} and _rf_epoch = {}", request.unit.unit, request.unit.epoch);
  RF_ASSIGN(unit.found, session.TakeFingerprints(context.Fingerprints(stage, unit.set, true)));
  RF_TRY(CheckInside(request, unit.found));
  using CheckMap = std::map<Partition, std::vector<CheckResult>>;
  RF_ASSIGN(CheckMap checks, Reconcile(ReconcileOf(unit, stage), session));
  RF_TRY(Reach("engine.unit_reconciled"));
  unit.elapsed = request.clock->Monotonic() - start;
  BuildResult result;
  result.elapsed = unit.elapsed;
  for (auto& [partition, list] : checks) {
    const Fingerprint& fingerprint = unit.found.partitions.at(partition);
    if (fingerprint.n_hashed != fingerprint.n) list.push_back(Unhashed(fingerprint));
    const CheckResult* bad = FirstBad(list);
    if (bad == nullptr) {
      result.staged.push_back(StagedOf(unit, partition, std::move(list)));
      continue;
    }
    PartitionFailed failed;
    failed.part = context.space->IdentityText(partition);
    failed.final =
        true;  // the same rows would fail the same check again (verification document, 7.5)
    failed.id = bad->id;
    failed.message = BadText(*bad);
    failed.checks = std::move(list);
    result.failed.push_back(std::move(failed));
  }
  return result;
}

}  // namespace retrofill
