#pragma once

#include <functional>
#include <vector>

#include "base/error.h"
#include "engine/run_context.h"
#include "engine/step.h"
#include "warehouse/warehouse.h"

namespace retrofill {

// Saves the pre-images of these partitions and publishes them in one transaction (publish document,
// 4, 10, 11). `announce` is called just before the commit and must make the announcement durable.
// kConflict P0302, P0303, X0302 if somebody else changed something; kIndeterminate X0303 if the
// commit was sent and its outcome is not known; kFailed if stored rows are not the staged ones. On
// every error but kIndeterminate nothing was published.
Result<GroupPublished> PublishRange(const RunContext& run, const BackfillState& state,
                                    const std::vector<size_t>& places, const Announce& announce,
                                    Session& session);

// The group that PublishRange publishes, for the pre-images alone and for tests.
Result<PublishGroup> GroupOf(const RunContext& run, const BackfillState& state,
                             const std::vector<size_t>& places);

}  // namespace retrofill
