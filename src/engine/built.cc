#include "engine/built.h"

#include <map>
#include <utility>
#include <vector>

#include "engine/observation.h"

namespace retrofill {
namespace {

// An undo that took away the rows of a first build leaves a partition that was never built.
bool TakenBack(const LedgerRow& row) { return !row.undoes.empty() && row.rows.value_or(0) == 0; }

}  // namespace

Result<Built> FindBuilt(const BuiltRequest& request, const PartitionSet& set, Session& session) {
  Built built;
  if (set.empty() || !request.exists) return built;
  const PartitionSpace& space = *request.space;
  using Ledger = std::map<std::string, LedgerRow>;
  RF_ASSIGN(const Ledger ledger, ObserveLedger(request.relation, session));
  std::vector<Partition> all, other_code, known;
  for (const auto& [part, row] : ledger) {
    const std::optional<Partition> partition = space.ParseIdentity(part);
    if (!partition || !set.Contains(*partition)) continue;
    known.push_back(*partition);
    if (TakenBack(row)) continue;
    all.push_back(*partition);
    if (row.code != request.digest) other_code.push_back(*partition);
  }
  const PartitionSet unrecorded = Difference(set, PartitionSet::Of(space, std::move(known)));
  if (!unrecorded.empty()) {
    using Counts = std::map<Partition, AggregateRow>;
    RF_ASSIGN(const Counts counts,
              session.Aggregates(
                  {.side = request.side, .space = &space, .set = unrecorded, .aggregates = {}}));
    for (const auto& [partition, row] : counts) {
      if (row.rows == 0) continue;
      all.push_back(partition);
      other_code.push_back(partition);
    }
  }
  built.all = PartitionSet::Of(space, std::move(all));
  built.other_code = PartitionSet::Of(space, std::move(other_code));
  return built;
}

}  // namespace retrofill
