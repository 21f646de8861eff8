#include "model/batch.h"

#include <algorithm>

#include "base/check.h"

namespace retrofill {
namespace {

// Cuts a list of cells into lists of at most `most` cells, in order.
std::vector<std::vector<CellRange>> CutCells(const std::vector<CellRange>& cells, int64_t most) {
  std::vector<std::vector<CellRange>> groups;
  int64_t room = 0;
  for (CellRange rest : cells) {
    while (rest.first < rest.end) {
      if (room == 0) {
        groups.emplace_back();
        room = most;
      }
      const int64_t take = std::min<int64_t>(room, rest.end - rest.first);
      const uint32_t end = rest.first + static_cast<uint32_t>(take);
      groups.back().push_back({rest.first, end});
      rest.first = end;
      room -= take;
    }
  }
  return groups;
}

class Cutter {
 public:
  Cutter(const PartitionSpace& space, const BatchLimits& limits)
      : space_(space), limits_(limits), newest_first_(limits.order == Order::kNewestFirst) {}

  // `slots_each` slots of the interval at a time, each for one group of cells after the other.
  void Cut(const Interval& interval, const std::vector<std::vector<CellRange>>& groups,
           int64_t slots_each) {
    const int64_t count = space_.SlotCount(interval);
    for (int64_t done = 0; done < count; done += slots_each) {
      const int64_t take = std::min(slots_each, count - done);
      const int64_t first = newest_first_ ? count - done - take : done;
      Interval run = interval;
      if (space_.has_time()) {
        run = {space_.grid().At(interval, first).start,
               space_.grid().At(interval, first + take - 1).end};
      }
      for (const std::vector<CellRange>& cells : groups) Add(run, cells);
    }
  }

  // In execution order: by time, then cell.
  std::vector<Batch> Take() {
    std::stable_sort(batches_.begin(), batches_.end(), [&](const Batch& a, const Batch& b) {
      if (a.run.start != b.run.start) {
        return newest_first_ ? b.run.start < a.run.start : a.run.start < b.run.start;
      }
      return a.cells.front().first < b.cells.front().first;
    });
    return std::move(batches_);
  }

 private:
  void Add(const Interval& run, const std::vector<CellRange>& cells) {
    Batch batch{.run = run, .cells = cells, .partitions = {}};
    batch.partitions = PartitionSet::Rectangle({run}, cells).Partitions(space_);
    if (newest_first_) {
      std::stable_sort(batch.partitions.begin(), batch.partitions.end(),
                       [](const Partition& a, const Partition& b) {
                         return a.interval.start > b.interval.start;
                       });
    }
    batches_.push_back(std::move(batch));
  }

  const PartitionSpace& space_;
  const BatchLimits& limits_;
  bool newest_first_;
  std::vector<Batch> batches_;
};

}  // namespace

std::vector<Batch> CutIntoBatches(const PartitionSet& set, const PartitionSpace& space,
                                  const BatchLimits& limits) {
  RF_CHECK(limits.partitions >= 1, "a batch of {} partitions", limits.partitions);
  Cutter cutter(space, limits);
  if (!limits.cells_together) {
    // Each cell has runs of its own, so that a hole in one does not cut the others.
    for (const PartitionBlock& block : set.blocks()) {
      for (const Interval& run : block.runs) {
        cutter.Cut(run, CutCells(block.cells, 1), limits.partitions);
      }
    }
    return cutter.Take();
  }
  for (const PartitionSet::Piece& piece : set.Pieces()) {
    const std::vector<std::vector<CellRange>> groups = CutCells(piece.cells, limits.partitions);
    cutter.Cut(piece.interval, groups, std::max<int64_t>(1, limits.partitions / piece.cell_count));
  }
  return cutter.Take();
}

}  // namespace retrofill
