#pragma once

// `verify` and `diff`: looks at a backfill without changing anything.

#include <string>
#include <vector>

#include "base/error.h"
#include "engine/engine_context.h"
#include "model/event.h"
#include "model/selection.h"
#include "warehouse/diff.h"

namespace retrofill {

struct VerifyResult {
  BackfillState state;
  bool after_publish = false;  // the live table was checked, else the stage
  std::vector<CheckResult> checks;
  bool ok = false;  // every check that blocks passed
};

// Runs the checks of the range again: on the stage before the publish, on the live table after it.
// kRefused X0105 if nothing is staged yet.
Result<VerifyResult> VerifyBackfill(const EngineContext& engine, const std::string& backfill);

struct DiffAnswer {
  BackfillState state;
  bool after_publish = false;  // before = the pre-image; else the live table
  DiffResult diff;
  RelationShape shape;
  std::vector<std::string> grain;
  std::vector<std::string> set_aside;  // columns not compared
  int64_t partitions_changed = 0, partitions_new = 0, partitions_identical = 0;
};

// Compares rows before and after. `key` empty: every computed partition. kRefused X0105 if nothing
// is staged yet, X0305 if the pre-image is gone, kInvalid P01xx for a key outside the plan.
Result<DiffAnswer> DiffBackfill(const EngineContext& engine, const std::string& backfill,
                                const std::string& key, int samples);

}  // namespace retrofill
