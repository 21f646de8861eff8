#pragma once

// Which partitions of one table depend on which of another (intervals document, 10). Pure; works on
// runs, never on single partitions.

#include <absl/time/time.h>

#include "model/interval.h"
#include "model/partition_set.h"
#include "model/space.h"
#include "model/span.h"

namespace retrofill {

// How a table reads one of its inputs. p of `downstream` depends on u of `upstream` iff their cells
// match and u overlaps what building p reads, [start - before, end + after). Cells match where
// dimensions of the same name have equal values; a dimension that only one side has matches any
// value of it. Two civil columns meet on dates; otherwise instants decide.
struct InputMapping {
  const PartitionSpace* upstream = nullptr;    // not null
  const PartitionSpace* downstream = nullptr;  // not null
  Span before;
  Span after;
  // Where the answer may lie; cut to begin and end of its table too. On a table without begin or
  // end this is what keeps the answer to an input without time axis finite.
  Interval within = PartitionSpace::AllTime();
};

// The downstream partitions that read any of the upstream ones.
PartitionSet Downstream(const PartitionSet& changed, const InputMapping& mapping);
// The upstream partitions that any of the downstream ones read.
PartitionSet Upstream(const PartitionSet& wanted, const InputMapping& mapping);

// What depends on a set in a table that reads its own earlier partitions: everything later than the
// first one of the same cell, up to `until` or the table's end, that is not in the set.
PartitionSet LaterPartitions(const PartitionSet& set, const PartitionSpace& space,
                             absl::Time until);

// The partitions that scheduled runs of a set write: the set and the `lookback` partitions before
// each of it in the same cell, cut at begin (intervals document, 9).
PartitionSet WithLookback(const PartitionSet& set, const PartitionSpace& space, int64_t lookback);

}  // namespace retrofill
