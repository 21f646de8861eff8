#include "engine/plan_operation.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/file.h"
#include "engine/pool_slots.h"

namespace retrofill {

Result<KnownFailures> FindKnownFailures(const EngineContext& engine, const std::string& table) {
  KnownFailures known;
  RF_ASSIGN(LoadedBackfills loaded, engine.store->LoadAll(table));
  known.warnings = std::move(loaded.warnings);
  for (const BackfillState& state : loaded.states) {
    for (const PartitionState& p : state.partitions) {
      // Later backfills decide: what they staged or published has not failed any more.
      known.failed.erase(p.part);
      known.unknown.erase(p.part);
      bool live = state.phase != BackfillPhase::kCancelled;
      if (live && p.phase == PartitionPhase::kFailed) known.failed.insert(p.part);
      if (live && p.phase == PartitionPhase::kIndeterminate) known.unknown.insert(p.part);
    }
  }
  return known;
}

Result<PlanResult> PlanTable(const EngineContext& engine, const PlanCommand& command) {
  absl::Time now = engine.clock->Now();
  absl::Time as_of = command.as_of.value_or(engine.AsOf());
  if (command.as_of && *command.as_of > std::max(now, engine.AsOf())) {
    return Fail(ErrorCode::kInvalid, "C0103", "--as-of lies in the future")
        .Help("a plan takes an instant that has passed for its `now`");
  }
  RF_ASSIGN(OpenedTable opened,
            OpenTable(engine, command.table, std::nullopt, Access::kReadOnly, as_of));
  PlanRequest request;
  request.selection = command.selection;
  request.name = command.name;
  if (request.name.empty()) {
    RF_ASSIGN(request.name, engine.store->FreshName(command.table, as_of));
  }
  request.reason = command.reason;
  request.author = engine.actor;
  request.created = now;
  request.as_of = as_of;
  request.force = command.force;
  request.order = command.order;
  RF_ASSIGN(request.slots,
            ChooseSlots(*engine.project, opened.context->table->pool, command.slots));
  request.skip_blocked = command.skip_blocked;
  request.version = engine.version;
  request.engine = opened.warehouse->EngineName();
  request.strength = opened.warehouse->StrengthText();
  RF_ASSIGN(KnownFailures known, FindKnownFailures(engine, command.table));
  RF_ASSIGN(PlanResult result, MakePlan(*opened.context, request, known, *opened.session));
  result.warnings.insert(result.warnings.begin(), known.warnings.begin(), known.warnings.end());
  return result;
}

Status SavePlan(const EngineContext& engine, const PlanResult& result) {
  RF_CHECK(result.plan.has_value(), "there is no plan to save");
  RF_TRY(engine.store->Create(*result.plan, result.baseline, ""));
  if (!result.plan->settings.skip_blocked) return Ok();
  RF_ASSIGN(int64_t seq,
            engine.store->Append(result.plan->name, {ConsentGiven{.what = "skip_blocked"}}));
  static_cast<void>(seq);
  return Ok();
}

namespace {

// A plan whose journal is gone: what is live now is its baseline, if it is what the plan's runs
// say.
Result<Baseline> BaselineOf(const EngineContext& engine, const Plan& plan) {
  RF_ASSIGN(OpenedTable opened,
            OpenTable(engine, plan.table, plan.pin.sql, Access::kReadOnly, plan.as_of));
  RF_ASSIGN(Observation seen, Observe(*opened.context, plan.Selected(), *opened.session));
  Baseline baseline = MakeBaseline(*plan.space, seen);
  for (auto& [part, row] : seen.ledger) {
    // What this plan published already replaced its baseline; the ledger row holds what was there
    // before.
    if (row.plan != plan.hash || !plan.space->ParseIdentity(part)) continue;
    baseline.partitions.erase(part);
    if (row.before_rows.value_or(0) > 0) {
      RF_ASSIGN(baseline.partitions[part], ParseFingerprint(row.before_digest));
    }
  }
  for (const PlanRun& run : plan.runs) {
    std::vector<BeforeLine> lines;
    for (const Partition& partition : run.set.Partitions(*plan.space)) {
      Fingerprint live = baseline.Of(plan.space->IdentityText(partition));
      lines.push_back({.identity = plan.space->IdentityText(partition),
                       .fingerprint = live.n == 0 ? "" : FingerprintText(live),
                       .rows = live.n});
    }
    if (BeforeDigest(lines) == run.before) continue;
    return Fail(ErrorCode::kConflict, "P0302",
                "partitions of {} changed since plan {} was made: {}", plan.relation, plan.name,
                SetText(run.set, *plan.space, 5))
        .Help("plan again");
  }
  return baseline;
}

// What a person named: a backfill of the journal, or a plan that is none yet.
struct Named {
  std::optional<BackfillState> backfill;
  std::optional<Plan> plan;
};

Result<Named> LookUp(const EngineContext& engine, const std::string& plan_file_or_id) {
  std::string id = plan_file_or_id;
  if (FileExists(plan_file_or_id)) {
    RF_ASSIGN(const std::string text, ReadFile(plan_file_or_id));
    Result<Plan> plan = ParsePlan(text);
    if (!plan.ok()) return std::move(plan).error().While("reading " + plan_file_or_id);
    RF_ASSIGN(std::optional<std::string> known, engine.store->FindByHash(plan->hash));
    if (!known) return Named{.backfill = std::nullopt, .plan = std::move(plan).value()};
    id = *std::move(known);
  }
  RF_ASSIGN(BackfillState state, engine.store->Load(id));
  return Named{.backfill = std::move(state), .plan = std::nullopt};
}

}  // namespace

Result<BackfillState> FindBackfill(const EngineContext& engine,
                                   const std::string& plan_file_or_id) {
  RF_ASSIGN(Named named, LookUp(engine, plan_file_or_id));
  if (named.backfill) return *std::move(named.backfill);
  RF_ASSIGN(const Baseline baseline, BaselineOf(engine, *named.plan));
  RF_TRY(engine.store->Create(*named.plan, baseline, ""));
  return engine.store->Load(named.plan->name);
}

Result<BackfillState> PreviewBackfill(const EngineContext& engine,
                                      const std::string& plan_file_or_id) {
  RF_ASSIGN(Named named, LookUp(engine, plan_file_or_id));
  if (named.backfill) return *std::move(named.backfill);
  RF_ASSIGN(const Baseline baseline, BaselineOf(engine, *named.plan));
  static_cast<void>(baseline);
  RF_TRY(engine.store->CheckFree(named.plan->name));
  std::string id = named.plan->name;
  return StartBackfill(std::move(id), std::make_shared<const Plan>(*std::move(named.plan)));
}

}  // namespace retrofill
