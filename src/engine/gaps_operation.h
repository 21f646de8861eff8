#pragma once

// `gaps` and `ls`: what is missing or not right.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/engine_context.h"
#include "engine/health.h"
#include "model/selection.h"

namespace retrofill {

struct GapsResult {
  std::string table;
  std::shared_ptr<const PartitionSpace> space;
  std::vector<std::string> echo;        // the two lines
  std::vector<PartitionHealth> health;  // of every selected partition, time-major
  std::map<Health, int64_t> counts;     // over all of them
  int64_t blocked = 0;
  Unassigned unassigned;
  std::vector<Diagnostic> warnings;  // of the selection, and of what could not be asked
};

// The health of the selected partitions; without a selection of all from `begin` to the watermark.
// A selection whose states match nothing gives an empty result. Errors as OpenTable and
// ResolveSelection. Nothing is written.
Result<GapsResult> FindGaps(const EngineContext& engine, const std::string& table,
                            const SelectionArguments& selection);

}  // namespace retrofill
