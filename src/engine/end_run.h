#pragma once

#include <string>

#include "base/error.h"
#include "engine/run_context.h"
#include "model/backfill.h"
#include "warehouse/warehouse.h"

namespace retrofill {

// Ends the plan in the target: nothing of it can take effect after this. Fences of partitions that
// it did not publish are bumped first. Then its stage is dropped; if that fails it is left to
// `clean`. `outcome` is "done" or "cancelled".
Status EndRun(const RunContext& run, const BackfillState& state, const std::string& outcome,
              Session& session);

}  // namespace retrofill
