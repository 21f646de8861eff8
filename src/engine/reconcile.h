#pragma once

// Compares partitions with their source by the table's rules and the built-in checks (verification
// document, 7).

#include <absl/time/time.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/table_context.h"
#include "model/event.h"
#include "model/partition_set.h"

namespace retrofill {

struct ReconcileRequest {
  const TableContext* context = nullptr;
  PartitionSet set;
  Side target;               // stage before the publish, the live table after it
  bool with_before = false;  // also evaluate the target's side of each rule on the live rows
  std::map<Partition, int64_t> target_rows;  // staged rows of each partition
  std::map<Partition, int64_t> before_rows;  // live rows of each partition
  std::map<Partition, int64_t> source_rows;  // absent = not asked
  absl::Time as_of;
};

// The checks of each partition of the set, in the order: rules, grain, empty. A rule that could not
// be evaluated is indeterminate (R0102), never a pass. Errors are those of the connection alone.
Result<std::map<Partition, std::vector<CheckResult>>> Reconcile(const ReconcileRequest& request,
                                                                Session& session);

}  // namespace retrofill
