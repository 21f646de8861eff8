#include "model/partition_set.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/check.h"

namespace retrofill {
namespace {

using Runs = std::vector<Interval>;

bool StartsBefore(const Interval& a, const Interval& b) {
  return a.start != b.start ? a.start < b.start : a.end < b.end;
}

struct RunsBefore {
  bool operator()(const Runs& a, const Runs& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), StartsBefore);
  }
};

void AppendRun(Runs& runs, absl::Time start, absl::Time end) {
  if (start >= end) return;
  if (!runs.empty() && runs.back().end >= start) {
    runs.back().end = std::max(runs.back().end, end);
  } else {
    runs.push_back({start, end});
  }
}

Runs UnionRuns(const Runs& a, const Runs& b) {
  Runs out;
  out.reserve(a.size() + b.size());
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() || j < b.size()) {
    const bool left = j == b.size() || (i < a.size() && StartsBefore(a[i], b[j]));
    const Interval& next = left ? a[i++] : b[j++];
    AppendRun(out, next.start, next.end);
  }
  return out;
}

Runs IntersectRuns(const Runs& a, const Runs& b) {
  Runs out;
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    AppendRun(out, std::max(a[i].start, b[j].start), std::min(a[i].end, b[j].end));
    if (a[i].end < b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return out;
}

Runs SubtractRuns(const Runs& a, const Runs& b) {
  Runs out;
  size_t j = 0;
  for (const Interval& run : a) {
    absl::Time at = run.start;
    while (j < b.size() && b[j].end <= at) ++j;
    for (size_t k = j; k < b.size() && b[k].start < run.end; ++k) {
      AppendRun(out, at, b[k].start);
      at = std::max(at, b[k].end);
    }
    AppendRun(out, at, run.end);
  }
  return out;
}

void AppendCells(std::vector<CellRange>& cells, const CellRange& range) {
  if (!cells.empty() && cells.back().end >= range.first) {
    cells.back().end = std::max(cells.back().end, range.end);
  } else {
    cells.push_back(range);
  }
}

std::vector<CellRange> NormalizeCells(std::vector<CellRange> cells) {
  std::sort(cells.begin(), cells.end(),
            [](const CellRange& a, const CellRange& b) { return a.first < b.first; });
  std::vector<CellRange> out;
  for (const CellRange& range : cells) {
    if (range.first < range.end) AppendCells(out, range);
  }
  return out;
}

int64_t CellCount(const std::vector<CellRange>& cells) {
  int64_t count = 0;
  for (const CellRange& range : cells) count += range.end - range.first;
  return count;
}

}  // namespace

std::vector<Interval> NormalizeRuns(std::vector<Interval> runs) {
  std::sort(runs.begin(), runs.end(), StartsBefore);
  Runs out;
  for (const Interval& run : runs) AppendRun(out, run.start, run.end);
  return out;
}

// `places` are sorted by cell, disjoint, and point into `runs`, whose entries may be empty or equal
// to each other.
PartitionSet PartitionSet::FromPlaces(std::vector<Place> places, std::vector<Runs> runs) {
  std::map<Runs, uint32_t, RunsBefore> known;  // runs -> block
  std::vector<uint32_t> block_of(runs.size(), UINT32_MAX);
  PartitionSet set;
  for (const Place& place : places) {
    Runs& mine = runs[place.block];
    uint32_t& block = block_of[place.block];
    if (block == UINT32_MAX) {
      if (mine.empty()) continue;
      const auto next = static_cast<uint32_t>(set.blocks_.size());
      const auto [entry, added] = known.try_emplace(std::move(mine), next);
      if (added) set.blocks_.push_back({.cells = {}, .runs = entry->first});
      block = entry->second;
    }
    AppendCells(set.blocks_[block].cells, place.cells);
    if (!set.places_.empty() && set.places_.back().block == block &&
        set.places_.back().cells.end == place.cells.first) {
      set.places_.back().cells.end = place.cells.end;
    } else {
      set.places_.push_back({.cells = place.cells, .block = block});
    }
  }
  return set;
}

PartitionSet PartitionSet::Rectangle(std::vector<Interval> runs, std::vector<CellRange> cells) {
  std::vector<Place> places;
  for (const CellRange& range : NormalizeCells(std::move(cells))) {
    places.push_back({.cells = range, .block = 0});
  }
  return FromPlaces(std::move(places), {NormalizeRuns(std::move(runs))});
}

