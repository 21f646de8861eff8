#include "engine/undo_rows.h"

#include <map>
#include <utility>

#include "base/point.h"

namespace retrofill {
namespace {

Result<std::map<std::string, LedgerRow>> UndoneRows(const RunContext& run, Session& session) {
  RF_ASSIGN(std::vector<LedgerRow> rows, session.ReadLedger({.target = run.plan->relation,
                                                             .plan = run.plan->undoes,
                                                             .kind = "publish",
                                                             .latest_only = false}));
  std::map<std::string, LedgerRow> by_part;
  for (LedgerRow& row : rows) {
    std::string part = row.part;
    by_part[std::move(part)] = std::move(row);
  }
  return by_part;
}

bool IsPreImage(const Fingerprint& saved, const LedgerRow& row, std::string& note) {
  if (row.before_rows.value_or(0) == 0) return saved.n == 0;
  Result<Fingerprint> before = ParseFingerprint(row.before_digest);
  return before.ok() && SameRows(*before, saved, &note);
}

Result<std::vector<PartitionStaged>> AdoptUnit(const RunContext& run, const UnitToBuild& unit,
                                               const std::map<std::string, LedgerRow>& undone,
                                               Session& session) {
  const PartitionSpace& space = *run.plan->space;
  PartitionSet set = PartitionSet::Of(space, unit.partitions);
  RF_TRY(Reach("engine.undo_adopting"));
  RF_ASSIGN(PartitionFingerprints saved, session.TakeFingerprints(run.context.Fingerprints(
                                             run.context.BackupSide(run.undo_rows), set, false)));
  std::vector<PartitionStaged> adopted;
  for (const Partition& partition : unit.partitions) {
    PartitionStaged staged;
    staged.part = space.IdentityText(partition);
    auto row = undone.find(staged.part);
    std::string note;
    const Fingerprint& found = saved.partitions.at(partition);
    if (row == undone.end() || !IsPreImage(found, row->second, note)) {
      return Fail(ErrorCode::kRefused, "X0305",
                  "the saved rows of {} are gone or damaged: {} rows are saved, {} were replaced",
                  space.KeyText(partition), found.n,
                  row == undone.end() ? -1 : row->second.before_rows.value_or(0))
          .Note("nothing was deleted")
          .Help("plan the partition again to compute its rows anew");
    }
    staged.unit = unit.unit.unit;
    staged.epoch = unit.unit.epoch;
    staged.rows = found.n;
    staged.digest = FingerprintText(found);
    if (!note.empty())
      staged.checks.push_back({.name = "saved rows = replaced rows",
                               .verdict = Verdict::kOk,
                               .id = "",
                               .source = "",
                               .before = "",
                               .target = "",
                               .delta = "",
                               .note = note,
                               .worst = ""});
    adopted.push_back(std::move(staged));
  }
  return adopted;
}

}  // namespace

BuildResult AdoptPreImages(const RunContext& run, const BuildRequest& request, Session& session) {
  absl::Duration start = request.clock->Monotonic();
  Result<std::map<std::string, LedgerRow>> undone = UndoneRows(run, session);
  BuildResult result;
  for (const UnitToBuild& unit : request.units) {
    UnitOutcome outcome{.unit = unit.unit.unit, .staged = {}, .failed = {}, .broken = {}};
    Result<std::vector<PartitionStaged>> adopted =
        undone.ok() ? AdoptUnit(run, unit, *undone, session) : undone.error();
    if (adopted.ok()) {
      outcome.staged = *std::move(adopted);
    } else {
      outcome.broken = std::move(adopted).error();
    }
    result.units.push_back(std::move(outcome));
  }
  result.elapsed = request.clock->Monotonic() - start;
  return result;
}

}  // namespace retrofill
