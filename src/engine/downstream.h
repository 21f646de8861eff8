#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/table_context.h"
#include "model/plan.h"
#include "warehouse/warehouse.h"

namespace retrofill {

// Partitions of one table that share a fate:
//   restate   stale, to be refreshed
//   edge      the same, and they read partitions outside the plan that other code made too
//   mixed     they would combine old and new logic, and are left as they are (P0207)
//   missing   never built: named, not refreshed
//   open      not over yet: left to the schedule (L0102)
//   unseen    the table cannot be looked at from here; `keys` says why, there is no set
struct DownstreamSet {
  PlanDownstream summary;
  std::shared_ptr<const PartitionSpace> space;
  PartitionSet set;
  std::vector<std::string> through;  // the changed tables that it reads
};

struct DownstreamResult {
  std::vector<DownstreamSet> sets;   // a table after everything that it reads
  std::vector<Diagnostic> warnings;  // P0207, and L0102 as a note
  std::vector<PlanDownstream> Summaries() const;
};

// What is about to happen to a table.
struct DownstreamStart {
  PartitionSet changed;  // what is rewritten: N
  PartitionSet left;     // what is named and stays as it is: B
  bool new_code =
      false;  // the current code may differ from what the ledger says; an undo's does not
  absl::Time as_of;
};

// How many partitions a table has from `begin` to as-of; 0 without `begin`.
int64_t PartitionsSoFar(const PartitionSpace& space, absl::Time as_of);

// The partitions of other tables that become stale (intervals document, 10 and 11), the upper
// bound: from all partitions that change.
Result<DownstreamResult> FindDownstream(const TableContext& context, const DownstreamStart& start,
                                        Session& session);
// The same for what a plan computes.
Result<DownstreamResult> FindDownstream(const TableContext& context, const Plan& plan,
                                        Session& session);

}  // namespace retrofill
