#pragma once

// Which partitions can be computed at an instant (intervals document, 8 and 12). Pure; works on
// runs, never on single partitions.

#include <absl/time/time.h>

#include <optional>
#include <vector>

#include "base/zone.h"
#include "model/partition_set.h"
#include "model/space.h"
#include "model/span.h"

namespace retrofill {

// The first instant that a source with this retention still holds: the start of the date `days`
// before that of as_of, in the source's zone.
absl::Time RetentionFloor(const Zone& zone, absl::Time as_of, int64_t days);

// One input that is read by time; inputs that are read whole are left out.
struct InputBounds {
  Span before;
  Span after;
  absl::Time watermark;  // everything before it is known complete: as_of - lag or earlier
  std::optional<absl::Time> floor;  // nothing before it is held any more
};

// A set by class: pairwise disjoint, together the set.
struct ClassedSet {
  PartitionSet complete;    // can be computed
  PartitionSet expired;     // closed, but an input no longer holds all that is read
  PartitionSet incomplete;  // closed, but an input does not have all that is read yet
  PartitionSet open;        // started before as_of and not over
  PartitionSet future;      // starts at as_of or later
};

// `expires_before`: the target itself expires partitions that start before it. Without time axis
// everything is complete.
ClassedSet ClassifyAt(const PartitionSet& set, const PartitionSpace& space, absl::Time as_of,
                      const std::vector<InputBounds>& inputs,
                      std::optional<absl::Time> expires_before = std::nullopt);

}  // namespace retrofill
