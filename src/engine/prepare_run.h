#pragma once

#include <vector>

#include "base/error.h"
#include "engine/run_context.h"
#include "engine/step.h"
#include "warehouse/warehouse.h"

namespace retrofill {

// Readies the target for a session (publish document, 3, 5 to 8): layout and stage, register, take
// over every unpublished partition, read the ledger after that, compare what is live with the
// plan's baseline, look at what is staged. Fills run.inputs. kRefused P0304 if another plan owns
// common partitions; kConflict P0302 if a planned partition changed, X0302 if a newer plan took
// one.
Result<Prepared> PrepareRun(RunContext& run, const BackfillState& state, Session& session);

}  // namespace retrofill
