#include "engine/gaps_operation.h"

#include <utility>

#include "engine/plan_operation.h"
#include "engine/planner.h"
#include "engine/readiness.h"

namespace retrofill {

Result<GapsResult> FindGaps(const EngineContext& engine, const std::string& table,
                            const SelectionArguments& selection) {
  absl::Time as_of = engine.AsOf();
  RF_ASSIGN(OpenedTable opened, OpenTable(engine, table, std::nullopt, Access::kReadOnly, as_of));
  const TableContext& context = *opened.context;
  RF_ASSIGN(KnownFailures known, FindKnownFailures(engine, table));
  RF_ASSIGN(Selection chosen, Select(context, selection, as_of, known, *opened.session));
  GapsResult result;
  result.table = table;
  result.space = context.space;
  result.warnings = std::move(known.warnings);
  result.warnings.insert(result.warnings.end(), chosen.warnings.begin(), chosen.warnings.end());
  if (chosen.set.empty()) return result;
  result.echo = EchoLines(chosen.set, *context.space);
  RF_ASSIGN(Observation seen, Observe(context, chosen.set, *opened.session));
  using Blocked = std::map<std::string, std::string>;
  RF_ASSIGN(Blocked blocked, FindBlocked(context, chosen.set, as_of, *opened.session));
  result.health = JudgeHealth(
      context, chosen.set,
      {.seen = &seen, .blocked = &blocked, .failed = &known.failed, .unknown = &known.unknown});
  result.unassigned = seen.unassigned();
  for (const PartitionHealth& entry : result.health) {
    ++result.counts[entry.health];
    if (!entry.blocked.empty()) ++result.blocked;
  }
  return result;
}

}  // namespace retrofill
