#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "engine/table_context.h"
#include "model/plan.h"
#include "warehouse/warehouse.h"

namespace retrofill {

struct DownstreamResult {
  std::vector<PlanDownstream> tables;  // nearest first, then what lies below them
  std::vector<Diagnostic> warnings;    // P0207 where partitions would mix old and new logic
};

// The partitions of other tables that a plan makes stale when it is published (intervals document,
// 10 and 11), the upper bound: from all planned partitions. Tables of other connections are left
// out, as their spaces cannot be asked for here.
Result<DownstreamResult> FindDownstream(const TableContext& context, const Plan& plan,
                                        Session& session);

}  // namespace retrofill
