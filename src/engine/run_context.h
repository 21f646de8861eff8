#pragma once

// What every command of a running backfill needs: the plan, the table, the stage, the versions of
// the inputs. Made once a session.

#include <memory>
#include <string>

#include "base/clock.h"
#include "engine/baseline.h"
#include "engine/observation.h"
#include "engine/table_context.h"
#include "model/backfill.h"
#include "warehouse/warehouse.h"

namespace retrofill {

// Filled by the engine loop before executors start; the input versions by Prepare, before any unit.
// Read by executors after that.
struct RunContext {
  std::shared_ptr<const Plan> plan;
  std::string backfill;
  std::string actor;
  TableContext context;
  Baseline baseline;
  StageSpec stage;     // empty table name for an undo
  std::string backup;  // table inside retrofill_backup that takes this plan's pre-images
  std::string
      undo_rows;  // undo: table inside retrofill_backup that holds the rows to put back; else empty
  Observation inputs;  // versions and counts of the partitions to compute
  const Clock* clock = nullptr;
  bool undo() const { return !undo_rows.empty(); }
};

}  // namespace retrofill
