#pragma once

#include <vector>

#include "base/error.h"
#include "engine/run_context.h"
#include "model/backfill.h"
#include "warehouse/warehouse.h"

namespace retrofill {

// The checks over the whole range (verification document, 9): before the publish on the stage,
// after it on the live table. One result a rule with its worst partition, then the totals,
// coverage, code, stored rows, "nothing outside the range changed" and the unassigned rows. Writes
// nothing. Errors as Session; what could not be told is an indeterminate check.
Result<std::vector<CheckResult>> CheckRange(const RunContext& run, const BackfillState& state,
                                            bool after_publish, Session& session);

}  // namespace retrofill
