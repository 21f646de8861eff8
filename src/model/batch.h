#pragma once

// Cuts a set into the pieces that one statement computes (intervals document, 13).

#include <cstdint>
#include <vector>

#include "model/interval.h"
#include "model/partition_set.h"
#include "model/project.h"
#include "model/space.h"

namespace retrofill {

struct BatchLimits {
  int64_t partitions = 1;       // most in one batch, at least 1
  bool cells_together = false;  // one statement may compute several cells of an interval
  Order order = Order::kOldestFirst;
};

// A piece of one run: every slot of `run` in every cell, nothing that was not selected.
struct Batch {
  Interval run;
  std::vector<CellRange> cells;
  std::vector<Partition> partitions;  // in execution order: by time, then cell
};

// The whole set, each partition once, in execution order. Packing is greedy. A stretch of time
// whose cells do not fit into one batch is cut by cells.
std::vector<Batch> CutIntoBatches(const PartitionSet& set, const PartitionSpace& space,
                                  const BatchLimits& limits);

}  // namespace retrofill