PartitionSet PartitionSet::All(const PartitionSpace& space, const Interval& interval) {
  return Rectangle({interval}, {{0, space.cell_count()}});
}

PartitionSet PartitionSet::Of(const PartitionSpace& space, std::vector<Partition> partitions) {
  std::sort(partitions.begin(), partitions.end(), [](const Partition& a, const Partition& b) {
    return a.cell != b.cell ? a.cell < b.cell : StartsBefore(a.interval, b.interval);
  });
  std::vector<Place> places;
  std::vector<Runs> runs;
  for (const Partition& partition : partitions) {
    RF_CHECK(partition.cell < space.cell_count(), "cell {} of {}", partition.cell,
             space.cell_count());
    if (places.empty() || places.back().cells.first != partition.cell) {
      places.push_back({.cells = {partition.cell, partition.cell + 1},
                        .block = static_cast<uint32_t>(runs.size())});
      runs.emplace_back();
    }
    AppendRun(runs.back(), partition.interval.start, partition.interval.end);
  }
  return FromPlaces(std::move(places), std::move(runs));
}

int64_t PartitionSet::Count(const PartitionSpace& space) const {
  int64_t count = 0;
  for (const PartitionBlock& block : blocks_) {
    int64_t slots = 0;
    for (const Interval& run : block.runs) slots += space.SlotCount(run);
    count += slots * CellCount(block.cells);
  }
  return count;
}

const std::vector<Interval>& PartitionSet::RunsOf(uint32_t cell) const {
  static const Runs kNone;
  const auto after = std::upper_bound(places_.begin(), places_.end(), cell,
                                      [](uint32_t c, const Place& p) { return c < p.cells.first; });
  if (after == places_.begin() || (after - 1)->cells.end <= cell) return kNone;
  return blocks_[(after - 1)->block].runs;
}

bool PartitionSet::Contains(const Partition& partition) const {
  const Runs& runs = RunsOf(partition.cell);
  const auto after =
      std::upper_bound(runs.begin(), runs.end(), partition.interval.start,
                       [](absl::Time start, const Interval& run) { return start < run.start; });
  return after != runs.begin() && partition.interval.end <= (after - 1)->end;
}

template <typename Combine>
PartitionSet PartitionSet::Sweep(const PartitionSet& a, const PartitionSet& b,
                                 const Combine& combine) {
  static const Runs kNone;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> known;  // blocks of a and b -> place in runs
  std::vector<Runs> runs;
  std::vector<Place> places;
  size_t i = 0;
  size_t j = 0;
  uint32_t at = 0;
  // From one edge of a range to the next; between two edges both sets keep their block.
  while (i < a.places_.size() || j < b.places_.size()) {
    uint32_t next = UINT32_MAX;
    uint32_t in_a = UINT32_MAX;
    uint32_t in_b = UINT32_MAX;
    const auto look = [&](const std::vector<Place>& of, size_t& k, uint32_t& block) {
      while (k < of.size() && of[k].cells.end <= at) ++k;
      if (k == of.size()) return;
      const bool inside = of[k].cells.first <= at;
      if (inside) block = of[k].block;
      next = std::min(next, inside ? of[k].cells.end : of[k].cells.first);
    };
    look(a.places_, i, in_a);
    look(b.places_, j, in_b);
    if (in_a != UINT32_MAX || in_b != UINT32_MAX) {
      const auto [entry, added] =
          known.try_emplace({in_a, in_b}, static_cast<uint32_t>(runs.size()));
      if (added) {
        runs.push_back(combine(in_a == UINT32_MAX ? kNone : a.blocks_[in_a].runs,
                               in_b == UINT32_MAX ? kNone : b.blocks_[in_b].runs));
      }
      places.push_back({.cells = {at, next}, .block = entry->second});
    }
    at = next;
  }
  return FromPlaces(std::move(places), std::move(runs));
}

PartitionSet Union(const PartitionSet& a, const PartitionSet& b) {
  return PartitionSet::Sweep(a, b, UnionRuns);
}

