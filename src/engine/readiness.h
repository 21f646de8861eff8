#pragma once

#include <absl/time/time.h>

#include <map>
#include <string>

#include "base/error.h"
#include "engine/table_context.h"
#include "warehouse/warehouse.h"

namespace retrofill {

// Why partitions cannot be computed at this instant: identity text -> "future", "open",
// "incomplete" (for some input the read window ends after the watermark, or its `complete` check
// does not say yes) or "expired" (some input no longer holds what it reads). Partitions that can be
// computed are not in the map (intervals document, 8 and 12).
Result<std::map<std::string, std::string>> FindBlocked(const TableContext& context,
                                                       const PartitionSet& set, absl::Time as_of,
                                                       Session& session);

// The latest instant before which every input is known to be complete, by its lag alone.
absl::Time Watermark(const TableContext& context, absl::Time as_of);

}  // namespace retrofill
