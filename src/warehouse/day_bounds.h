#pragma once

// Whether the warehouse's own zone rules begin dates where ours do. Nothing of ours asks it to cut
// a day, but users' SQL may truncate in a zone (intervals document, 17).

#include <absl/time/civil_time.h>

#include <vector>

#include "base/error.h"
#include "base/zone.h"
#include "warehouse/warehouse.h"

namespace retrofill {

// The dates in [first, end) that begin elsewhere by the rules of the session's engine. Looked at
// are the dates around each change of the clock that we know, and each Monday for those that only
// the engine knows.
Result<std::vector<absl::CivilDay>> DatesCutElsewhere(Session& session, const Zone& zone,
                                                      absl::CivilDay first, absl::CivilDay end);

}  // namespace retrofill
