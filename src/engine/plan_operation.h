#pragma once

// `plan`: from a command to a saved plan.

#include <optional>
#include <string>

#include "base/error.h"
#include "engine/engine_context.h"
#include "engine/planner.h"

namespace retrofill {

struct PlanCommand {
  std::string table;
  SelectionArguments selection;
  std::string name;  // empty: `TABLE-YYYYMMDD-n`
  std::string reason;
  std::optional<absl::Time>
      as_of;  // in place of the project's; never in the future (kInvalid C0103)
  std::optional<Order> order;
  std::optional<int> slots;
  bool force = false;
  bool skip_blocked = false;
};

// Makes a plan and saves nothing. Errors as MakePlan, OpenTable.
Result<PlanResult> PlanTable(const EngineContext& engine, const PlanCommand& command);

// Saves a plan with its baseline in the journal, which makes it a backfill of that name. kConflict
// X0105 if the name is taken.
Status SavePlan(const EngineContext& engine, const PlanResult& result);

// The backfill of a plan that a person named: a file (its hash must be in the journal, or the plan
// is adopted into it with a fresh baseline), or an id. kInvalid C0109 if it is neither; kRefused
// P0308 for an edited file.
Result<BackfillState> FindBackfill(const EngineContext& engine, const std::string& plan_file_or_id);
// The same without writing: a plan that is not in the journal yet is shown as it would begin, if it
// would be adopted.
Result<BackfillState> PreviewBackfill(const EngineContext& engine,
                                      const std::string& plan_file_or_id);

// Partitions whose last attempt failed, or whose publish has no known outcome, from the table's
// backfills in the journal.
Result<KnownFailures> FindKnownFailures(const EngineContext& engine, const std::string& table);

}  // namespace retrofill
