#include "engine/prove_operation.h"

#include <algorithm>
#include <utility>

#include "engine/planner.h"
#include "engine/prover.h"
#include "engine/readiness.h"

namespace retrofill {
namespace {

ProveRequest RequestFor(const EngineContext& engine, const OpenedTable& opened,
                        const ProveOptions& options) {
  ProveRequest request;
  request.context = opened.context.get();
  request.warehouse = opened.warehouse.get();
  request.scratch_folder = engine.ScratchFolder();
  request.actor = engine.actor;
  request.version = engine.version;
  request.clock = engine.clock;
  request.progress = options.progress;
  request.stop = options.stop;
  return request;
}

Status KeepCertificate(const EngineContext& engine, const ProofReport& report) {
  return engine.store->journal().Put({.kind = "proof",
                                      .key = report.certificate_id,
                                      .text = report.certificate.Compact(),
                                      .at = engine.clock->Now()});
}

// The number of samples is a setting of the table; a flag takes its place.
void ApplySamples(const ProveOptions& options, OpenedTable& opened, Table& copy) {
  if (!options.samples) return;
  copy = *opened.context->table;
  copy.proof.samples = *options.samples;
  opened.context->table = &copy;
}

}  // namespace

Result<ProofReport> ProveBackfill(const EngineContext& engine, const std::string& backfill,
                                  const ProveOptions& options) {
  RF_ASSIGN(BackfillState state, engine.store->Load(backfill));
  const Plan& plan = *state.plan;
  if (IsFinal(state.phase) || state.published)
    return Fail(ErrorCode::kRefused, "X0105", "backfill {} is {}: there is nothing left to prove",
                backfill, PhaseText(state.phase));
  RF_ASSIGN(OpenedTable opened,
            OpenTable(engine, plan.table, plan.pin.sql, Access::kReadOnly, plan.as_of));
  Table copy;
  ApplySamples(options, opened, copy);
  ProveRequest request = RequestFor(engine, opened, options);
  request.planned = plan.ToCompute();
  for (const PlanRun& run : plan.runs) {
    if (run.action == Action::kFill) request.fills = Union(request.fills, run.set);
  }
  request.as_of = plan.as_of;
  request.seed = plan.hash;
  request.batch = plan.settings.batch;
  RF_ASSIGN(ProofReport report, Prove(request));
  RF_TRY(KeepCertificate(engine, report));
  RF_ASSIGN(int64_t seq,
            engine.store->Append(backfill, {ProofRecorded{.passed = report.proven,
                                                          .certificate = report.certificate_id,
                                                          .batch_proven = report.batch_proven,
                                                          .summary = report.LastLine()}}));
  static_cast<void>(seq);
  return report;
}

Result<ProofReport> ProveTable(const EngineContext& engine, const std::string& table,
                               const ProveOptions& options) {
  absl::Time as_of = engine.AsOf();
  RF_ASSIGN(OpenedTable opened, OpenTable(engine, table, std::nullopt, Access::kReadOnly, as_of));
  Table copy;
  ApplySamples(options, opened, copy);
  ProveRequest request = RequestFor(engine, opened, options);
  SelectionArguments everything;
  everything.words = {opened.context->space->has_time() ? ".." : "all"};
  RF_ASSIGN(Selection selection, Select(*opened.context, everything, as_of, {}, *opened.session));
  using Blocked = std::map<std::string, std::string>;
  RF_ASSIGN(Blocked blocked, FindBlocked(*opened.context, selection.set, as_of, *opened.session));
  std::vector<Partition> ready;
  for (const Partition& partition : selection.set.Partitions(*opened.context->space)) {
    if (!blocked.contains(opened.context->space->IdentityText(partition)))
      ready.push_back(partition);
  }
  if (ready.empty())
    return Fail(ErrorCode::kRefused, "P0201",
                "nothing of `{}` can be computed, so nothing can be tried", table);
  request.planned = PartitionSet::Of(*opened.context->space, std::move(ready));
  request.as_of = as_of;
  request.seed = opened.context->digest;
  request.batch = opened.context->table->batch;
  RF_ASSIGN(ProofReport report, Prove(request));
  RF_TRY(KeepCertificate(engine, report));
  return report;
}

Result<bool> AdoptCertificate(const EngineContext& engine, const std::string& backfill) {
  RF_ASSIGN(std::vector<Document> proofs, engine.store->journal().List("proof"));
  if (proofs.empty()) return false;
  RF_ASSIGN(BackfillState state, engine.store->Load(backfill));
  const Plan& plan = *state.plan;
  RF_ASSIGN(OpenedTable opened,
            OpenTable(engine, plan.table, plan.pin.sql, Access::kReadOnly, plan.as_of));
  std::stable_sort(proofs.begin(), proofs.end(),
                   [](const Document& a, const Document& b) { return a.at > b.at; });
  for (const Document& proof : proofs) {
    Result<Json> certificate = Json::Parse(proof.text);
    if (!certificate.ok() || certificate->FindText("table") != plan.table) continue;
    if (certificate->FindBool("proven") != true) continue;
    std::string lapse =
        CertificateLapse(*certificate, *opened.context, opened.warehouse->EngineTag(),
                         engine.version, engine.clock->Now(), opened.context->table->require_proof);
    if (!lapse.empty()) continue;
    ProofRecorded recorded{.passed = true,
                           .certificate = proof.key,
                           .batch_proven = certificate->FindBool("batch_proven").value_or(false),
                           .summary = "certificate " + proof.key + " holds"};
    RF_ASSIGN(int64_t seq, engine.store->Append(backfill, {std::move(recorded)}));
    static_cast<void>(seq);
    return true;
  }
  return false;
}

}  // namespace retrofill
