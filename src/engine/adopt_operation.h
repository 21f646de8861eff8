#pragma once

// `verify TABLE SEL --adopt`: rows that were there before become known. Nothing is computed; what
// agrees with its source by the table's rules gets a ledger row of kind `adopt`.

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/engine_context.h"
#include "engine/health.h"
#include "model/event.h"
#include "model/selection.h"

namespace retrofill {

struct AdoptCommand {
  std::string table;
  SelectionArguments selection;
  std::string reason;
  bool dry_run = false;  // reconcile and write nothing
};

// A partition that is not adopted, and why.
struct NotAdopted {
  Partition partition;
  std::string id;   // of the check that did not pass, or empty
  std::string why;  // "net revenue: difference 5", "open", "missing"
};

struct AdoptResult {
  std::string table;
  std::shared_ptr<const PartitionSpace> space;
  std::vector<std::string> echo;  // the two lines
  PartitionSet adopted;           // or would be, in a dry run
  PartitionSet known;             // have a ledger row already
  std::vector<NotAdopted> refused;
  bool dry_run = false;
};

// kRefused R0101 for a table whose rules do not read its source, P0304 if an open backfill owns
// one of the partitions; kConflict P0302 if rows change meanwhile. Other errors as OpenTable and
// ResolveSelection.
Result<AdoptResult> AdoptPartitions(const EngineContext& engine, const AdoptCommand& command);

}  // namespace retrofill
