#pragma once

// Computes one unit of partitions into the stage, reads it back and reconciles it. Publishes
// nothing.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "engine/baseline.h"
#include "engine/observation.h"
#include "engine/table_context.h"
#include "model/backfill.h"
#include "warehouse/warehouse.h"

namespace retrofill {

struct BuildRequest {
  const TableContext* context = nullptr;
  const Plan* plan = nullptr;
  const Baseline* baseline = nullptr;
  const Observation* inputs =
      nullptr;  // versions and counts of what the unit reads, at least of its partitions
  const Clock* clock = nullptr;
  StageSpec stage;
  StageUnit unit;
  std::vector<Partition> partitions;
  bool clear_first = false;  // the stage may hold rows of these partitions from an earlier try
  bool with_before = false;  // checks also show the live value: for the canary
};

struct BuildResult {
  std::vector<PartitionStaged> staged;
  std::vector<PartitionFailed> failed;  // a check did not pass; attempt is left to the caller
  absl::Duration elapsed;
};

// kFailed X0206, X0210, X0212, P0208 for what the statement did; other errors as Session. The stage
// then may hold rows of the unit, which nothing reads.
Result<BuildResult> BuildUnit(const BuildRequest& request, Session& session);

}  // namespace retrofill
