#pragma once

// What every command of a running backfill needs: the plan, the table, the stage, the versions of
// the inputs. Made once a session.

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "engine/baseline.h"
#include "engine/engine_context.h"
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
  // Undo: the ledger row that each undone publish followed, by identity; absent = there was none.
  std::map<std::string, LedgerRow> restored;
  Observation inputs;        // versions and counts of the partitions to compute
  bool sole_writer = false;  // nobody else can write the target while it is open
  // What is live, as this session saw it before it published anything; kept only by a sole writer,
  // else the next look reads anew.
  std::optional<PartitionFingerprints> live;
  const Clock* clock = nullptr;
  bool undo() const { return !undo_rows.empty(); }
};

// A run context with the database it works in. Destroy it before anything else opens the file.
struct OpenedRun {
  std::unique_ptr<Warehouse> warehouse;
  std::unique_ptr<Session> session;
  RunContext run;
};

// Opens the target of a backfill and binds its plan there: with the pinned transform, or the target
// alone for an undo. kRefused P0303 if the target's columns are not the plan's, P0307 if the plan's
// partitions are no longer those of the table; other errors as OpenTable.
Result<OpenedRun> OpenRun(const EngineContext& engine, const BackfillState& state, Access access);

}  // namespace retrofill
