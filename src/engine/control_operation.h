#pragma once

// `pause`, `cancel`, `retry`: live control, from any process on the same journal.

#include <string>
#include <vector>

#include "base/error.h"
#include "engine/engine_context.h"
#include "model/selection.h"

namespace retrofill {

enum class Driven {
  kByThisCommand,  // nobody drove it: what was asked is done
  kByOther,        // a living process drives it: the request is in the journal and will be followed
                   // within a second
};

// Asks for a pause. kRefused X0105 if its state is final or it is paused already.
Result<Driven> PauseBackfill(const EngineContext& engine, const std::string& backfill,
                             const std::string& reason);

// Cancels for good: ends the plan in the target and drops its stage, or asks the process that
// drives it and waits (at most 10 s) until it has. Published partitions stay. kRefused X0105 in a
// final state.
Result<Driven> CancelBackfill(const EngineContext& engine, const std::string& backfill,
                              const std::string& reason);

// Makes failed partitions wait again with fresh attempts (all without a selection); Runner then
// runs them. Returns how many. kRefused X0105 if none failed.
Result<int64_t> RetryPartitions(const EngineContext& engine, const std::string& backfill,
                                const SelectionArguments& selection, const std::string& reason);

}  // namespace retrofill
