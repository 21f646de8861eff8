#pragma once

// `canary`: one real partition staged and reconciled before the rest.

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/engine_context.h"
#include "engine/run_context.h"
#include "model/event.h"
#include "warehouse/diff.h"

namespace retrofill {

struct CanaryResult {
  bool passed = false;
  Partition partition;
  std::string key;
  std::string why;  // "median size", "asked for"
  absl::Duration elapsed;
  int64_t rows = 0;
  std::vector<CheckResult> checks;             // with source, before, after
  std::string failure_id, failure;             // if it did not pass
  DiffResult diff;                             // live rows against staged ones
  int64_t to_compute = 0;                      // partitions of the plan
  absl::Duration estimate_low, estimate_high;  // for all of them
  int slots = 1;
};

// Stages the plan's canary (`key` empty: the median by source rows among those to restate, else
// among the fills), reconciles it and compares it with what is live; records all of it. `run`
// adopts it. kInvalid P01xx for a key that the plan does not compute; kRefused X0105 in a state
// that has passed the canary.
Result<CanaryResult> RunCanary(const EngineContext& engine, const std::string& backfill,
                               const std::string& key);
// The same in a run that is opened already; `state` is the fold of all events so far.
Result<CanaryResult> RunCanary(const EngineContext& engine, const BackfillState& state,
                               OpenedRun& opened, const std::string& key);

}  // namespace retrofill
