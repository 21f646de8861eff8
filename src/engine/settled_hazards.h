#pragma once

#include <optional>
#include <vector>

#include "engine/proof_runs.h"
#include "engine/static_rules.h"

namespace retrofill {

// Asks the data about every hazard that they can settle, over the whole planned range: each
// partition as it would be built alone, or adjacent ones together where there are very many
// (verification document, 6). Marks what is settled, adds to the others how many partitions are
// open, and returns one of those.
Result<std::optional<Partition>> SettleHazards(const ProveRequest& request, ProofRuns& runs,
                                               std::vector<Hazard>& hazards);

}  // namespace retrofill
