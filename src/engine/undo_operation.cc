#include "engine/undo_operation.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/downstream.h"
#include "engine/run_context.h"

namespace retrofill {
namespace {

// The backfill and partitions that a person wants taken back.
struct Wanted {
  BackfillState state;
  PartitionSet set;
  int64_t published = 0;
  std::vector<Diagnostic> warnings;  // of the selection
};

Result<Wanted> Choose(const EngineContext& engine, const std::string& backfill,
                      const SelectionArguments& selection) {
  Wanted wanted;
  RF_ASSIGN(wanted.state, engine.store->Load(backfill));
  const Plan& plan = *wanted.state.plan;
  std::vector<Partition> published;
  for (const PartitionState& p : wanted.state.partitions) {
    if (p.phase == PartitionPhase::kPublished) published.push_back(p.partition);
  }
  if (published.empty())
    return Fail(ErrorCode::kRefused, "X0105",
                "backfill {} is {}: nothing of it is published, so there is nothing to undo",
                backfill, PhaseText(wanted.state.phase));
  wanted.published = static_cast<int64_t>(published.size());
  wanted.set = PartitionSet::Of(*plan.space, std::move(published));
  if (selection.empty()) return wanted;
  Interval hull = wanted.set.Hull();
  RF_ASSIGN(Selection chosen, ResolveSelection(selection, {.space = plan.space.get(),
                                                           .table = plan.table,
                                                           .as_of = plan.as_of,
                                                           .watermark = hull.end,
                                                           .state = {}}));
  PartitionSet outside = Difference(chosen.set, wanted.set);
  if (!outside.empty())
    return Fail(ErrorCode::kInvalid, "P0106", "backfill {} has not published {}", backfill,
                SetText(outside, *plan.space, 5))
        .Help("published: " + SetText(wanted.set, *plan.space, 5));
  wanted.set = std::move(chosen.set);
  wanted.warnings = std::move(chosen.warnings);
  return wanted;
}

// The ledger rows of the undone plan, by identity.
Result<std::map<std::string, LedgerRow>> PublishRows(const Plan& plan, Session& session) {
  RF_ASSIGN(
      std::vector<LedgerRow> rows,
      session.ReadLedger(
          {.target = plan.relation, .plan = plan.hash, .kind = "publish", .latest_only = false}));
  std::map<std::string, LedgerRow> by_part;
  for (LedgerRow& row : rows) {
    std::string part = row.part;
    by_part[std::move(part)] = std::move(row);
  }
  return by_part;
}

// What is live must be what the backfill published, and what was saved what it replaced (publish
// document, 11).
struct LiveAndSaved {
  Baseline baseline;
  int64_t rows = 0;
};

Result<LiveAndSaved> CheckRows(const Wanted& wanted, const OpenedRun& opened) {
  const Plan& plan = *wanted.state.plan;
  const PartitionSpace& space = *plan.space;
  RF_ASSIGN(PartitionFingerprints live,
            ObserveLive(opened.run.context, wanted.set, *opened.session));
  RF_ASSIGN(
      PartitionFingerprints saved,
      opened.session->TakeFingerprints(opened.run.context.Fingerprints(
          opened.run.context.BackupSide(StageName(plan.relation, plan.hash)), wanted.set, false)));
  using Ledger = std::map<std::string, LedgerRow>;
  RF_ASSIGN(Ledger ledger, PublishRows(plan, *opened.session));
  LiveAndSaved checked;
  Observation seen;
  seen.live = live;
  checked.baseline = MakeBaseline(space, seen);
  for (const auto& [partition, now] : live.partitions) {
    std::string part = space.IdentityText(partition);
    auto row = ledger.find(part);
    if (row == ledger.end())
      return Fail(ErrorCode::kRefused, "R0402", "the ledger has no publish of {} by {}",
                  space.KeyText(partition), wanted.state.id);
    Fingerprint published;
    if (row->second.rows.value_or(0) > 0) {
      RF_ASSIGN(published, ParseFingerprint(row->second.digest));
    }
    if (!SameRows(published, now, nullptr)) {
      return Fail(ErrorCode::kRefused, "X0304",
                  "{} changed since {} published it: {} rows then, {} now",
                  space.KeyText(partition), wanted.state.id, published.n, now.n)
          .Note("its rows are kept")
          .Help("undo the newer backfill first, or leave this partition out");
    }
    checked.baseline.partitions.erase(part);
    if (published.n > 0) checked.baseline.partitions[part] = published;
    const Fingerprint& kept = saved.partitions.at(partition);
    if (kept.n != row->second.before_rows.value_or(0)) {
      return Fail(ErrorCode::kRefused, "X0305",
                  "the saved rows of {} are gone or damaged: {} are saved, {} were replaced",
                  space.KeyText(partition), kept.n, row->second.before_rows.value_or(0))
          .Help("plan the partition again to compute its rows anew");
    }
    checked.rows += kept.n;
  }
  return checked;
}

Result<std::string> UndoName(const EngineContext& engine, const std::string& backfill) {
  // All undos that go back to one backfill are numbered in one row.
  std::string root = backfill;
  while (true) {
    RF_ASSIGN(BackfillState state, engine.store->Load(root));
    if (state.undoes_backfill.empty()) break;
    root = state.undoes_backfill;
  }
  RF_ASSIGN(std::vector<std::string> ids, engine.store->Ids());
  for (int n = 1;; ++n) {
    const std::string suffix = fmt::format("-u{}", n);
    std::string name = root.substr(0, kMaxPlanName - suffix.size()) + suffix;
    if (std::find(ids.begin(), ids.end(), name) == ids.end()) return name;
  }
}

Plan MakePlan(const EngineContext& engine, const Wanted& wanted, const OpenedRun& opened,
              const Baseline& baseline, const std::string& name, const std::string& reason) {
  const Plan& undone = *wanted.state.plan;
  Plan plan = undone;
  plan.name = name;
  plan.author = engine.actor;
  plan.created = engine.clock->Now();
  plan.reason = reason;
  plan.undoes = undone.hash;
  plan.gate_proof = "none";
  plan.target_schema = ShapeHash(opened.run.context.shape);
  plan.settings.publish = PublishMode::kAtEnd;
  plan.estimate_basis = "saved rows";
  plan.estimate_source_rows = 0;
  plan.estimate_seconds_low = 0;
  plan.estimate_seconds_high = 1;
  plan.sources.clear();
  std::vector<BeforeLine> lines;
  for (const Partition& partition : wanted.set.Partitions(*undone.space)) {
    std::string part = undone.space->IdentityText(partition);
    Fingerprint live = baseline.Of(part);
    lines.push_back({.identity = part,
                     .fingerprint = live.n == 0 ? "" : FingerprintText(live),
                     .rows = live.n});
  }
  plan.runs = {{.action = Action::kRestate,
                .why = "undo",
                .set = wanted.set,
                .before = BeforeDigest(lines)}};
  plan.downstream.clear();
  return plan;
}

}  // namespace

Result<UndoPlan> PlanUndo(const EngineContext& engine, const std::string& backfill,
                          const SelectionArguments& selection, const std::string& reason) {
  RF_ASSIGN(Wanted wanted, Choose(engine, backfill, selection));
  RF_ASSIGN(OpenedRun opened, OpenRun(engine, wanted.state, Access::kReadOnly));
  RF_ASSIGN(LiveAndSaved checked, CheckRows(wanted, opened));
  UndoPlan undo;
  undo.undone = backfill;
  undo.partitions = wanted.set.Count(*wanted.state.plan->space);
  undo.of = wanted.published;
  undo.rows = checked.rows;
  RF_ASSIGN(std::string name, UndoName(engine, backfill));
  Plan plan = MakePlan(engine, wanted, opened, checked.baseline, name, reason);
  RF_ASSIGN(DownstreamResult downstream, FindDownstream(opened.run.context, plan, *opened.session));
  plan.downstream = downstream.Summaries();
  for (const PlanDownstream& each : plan.downstream) {
    if (each.stale()) undo.stale_again.push_back(each);
  }
  SealPlan(plan);
  undo.plan.baseline = std::move(checked.baseline);
  undo.plan.selection.set = wanted.set;
  undo.plan.warnings = std::move(wanted.warnings);
  undo.plan.echo = EchoLines(wanted.set, *plan.space);
  undo.plan.plan = std::move(plan);
  return undo;
}

Status SaveUndo(const EngineContext& engine, const UndoPlan& undo) {
  return engine.store->Create(*undo.plan.plan, undo.plan.baseline, undo.undone);
}

Status MarkUndone(const EngineContext& engine, const BackfillState& undo) {
  RF_ASSIGN(BackfillState undone, engine.store->Load(undo.undoes_backfill));
  PartitionsUndone event{.by = undo.id, .parts = {}};
  for (const PartitionState& p : undo.partitions) {
    if (p.phase != PartitionPhase::kPublished) continue;
    auto found = undone.index.find(p.part);
    bool live = found != undone.index.end() &&
                undone.partitions[found->second].phase == PartitionPhase::kPublished;
    if (live) event.parts.push_back(p.part);
  }
  if (event.parts.empty()) return Ok();
  RF_ASSIGN(int64_t seq, engine.store->Append(undone.id, {std::move(event)}));
  static_cast<void>(seq);
  return Ok();
}

}  // namespace retrofill
