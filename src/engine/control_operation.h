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

// Failed partitions that a person wants tried again.
struct RetryChoice {
  std::vector<std::string> parts;    // identity texts
  std::vector<std::string> echo;     // the two lines that say what was understood of a selection
  std::vector<Diagnostic> warnings;  // of the selection
};

// Chooses among the failed partitions, all without a selection. Nothing is written. kRefused X0105
// if none failed; errors as ResolveSelection.
Result<RetryChoice> ChooseRetry(const EngineContext& engine, const std::string& backfill,
                                const SelectionArguments& selection);
// Makes them wait again with fresh attempts; Runner then runs them.
Status RetryPartitions(const EngineContext& engine, const std::string& backfill,
                       const RetryChoice& choice);

}  // namespace retrofill
