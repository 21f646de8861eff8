#pragma once

// Which partitions of a table were ever built, and by which code: by the ledger, else by rows.

#include <string>

#include "base/error.h"
#include "model/partition_set.h"
#include "model/space.h"
#include "warehouse/warehouse.h"

namespace retrofill {

struct BuiltRequest {
  std::string relation;
  const PartitionSpace* space = nullptr;  // not null
  Side side;                              // of the target
  bool exists = false;                    // the target
  std::string digest;                     // of the table's transform now
};

struct Built {
  PartitionSet all;
  PartitionSet other_code;  // of another transform digest, or of none that is known
};

// Of the partitions of `set`. Errors as Session.
Result<Built> FindBuilt(const BuiltRequest& request, const PartitionSet& set, Session& session);

}  // namespace retrofill
