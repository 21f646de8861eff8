#pragma once

// Sets of partitions of one space, as runs (intervals document, 7): size and cost do not depend on
// the number of partitions.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/space.h"

namespace retrofill {

struct CellRange {  // half-open
  uint32_t first = 0;
  uint32_t end = 0;
  bool operator==(const CellRange&) const = default;
};

// Cells that share the same runs. Both lists are sorted, disjoint and non-touching.
struct PartitionBlock {
  std::vector<CellRange> cells;
  std::vector<Interval> runs;  // grid-aligned; one entry covers any number of slots
  bool operator==(const PartitionBlock&) const = default;
};

// Canonical: equal sets have equal blocks. Operations combine sets of one space only; the caller
// sees to that.
class PartitionSet {
 public:
  PartitionSet() = default;
  static PartitionSet Rectangle(std::vector<Interval> runs, std::vector<CellRange> cells);
  static PartitionSet Of(const PartitionSpace& space,
                         std::vector<Partition> partitions);  // any order, duplicates allowed

  bool empty() const { return blocks_.empty(); }
  const std::vector<PartitionBlock>& blocks() const { return blocks_; }
  int64_t Count(const PartitionSpace& space) const;
  bool Contains(const Partition& partition) const;
  bool operator==(const PartitionSet&) const = default;

  friend PartitionSet Union(const PartitionSet& a, const PartitionSet& b);
  friend PartitionSet Difference(const PartitionSet& a, const PartitionSet& b);
  friend PartitionSet Intersection(const PartitionSet& a, const PartitionSet& b);

  // Every partition, time-major (by start, then cell).
  std::vector<Partition> Partitions(const PartitionSpace& space) const;
  // The smallest interval that covers all runs; {InfiniteFuture, InfinitePast} if empty.
  Interval Hull() const;

 private:
  std::vector<PartitionBlock> blocks_;
};

}  // namespace retrofill
