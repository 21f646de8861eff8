#include "report/backfill_json.h"

#include "base/text.h"

namespace retrofill {
namespace {

Json InstantJson(const std::optional<absl::Time>& instant) {
  return instant ? Json(FormatInstant(*instant)) : Json();
}

Json CountsJson(const BackfillCounts& counts) {
  return Json::Object({{"waiting", counts.waiting},
                       {"running", counts.running},
                       {"staged", counts.staged},
                       {"published", counts.published},
                       {"skip", counts.skip},
                       {"blocked", counts.blocked},
                       {"failed", counts.failed},
                       {"indeterminate", counts.indeterminate},
                       {"undone", counts.undone},
                       {"to_compute", counts.to_compute}});
}

}  // namespace

Json BackfillJson(const BackfillState& state) {
  const Plan& plan = *state.plan;
  Json json = Json::Object({{"id", state.id},
                            {"table", plan.table},
                            {"relation", plan.relation},
                            {"state", PhaseText(state.phase)},
                            {"interrupted", state.interrupted},
                            {"plan", plan.hash},
                            {"actor", state.actor},
                            {"reason", plan.reason},
                            {"counts", CountsJson(state.Counts())},
                            {"created", FormatInstant(state.created)},
                            {"started", InstantJson(state.started)},
                            {"finished", InstantJson(state.finished)},
                            {"undo_until", InstantJson(state.undo_until)},
                            {"proof", Json::Object({{"passed", state.proof_passed},
                                                    {"certificate", state.certificate},
                                                    {"override", state.proof_override}})},
                            {"canary", Json::Object({{"passed", state.canary_passed},
                                                     {"failed", state.canary_failed},
                                                     {"skipped", state.canary_skipped}})},
                            {"last_seq", state.last_seq}});
  if (!state.attention_id.empty() && state.phase == BackfillPhase::kAttention) {
    json["attention"] = Json::Object({{"code", state.attention_id}, {"message", state.attention}});
  }
  if (!plan.unreconciled.empty()) json["unreconciled"] = plan.unreconciled;
  if (!state.undoes_backfill.empty()) json["undoes"] = state.undoes_backfill;
  if (!state.undone_by.empty()) json["undone_by"] = state.undone_by;
  return json;
}

Json CheckJson(const CheckResult& check) {
  return Json::Object({{"name", check.name},
                       {"verdict", VerdictText(check.verdict)},
                       {"code", check.id},
                       {"source", check.source},
                       {"before", check.before},
                       {"target", check.target},
                       {"delta", check.delta},
                       {"note", check.note},
                       {"partitions", check.partitions},
                       {"failed", check.failed},
                       {"worst", check.worst},
                       {"warn_only", check.warn_only}});
}

Json ChecksJson(const std::vector<CheckResult>& checks) {
  Json json = Json::Array();
  for (const CheckResult& check : checks) json.Append(CheckJson(check));
  return json;
}

Json PartitionsJson(const BackfillState& state) {
  Json json = Json::Array();
  for (const PartitionState& each : state.partitions) {
    Json entry = Json::Object({{"key", state.plan->space->KeyText(each.partition)},
                               {"action", ActionText(each.action)},
                               {"why", each.why},
                               {"state", PhaseText(each.phase)},
                               {"attempts", each.attempts},
                               {"rows", each.rows},
                               {"milliseconds", each.milliseconds},
                               {"checks", ChecksJson(each.checks)}});
    if (each.source_rows >= 0) entry["source_rows"] = each.source_rows;
    if (each.confirmed_empty) entry["empty"] = "ok-empty";
    if (!each.failure_id.empty()) {
      entry["failure"] = Json::Object({{"code", each.failure_id}, {"message", each.failure}});
    }
    json.Append(std::move(entry));
  }
  return json;
}

}  // namespace retrofill
