#pragma once

// `lineage`: what partitions of a table read, and what becomes stale when they are rewritten.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/downstream.h"
#include "engine/engine_context.h"
#include "model/interval.h"
#include "model/selection.h"

namespace retrofill {

// What the selected partitions read of one input.
struct LineageInput {
  std::string name;
  bool table = false;                             // a table of the project, else a source
  std::optional<Interval> read;                   // of a source with event time; none = all of it
  std::shared_ptr<const PartitionSpace> space{};  // of a table
  PartitionSet set{};                             // of a table
};

struct LineageResult {
  std::string table;
  std::shared_ptr<const PartitionSpace> space;
  PartitionSet set;
  std::vector<std::string> echo;  // the two lines
  std::vector<LineageInput> inputs;
  DownstreamResult downstream;
};

// The selected partitions; without a selection all from `begin` to the watermark. Errors as
// OpenTable and ResolveSelection. Nothing is written.
Result<LineageResult> FindLineage(const EngineContext& engine, const std::string& table,
                                  const SelectionArguments& selection);

}  // namespace retrofill