PartitionSet Union(std::vector<PartitionSet> sets) {
  while (sets.size() > 1) {
    const size_t half = (sets.size() + 1) / 2;
    for (size_t i = 0; i < half; ++i) {
      const bool alone = 2 * i + 1 == sets.size();
      sets[i] = alone ? std::move(sets[2 * i]) : Union(sets[2 * i], sets[2 * i + 1]);
    }
    sets.resize(half);
  }
  return sets.empty() ? PartitionSet() : std::move(sets.front());
}

PartitionSet Difference(const PartitionSet& a, const PartitionSet& b) {
  return PartitionSet::Sweep(a, b, SubtractRuns);
}

PartitionSet Intersection(const PartitionSet& a, const PartitionSet& b) {
  return PartitionSet::Sweep(a, b, IntersectRuns);
}

bool IsSubset(const PartitionSet& a, const PartitionSet& b) { return Difference(a, b).empty(); }

std::vector<PartitionSet::Piece> PartitionSet::Pieces() const {
  std::vector<Piece> pieces;
  if (blocks_.size() == 1) {
    for (const Interval& run : blocks_[0].runs) {
      pieces.push_back({run, blocks_[0].cells, CellCount(blocks_[0].cells)});
    }
    return pieces;
  }
  struct Edge {
    absl::Time at;
    uint32_t block;
    bool opens;
  };
  std::vector<Edge> edges;
  for (uint32_t block = 0; block < blocks_.size(); ++block) {
    for (const Interval& run : blocks_[block].runs) {
      edges.push_back({run.start, block, true});
      edges.push_back({run.end, block, false});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& x, const Edge& y) { return x.at < y.at; });
  std::set<uint32_t> open;
  for (size_t i = 0; i < edges.size();) {
    const absl::Time at = edges[i].at;
    for (; i < edges.size() && edges[i].at == at; ++i) {
      // A run of a block never touches its next one, so no block closes and opens at one instant.
      if (edges[i].opens) {
        open.insert(edges[i].block);
      } else {
        open.erase(edges[i].block);
      }
    }
    if (open.empty()) continue;
    std::vector<CellRange> cells;
    for (uint32_t block : open) {
      cells.insert(cells.end(), blocks_[block].cells.begin(), blocks_[block].cells.end());
    }
    cells = NormalizeCells(std::move(cells));
    const int64_t count = CellCount(cells);
    pieces.push_back({{at, edges[i].at}, std::move(cells), count});
  }
  return pieces;
}

void PartitionSet::ForEach(const PartitionSpace& space,
                           const std::function<bool(const Partition&)>& visit) const {
  for (const Piece& piece : Pieces()) {
    Interval slot = space.has_time() ? space.grid().Containing(piece.interval.start)
                                     : PartitionSpace::AllTime();
    while (true) {
      for (const CellRange& range : piece.cells) {
        for (uint32_t cell = range.first; cell < range.end; ++cell) {
          if (!visit(Partition{slot, cell})) return;
        }
      }
      if (slot.end >= piece.interval.end) break;
      slot = space.grid().Next(slot);
    }
  }
}

Partition PartitionSet::At(const PartitionSpace& space, int64_t k) const {
  for (const Piece& piece : Pieces()) {
    const int64_t size = space.SlotCount(piece.interval) * piece.cell_count;
    if (k >= size) {
      k -= size;
      continue;
    }
    Partition partition{PartitionSpace::AllTime(), 0};
    if (space.has_time()) {
      partition.interval = space.grid().At(piece.interval, k / piece.cell_count);
    }
    int64_t rest = k % piece.cell_count;
    for (const CellRange& range : piece.cells) {
      if (rest < range.end - range.first) {
        partition.cell = range.first + static_cast<uint32_t>(rest);
        return partition;
      }
      rest -= range.end - range.first;
    }
  }
  RF_CHECK(false, "the set has no partition of this number");
}

std::vector<Partition> PartitionSet::Partitions(const PartitionSpace& space) const {
  std::vector<Partition> out;
  out.reserve(static_cast<size_t>(Count(space)));
  ForEach(space, [&](const Partition& partition) {
    out.push_back(partition);
    return true;
  });
  return out;
}

Interval PartitionSet::Hull() const {
  Interval hull{absl::InfiniteFuture(), absl::InfinitePast()};
  for (const PartitionBlock& block : blocks_) {
    hull.start = std::min(hull.start, block.runs.front().start);
    hull.end = std::max(hull.end, block.runs.back().end);
  }
  return hull;
}

}  // namespace retrofill
