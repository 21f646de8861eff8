#pragma once

// Pre-images (publish document, 11): the live rows of each partition, copied aside before they are
// replaced.

#include <map>

#include "base/error.h"
#include "model/fingerprint.h"
#include "model/space.h"
#include "warehouse/publish.h"

namespace retrofill {

class DuckdbSession;

// Copies the live rows of the group's partitions to its backup table, in the transaction that
// replaces them: both see one snapshot, so the fingerprints of the copy, which are returned, are
// those of the live rows. The target exists. Replaces what an earlier try kept. Errors of Session.
Result<std::map<Partition, Fingerprint>> CopyPreImages(DuckdbSession& session,
                                                       const PublishGroup& group);

}  // namespace retrofill
