#pragma once

// What a publish compares, and how it says what differs (publish document, 4 and 8). No SQL.

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/fingerprint.h"
#include "warehouse/publish.h"

namespace retrofill {

// Whether two contents are the same. Made by different engine versions: by their portable parts.
// Two empty ones always are; what cannot be compared never is.
bool SameContent(const Fingerprint& a, const Fingerprint& b);

// `duckdb-1.5.5, now duckdb-1.5.6` if SameContent had only portable parts to go by, else empty.
std::string PortableNote(const Fingerprint& before, const Fingerprint& now);

// kConflict P0302 (X0304 for an undo) naming up to five partitions whose live content is not the
// baseline; success if there is none. `found` has each item's partition.
Status CheckBaselines(const PublishGroup& group, const std::vector<const PublishItem*>& items,
                      const std::map<Partition, Fingerprint>& found);

// kFailed R0301 naming partition and column where what was stored differs from what was staged.
Status CheckStored(const PublishGroup& group, const std::vector<const PublishItem*>& items,
                   const std::map<Partition, Fingerprint>& stored);

// kConflict P0303 naming the columns that are not as the plan saw them.
Status CheckShape(const PublishGroup& group, const RelationShape& found);

}  // namespace retrofill
