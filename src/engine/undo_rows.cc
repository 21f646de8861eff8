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

}  // namespace

Result<BuildResult> AdoptPreImages(const RunContext& run, const BuildRequest& request,
                                   Session& session) {
  absl::Duration start = request.clock->Monotonic();
  const PartitionSpace& space = *run.plan->space;
  PartitionSet set = PartitionSet::Of(space, request.partitions);
  RF_TRY(Reach("engine.undo_adopting"));
  RF_ASSIGN(PartitionFingerprints saved, session.TakeFingerprints(run.context.Fingerprints(
                                             run.context.BackupSide(run.undo_rows), set, false)));
  using Ledger = std::map<std::string, LedgerRow>;
  RF_ASSIGN(Ledger undone, UndoneRows(run, session));
  BuildResult result;
  for (const Partition& partition : request.partitions) {
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
    staged.unit = request.unit.unit;
    staged.epoch = request.unit.epoch;
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
    result.staged.push_back(std::move(staged));
  }
  result.elapsed = request.clock->Monotonic() - start;
  return result;
}

}  // namespace retrofill
