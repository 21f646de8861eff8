#pragma once

// Computes units of partitions into the stage, reads them back and reconciles them. Publishes
// nothing.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "engine/baseline.h"
#include "engine/observation.h"
#include "engine/table_context.h"
#include "model/backfill.h"
#include "warehouse/warehouse.h"

namespace retrofill {

struct UnitToBuild {
  StageUnit unit;
  std::vector<Partition> partitions;
};

struct BuildRequest {
  const TableContext* context = nullptr;
  const Plan* plan = nullptr;
  const Baseline* baseline = nullptr;
  const Observation* inputs =
      nullptr;  // versions and counts of what the units read, at least of their partitions
  const Clock* clock = nullptr;
  StageSpec stage;
  std::vector<UnitToBuild> units;
  bool clear_first = false;    // the stage may hold rows of these partitions from an earlier try
  bool with_before = false;    // checks also show the live value: for the canary
  std::function<bool()> stop;  // asked before each unit but the first; true = start no more
};

struct UnitOutcome {
  int64_t unit = 0;
  std::vector<PartitionStaged> staged;
  std::vector<PartitionFailed> failed;  // a check did not pass; attempt is left to the caller
  std::optional<Error> broken;          // nothing of the unit is staged
};

struct BuildResult {
  std::vector<UnitOutcome> units;  // in the order of the request
  absl::Duration elapsed;
};

// Fills the stage unit by unit, then reads back and reconciles all of them by one grouped query a
// side (publish document, 3). Such a query only ever says that all is well: with anything else
// each unit is looked at alone, so that it answers for its own rows. A unit is broken by kFailed
// X0206, X0207, X0210, X0212, P0208 for what its statement did, by kCancelled X0106 if it was not
// started; any other error ends the build and breaks every unit that is not done. The stage may
// hold rows of a broken unit, which nothing reads.
BuildResult BuildUnits(const BuildRequest& request, Session& session);

}  // namespace retrofill
