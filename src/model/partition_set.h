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
  // A stretch of time in which the set has the same cells.
  struct Piece {
    Interval interval;
    std::vector<CellRange> cells;
    int64_t cell_count = 0;
  };

  PartitionSet() = default;
  static PartitionSet Rectangle(std::vector<Interval> runs, std::vector<CellRange> cells);
  static PartitionSet Of(const PartitionSpace& space,
                         std::vector<Partition> partitions);  // any order, duplicates allowed

  bool empty() const { return blocks_.empty(); }
  const std::vector<PartitionBlock>& blocks() const { return blocks_; }
  int64_t Count(const PartitionSpace& space) const;
  bool Contains(const Partition& partition) const;
  // Every partition of the cells of a space inside a grid-aligned interval.
  static PartitionSet All(const PartitionSpace& space, const Interval& interval);
  bool operator==(const PartitionSet&) const = default;

  friend PartitionSet Union(const PartitionSet& a, const PartitionSet& b);
  // Of any number of sets: the cost grows with their runs and not with the square of them.
  friend PartitionSet Union(std::vector<PartitionSet> sets);
  friend PartitionSet Difference(const PartitionSet& a, const PartitionSet& b);
  friend PartitionSet Intersection(const PartitionSet& a, const PartitionSet& b);

  friend bool IsSubset(const PartitionSet& a, const PartitionSet& b);

  // Time cut where the set of cells changes or a hole is, oldest first.
  std::vector<Piece> Pieces() const;
  // The runs of one cell; empty if it has none.
  const std::vector<Interval>& RunsOf(uint32_t cell) const;
  // The k-th partition in the order of Partitions, from 0; k is below Count.
  Partition At(const PartitionSpace& space, int64_t k) const;
  // Calls `visit` for each partition in the order of Partitions, until it returns false. Needs no
  // memory per partition.
  void ForEach(const PartitionSpace& space,
               const std::function<bool(const Partition&)>& visit) const;
  // Every partition, time-major (by start, then cell).
  std::vector<Partition> Partitions(const PartitionSpace& space) const;
  // The smallest interval that covers all runs; {InfiniteFuture, InfinitePast} if empty.
  Interval Hull() const;

 private:
  // A range of cells and the block that holds it.
  struct Place {
    CellRange cells;
    uint32_t block = 0;
    bool operator==(const Place&) const = default;
  };
  static PartitionSet FromPlaces(std::vector<Place> places,
                                 std::vector<std::vector<Interval>> runs);

  template <typename Combine>
  static PartitionSet Sweep(const PartitionSet& a, const PartitionSet& b, const Combine& combine);

  std::vector<PartitionBlock> blocks_;
  std::vector<Place> places_;  // sorted by cell; follows from blocks_
};

// Sorts runs and merges those that touch or overlap.
std::vector<Interval> NormalizeRuns(std::vector<Interval> runs);

}  // namespace retrofill
