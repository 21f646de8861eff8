#include "engine/prepare_run.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/point.h"
#include "base/text.h"
#include "model/selection.h"

namespace retrofill {
namespace {

constexpr int kNamedAtMost = 5;

// Partitions of another plan that this one would also write.
Result<std::vector<std::string>> Common(const Plan& mine, const Plan& other) {
  std::set<std::string> theirs;
  for (const Partition& partition : other.ToCompute().Partitions(*other.space))
    theirs.insert(other.space->IdentityText(partition));
  std::vector<std::string> common;
  for (const Partition& partition : mine.ToCompute().Partitions(*mine.space)) {
    if (theirs.contains(mine.space->IdentityText(partition)))
      common.push_back(mine.space->KeyText(partition));
  }
  return common;
}

Status CheckOverlap(const Plan& mine, const std::vector<RegisterRequest::Open>& open) {
  for (const RegisterRequest::Open& registration : open) {
    RF_ASSIGN(Plan other, ParsePlan(registration.body));
    RF_ASSIGN(std::vector<std::string> common, Common(mine, other));
    if (common.empty()) continue;
    size_t count = common.size();
    if (common.size() > kNamedAtMost) common.resize(kNamedAtMost);
    return Fail(ErrorCode::kRefused, "P0304", "backfill {} owns {} of this plan's partitions: {}{}",
                other.name, count, Join(common, ", "), count > kNamedAtMost ? " ..." : "")
        .Help(fmt::format("let it end (retrofill status {0}), or: retrofill cancel {0}; or choose "
                          "other partitions",
                          other.name));
  }
  return Ok();
}

std::vector<const PartitionState*> Unpublished(const BackfillState& state) {
  std::vector<const PartitionState*> list;
  for (const PartitionState& p : state.partitions) {
    if (IsComputed(p.action) && p.phase != PartitionPhase::kPublished &&
        p.phase != PartitionPhase::kUndone)
      list.push_back(&p);
  }
  return list;
}

Status TakeOver(const RunContext& run, const BackfillState& state, Session& session,
                Prepared& prepared) {
  AcquireRequest request{.target = run.plan->relation,
                         .plan = run.plan->hash,
                         .plan_no = prepared.plan_no,
                         .parts = {},
                         .known = {}};
  std::vector<const PartitionState*> wanted = Unpublished(state);
  // Identity order, everywhere, so that two plans cannot wait for each other.
  std::sort(wanted.begin(), wanted.end(),
            [](const PartitionState* a, const PartitionState* b) { return a->part < b->part; });
  for (const PartitionState* p : wanted) {
    request.parts.push_back(p->part);
    request.known.push_back(p->epoch);
  }
  if (request.parts.empty()) return Ok();
  RF_ASSIGN(std::vector<int64_t> epochs, session.Acquire(request));
  for (size_t i = 0; i < epochs.size(); ++i)
    prepared.epochs.push_back({.part = request.parts[i], .epoch = epochs[i]});
  return Ok();
}

// The ledger decides what is published: rows the journal does not know are adopted, rows it misses
// are named.
Status ReadMarkers(const RunContext& run, const BackfillState& state, Session& session,
                   Prepared& prepared) {
  RF_ASSIGN(std::vector<LedgerRow> rows, session.ReadLedger({.target = run.plan->relation,
                                                             .plan = run.plan->hash,
                                                             .kind = "publish",
                                                             .latest_only = false}));
  std::set<std::string> in_ledger;
  for (const LedgerRow& row : rows) {
    in_ledger.insert(row.part);
    auto known = state.index.find(row.part);
    if (known == state.index.end()) continue;
    const PartitionState& p = state.partitions[known->second];
    if (p.phase == PartitionPhase::kPublished || p.phase == PartitionPhase::kUndone) continue;
    prepared.published.push_back(
        {.part = row.part, .epoch = row.epoch, .rows = row.rows.value_or(0), .adopted = true});
  }
  for (const PartitionState& p : state.partitions) {
    if (p.phase == PartitionPhase::kPublished && !in_ledger.contains(p.part))
      prepared.vanished.push_back(p.part);
  }
  return Ok();
}

bool Adopted(const Prepared& prepared, const std::string& part) {
  return std::any_of(prepared.published.begin(), prepared.published.end(),
                     [&](const PartitionPublished& p) { return p.part == part; });
}

std::string RowsText(const Fingerprint& fingerprint) {
  return fmt::format("{} rows", GroupDigits(fingerprint.n));
}

// Compares the live partitions with the plan's baseline, to save hours; the publish transaction
// decides (publish document, 8).
Status EarlyLook(RunContext& run, const BackfillState& state, const Prepared& prepared,
                 Session& session) {
  run.live.reset();
  std::vector<Partition> look;
  for (const PartitionState* p : Unpublished(state)) {
    if (!Adopted(prepared, p->part)) look.push_back(p->partition);
  }
  if (look.empty()) return Ok();
  const PartitionSpace& space = *run.plan->space;
  RF_ASSIGN(PartitionFingerprints live, ObserveLive(run.context, run.plan->Selected(), session));
  std::vector<std::string> changed;
  std::string detail;
  for (const Partition& partition : look) {
    Fingerprint before = run.baseline.Of(space.IdentityText(partition));
    const Fingerprint& now = live.partitions.at(partition);
    if (SameRows(before, now, nullptr)) continue;
    changed.push_back(space.KeyText(partition));
    if (detail.empty())
      detail =
          fmt::format("{}: {} when planned, {} now", changed[0], RowsText(before), RowsText(now));
  }
  if (changed.empty()) {
    if (run.sole_writer) run.live = std::move(live);
    return Ok();
  }
  size_t count = changed.size();
  if (changed.size() > kNamedAtMost) changed.resize(kNamedAtMost);
  if (run.undo()) {
    return Fail(ErrorCode::kRefused, "X0304", "{} changed since it was published: {}", changed[0],
                detail)
        .Note("its rows are kept")
        .Help("undo the newer change first, or leave the partition out");
  }
  return Fail(ErrorCode::kConflict, "P0302", "{} of {} changed since the plan: {}{}",
              Plural(static_cast<int64_t>(count), "partition", "partitions"), run.plan->relation,
              Join(changed, ", "), count > kNamedAtMost ? " ..." : "")
      .Note(detail)
      .Note("nothing was overwritten")
      .Help("look at who wrote them, then plan again");
}

// Staged partitions whose rows are gone, or whose inputs moved since, are computed again.
Status LookAtStage(const RunContext& run, const BackfillState& state, Session& session,
                   Prepared& prepared) {
  std::vector<Partition> staged;
  for (const PartitionState& p : state.partitions) {
    bool held = p.phase == PartitionPhase::kStaged || p.phase == PartitionPhase::kIndeterminate;
    if (held && !Adopted(prepared, p.part)) staged.push_back(p.partition);
  }
  if (staged.empty()) return Ok();
  const PartitionSpace& space = *run.plan->space;
  RF_ASSIGN(PartitionFingerprints found,
            session.TakeFingerprints(run.context.Fingerprints(
                run.context.StageSide(run.stage.table), PartitionSet::Of(space, staged), false)));
  for (const Partition& partition : staged) {
    const PartitionState& p = state.partitions[state.index.at(space.IdentityText(partition))];
    const Fingerprint& now = found.partitions.at(partition);
    Result<Fingerprint> recorded = ParseFingerprint(p.digest);
    bool same_rows = recorded.ok() && recorded->n == now.n &&
                     (now.n == 0 || Compare(*recorded, now) == Comparison::kEqual);
    bool same_inputs = run.inputs.inputs.at(partition) == p.inputs;
    if (same_rows && same_inputs) continue;
    prepared.lost.push_back(p.part);
    prepared.lost_why = same_rows ? "the source changed since they were staged"
                                  : "their staged rows are gone or no longer as recorded";
  }
  return Ok();
}

// What the stage may still hold of partitions that wait: half-built units of an earlier session.
Status ClearLeftovers(const RunContext& run, const BackfillState& state, const Prepared& prepared,
                      Session& session) {
  std::vector<Partition> stale;
  std::set<std::string> lost(prepared.lost.begin(), prepared.lost.end());
  for (const PartitionState& p : state.partitions) {
    bool waits = p.phase == PartitionPhase::kWaiting || p.phase == PartitionPhase::kRunning ||
                 p.phase == PartitionPhase::kFailed;
    if (IsComputed(p.action) && (waits || lost.contains(p.part))) stale.push_back(p.partition);
  }
  if (stale.empty()) return Ok();
  const PartitionSpace& space = *run.plan->space;
  return session.ClearStagePartitions(run.stage, run.context.StageSide(run.stage.table), space,
                                      PartitionSet::Of(space, stale));
}

// For each partition the ledger row that the undone publish followed.
Result<std::map<std::string, LedgerRow>> RowsBefore(const RunContext& run, Session& session) {
  RF_ASSIGN(std::vector<LedgerRow> rows,
            session.ReadLedger(
                {.target = run.plan->relation, .plan = {}, .kind = {}, .latest_only = false}));
  std::map<std::string, int64_t> undone;
  for (const LedgerRow& row : rows) {
    if (row.plan == run.plan->undoes && row.kind == "publish")
      undone[row.part] = row.plan_no.value_or(0);
  }
  std::map<std::string, LedgerRow> before;
  for (const LedgerRow& row : rows) {
    auto limit = undone.find(row.part);
    bool fits = (row.kind == "publish" || row.kind == "adopt") && limit != undone.end() &&
                row.plan_no.value_or(0) < limit->second;
    if (!fits) continue;
    auto held = before.find(row.part);
    if (held == before.end() || held->second.plan_no.value_or(0) < row.plan_no.value_or(0))
      before[row.part] = row;
  }
  return before;
}

}  // namespace

Result<Prepared> PrepareRun(RunContext& run, const BackfillState& state, Session& session) {
  Prepared prepared;
  RF_TRY(session.PrepareTarget());
  RF_TRY(Reach("engine.layout_ready"));
  const Plan& plan = *run.plan;
  // A plan that is stale already must own nothing, so the look comes before the registration; what
  // this plan published itself is no change.
  Prepared earlier;
  RF_TRY(ReadMarkers(run, state, session, earlier));
  RF_TRY(EarlyLook(run, state, earlier, session));
  RF_ASSIGN(Registration registration,
            session.Register({.target = plan.relation,
                              .plan = plan.hash,
                              .body = plan.text,
                              .run = run.backfill,
                              .actor = run.actor,
                              .check = [&plan](const std::vector<RegisterRequest::Open>& open) {
                                return CheckOverlap(plan, open);
                              }}));
  RF_TRY(Reach("engine.registered"));
  prepared.plan_no = registration.plan_no;
  prepared.ended = registration.ended;
  if (!prepared.ended) RF_TRY(TakeOver(run, state, session, prepared));
  RF_TRY(Reach("engine.taken_over"));
  RF_TRY(ReadMarkers(run, state, session,
                     prepared));  // after the bump: no older commit can land any more
  if (run.undo()) {
    RF_ASSIGN(run.restored, RowsBefore(run, session));
    return prepared;
  }
  RF_TRY(session.CreateStage(run.stage));
  RF_ASSIGN(run.inputs, ObserveInputs(run.context, plan.ToCompute(), session));
  RF_TRY(LookAtStage(run, state, session, prepared));
  RF_TRY(ClearLeftovers(run, state, prepared, session));
  RF_TRY(Reach("engine.prepared"));
  return prepared;
}

}  // namespace retrofill
