#include "engine/range_check.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "model/decimal.h"
#include "model/rule.h"

namespace retrofill {
namespace {

std::vector<const PartitionState*> Computed(const BackfillState& state) {
  std::vector<const PartitionState*> list;
  for (const PartitionState& p : state.partitions) {
    if (IsComputed(p.action)) list.push_back(&p);
  }
  return list;
}

std::string Absolute(const std::string& decimal) {
  return decimal.starts_with('-') ? decimal.substr(1) : decimal;
}

bool Larger(const std::string& a, const std::string& b) {
  std::optional<Decimal> first = Decimal::Parse(Absolute(a));
  std::optional<Decimal> second = Decimal::Parse(Absolute(b));
  return first && (!second || Compare(*first, *second) > 0);
}

// The partitions' own checks, one line a rule.
std::vector<CheckResult> RuleLines(const BackfillState& state) {
  std::vector<CheckResult> lines;
  const PartitionSpace& space = *state.plan->space;
  for (const PartitionState* p : Computed(state)) {
    for (const CheckResult& check : p->checks) {
      auto line = std::find_if(lines.begin(), lines.end(),
                               [&](const CheckResult& other) { return other.name == check.name; });
      if (line == lines.end()) {
        CheckResult fresh;
        fresh.name = check.name;
        fresh.verdict = Verdict::kOk;
        fresh.partitions = 0;
        fresh.warn_only = check.warn_only;
        line = lines.insert(lines.end(), std::move(fresh));
      }
      ++line->partitions;
      if (check.verdict != Verdict::kOk) {
        ++line->failed;
        Verdict both[] = {line->verdict, check.verdict};
        line->verdict = Worst(both);
        line->id = check.id;
        line->note = check.note;
      }
      if (!check.delta.empty() && (line->delta.empty() || Larger(check.delta, line->delta))) {
        line->delta = check.delta;
        std::optional<Decimal> delta = Decimal::Parse(check.delta);
        bool differs = delta && !delta->zero();
        line->worst = differs ? space.KeyText(p->partition) : "";
      }
    }
  }
  return lines;
}

// The sum over all partitions of both sides of each count and sum rule: additive, so no further
// scan is needed.
std::vector<CheckResult> TotalLines(const RunContext& run, const BackfillState& state) {
  std::vector<CheckResult> lines;
  for (const Rule& rule : run.context.table->rules) {
    if (rule.kind != RuleKind::kCount && rule.kind != RuleKind::kSum) continue;
    Decimal source, target;
    bool complete = true, any = false;
    for (const PartitionState* p : Computed(state)) {
      for (const CheckResult& check : p->checks) {
        if (check.name != rule.name || (check.source.empty() && check.target.empty())) continue;
        std::optional<Decimal> s = Decimal::Parse(check.source), t = Decimal::Parse(check.target);
        complete &= (s || check.source.empty()) && (t || check.target.empty());
        if (s) source = source + *s;
        if (t) target = target + *t;
        any = true;
      }
    }
    if (!any) continue;
    CheckResult line;
    line.name = "whole range: " + rule.name;
    line.source = source.Text();
    line.target = target.Text();
    // Each partition may differ by the tolerance, so the range may by as many of them.
    line.delta = (target - source).Text();
    line.verdict = !complete ? Verdict::kIndeterminate
                   : rule.within.abs.zero() && rule.within.rel.zero() && !(source == target)
                       ? Verdict::kFailed
                       : Verdict::kOk;
    if (line.verdict != Verdict::kOk)
      line.id = line.verdict == Verdict::kFailed ? "R0301" : "R0102";
    line.warn_only = rule.severity == Severity::kWarn;
    lines.push_back(std::move(line));
  }
  return lines;
}

// Every partition of the plan is there once, and together they are the selected intervals.
CheckResult CoverageLine(const BackfillState& state) {
  const PartitionSpace& space = *state.plan->space;
  CheckResult line;
  line.name = "no gap, no overlap between intervals";
  std::vector<Partition> all;
  for (const PartitionState& p : state.partitions) all.push_back(p.partition);
  line.partitions = static_cast<int64_t>(Computed(state).size());
  bool tiles = PartitionSet::Of(space, all) == state.plan->Selected() &&
               static_cast<int64_t>(all.size()) == state.plan->Selected().Count(space);
  line.verdict = tiles && line.partitions > 0 ? Verdict::kOk : Verdict::kFailed;
  if (line.verdict != Verdict::kOk) line.id = "R0301";
  return line;
}

CheckResult CodeLine(const RunContext& run, const BackfillState& state,
                     const std::map<std::string, LedgerRow>& ledger, bool after) {
  CheckResult line;
  const std::string& digest = run.plan->pin.digest;
  line.name = "code at every partition = " + digest.substr(0, 7);
  line.partitions = 0;
  line.verdict = Verdict::kOk;
  for (const PartitionState* p : Computed(state)) {
    ++line.partitions;
    auto row = ledger.find(p->part);
    bool right = !after || (row != ledger.end() &&
                            (row->second.code == digest || row->second.plan != run.plan->hash));
    if (right) continue;
    ++line.failed;
    line.verdict = Verdict::kFailed;
    line.id = "R0402";
    line.worst = run.plan->space->KeyText(p->partition);
  }
  return line;
}

// Rows as recorded: staged ones before the publish, live ones after it.
Result<CheckResult> StoredLine(const RunContext& run, const BackfillState& state, bool after,
                               const PartitionFingerprints& live,
                               const std::map<std::string, LedgerRow>& ledger, Session& session) {
  const PartitionSpace& space = *run.plan->space;
  CheckResult line;
  line.name = after ? "live rows = published rows" : "staged rows = rows read back";
  line.partitions = 0;
  line.verdict = Verdict::kOk;
  PartitionFingerprints staged;
  if (!after) {
    Side side =
        run.undo() ? run.context.BackupSide(run.undo_rows) : run.context.StageSide(run.stage.table);
    RF_ASSIGN(staged, session.TakeFingerprints(
                          run.context.Fingerprints(side, run.plan->ToCompute(), !run.undo())));
  }
  for (const PartitionState* p : Computed(state)) {
    ++line.partitions;
    const Fingerprint& now =
        after ? live.partitions.at(p->partition) : staged.partitions.at(p->partition);
    auto row = ledger.find(p->part);
    // Adopted without a journal: then the ledger is the only record of the rows.
    bool from_ledger = after && p->digest.empty() && row != ledger.end();
    const std::string& digest = from_ledger ? row->second.digest : p->digest;
    if (digest == FingerprintText(now)) continue;
    Result<Fingerprint> recorded = ParseFingerprint(digest);
    std::string note;
    bool same = recorded.ok() && SameRows(*recorded, now, &note);
    bool superseded = after && row != ledger.end() && row->second.plan != run.plan->hash;
    if (!note.empty()) line.note = note;
    if (same || superseded) continue;
    ++line.failed;
    line.verdict = Verdict::kFailed;
    line.id = after ? "X0304" : "R0301";
    line.worst = space.KeyText(p->partition);
    line.note = fmt::format("{} rows recorded, {} found", recorded.ok() ? recorded->n : -1, now.n);
  }
  int64_t strays = staged.null_rows.n + staged.outside.n;
  for (const auto& [partition, fingerprint] : staged.others) strays += fingerprint.n;
  if (!after && !run.undo() && strays > 0) {
    line.verdict = Verdict::kFailed;
    line.id = "X0210";
    line.note = fmt::format("{} staged in no planned partition", Plural(strays, "row", "rows"));
  }
  return line;
}

// Every group of live rows that the plan does not replace is as it was when the plan was made (P4).
CheckResult OutsideLine(const RunContext& run, const BackfillState& state,
                        const PartitionFingerprints& live,
                        const std::map<std::string, LedgerRow>& ledger) {
  const PartitionSpace& space = *run.plan->space;
  CheckResult line;
  line.name = "nothing outside the range changed";
  line.partitions = 0;
  line.verdict = Verdict::kOk;
  line.note = "digests equal";
  int64_t by_others = 0;
  auto compare = [&](const std::string& part, const std::string& name, const Fingerprint& before,
                     const Fingerprint& now) {
    ++line.partitions;
    if (SameRows(before, now, nullptr)) return;
    auto row = ledger.find(part);
    Result<Fingerprint> recorded = row == ledger.end() ? Result<Fingerprint>(Fingerprint{})
                                                       : ParseFingerprint(row->second.digest);
    if (row != ledger.end() && recorded.ok() && SameRows(*recorded, now, nullptr)) {
      ++by_others;  // published by another backfill since the plan was made
      return;
    }
    ++line.failed;
    line.verdict = Verdict::kFailed;
    line.id = "R0401";
    line.worst = name;
    line.note = fmt::format("{}: {} rows before, {} now", name, before.n, now.n);
  };
  for (const PartitionState& p : state.partitions) {
    if (!IsComputed(p.action))
      compare(p.part, space.KeyText(p.partition), run.baseline.Of(p.part),
              live.partitions.at(p.partition));
  }
  std::map<std::string, std::pair<Fingerprint, Fingerprint>> others;
  for (const auto& [part, fingerprint] : run.baseline.others) others[part].first = fingerprint;
  for (const auto& [partition, fingerprint] : live.others)
    others[space.IdentityText(partition)].second = fingerprint;
  for (const auto& [part, both] : others) {
    std::optional<Partition> partition = space.ParseIdentity(part);
    compare(part, partition ? space.KeyText(*partition) : part, both.first, both.second);
  }
  compare("", "(no date)", run.baseline.null_rows, live.null_rows);
  compare("", "(outside every partition)", run.baseline.outside, live.outside);
  if (line.failed == 0 && by_others > 0)
    line.note = fmt::format("digests equal; {} published by other backfills",
                            Plural(by_others, "partition", "partitions"));
  return line;
}

CheckResult UnassignedLine(const RunContext& run, const Observation& inputs,
                           const PartitionFingerprints& live) {
  CheckResult line;
  line.name = "unassigned (no date)";
  line.verdict = Verdict::kOk;
  int64_t source = 0;
  for (const auto& [name, rows] : inputs.source_unassigned) source += rows;
  line.source = fmt::format("{}", source);
  line.target = fmt::format("{}", live.null_rows.n + live.outside.n);
  int64_t before = run.baseline.null_rows.n + run.baseline.outside.n;
  line.before = fmt::format("{}", before);
  bool same = line.target == line.before;
  line.note = fmt::format("source {}, target {}, {}", line.source, line.target,
                          same ? "as before" : fmt::format("{} before", before));
  return line;
}

}  // namespace

Result<std::vector<CheckResult>> CheckRange(const RunContext& run, const BackfillState& state,
                                            bool after_publish, Session& session) {
  std::vector<CheckResult> lines = RuleLines(state);
  for (CheckResult& line : TotalLines(run, state)) lines.push_back(std::move(line));
  lines.push_back(CoverageLine(state));
  PartitionFingerprints live;
  if (!after_publish && run.live) {
    live = *run.live;
  } else {
    RF_ASSIGN(live, ObserveLive(run.context, run.plan->Selected(), session));
  }
  using Ledger = std::map<std::string, LedgerRow>;
  RF_ASSIGN(Ledger ledger, ObserveLedger(run.context, session));
  if (!run.undo()) lines.push_back(CodeLine(run, state, ledger, after_publish));
  RF_ASSIGN(CheckResult stored, StoredLine(run, state, after_publish, live, ledger, session));
  lines.push_back(std::move(stored));
  lines.push_back(OutsideLine(run, state, live, ledger));
  if (!run.undo()) lines.push_back(UnassignedLine(run, run.inputs, live));
  return lines;
}

}  // namespace retrofill
