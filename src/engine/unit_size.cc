#include "engine/unit_size.h"

#include <algorithm>

#include "model/limits.h"

namespace retrofill {
namespace {

bool Ready(const PartitionState& p, absl::Time now) {
  return IsComputed(p.action) && p.phase == PartitionPhase::kWaiting && p.not_before <= now;
}

bool InSplit(const RunState& state, size_t place) {
  for (const std::vector<size_t>& half : state.split) {
    if (std::find(half.begin(), half.end(), place) != half.end()) return true;
  }
  return false;
}

// The ready partitions of one interval, from `first` on, in cell order. `partitions` is time-major.
std::vector<size_t> ReadyCells(const RunState& state, size_t first) {
  std::vector<size_t> places;
  const std::vector<PartitionState>& partitions = state.fold.partitions;
  for (size_t i = first; i < partitions.size() &&
                         partitions[i].partition.interval == partitions[first].partition.interval;
       ++i) {
    if (Ready(partitions[i], std::max(state.now, state.waited)) && !InSplit(state, i))
      places.push_back(i);
  }
  return places;
}

// First place of each interval, oldest first.
std::vector<size_t> IntervalStarts(const std::vector<PartitionState>& partitions) {
  std::vector<size_t> starts;
  for (size_t i = 0; i < partitions.size(); ++i) {
    if (i == 0 || !(partitions[i].partition.interval == partitions[i - 1].partition.interval))
      starts.push_back(i);
  }
  return starts;
}

// Whether the places of the next interval continue a unit: adjacent in time, the same cells.
bool Continues(const RunState& state, const std::vector<size_t>& last,
               const std::vector<size_t>& next, bool newest_first) {
  const std::vector<PartitionState>& all = state.fold.partitions;
  if (last.size() != next.size()) return false;
  for (size_t i = 0; i < last.size(); ++i) {
    if (all[last[i]].partition.cell != all[next[i]].partition.cell) return false;
  }
  const Interval& a = all[last[0]].partition.interval;
  const Interval& b = all[next[0]].partition.interval;
  return newest_first ? b.end == a.start : a.end == b.start;
}

// How many partitions fit into the unit time at the rate seen so far; at most half as many again
// as `last`, so that one wrong measurement does no harm. 1 until a rate is known.
int64_t Fitting(const RunState& state, int64_t last) {
  absl::Duration each = state.options.partition_time;
  if (state.partitions_built > 0) each = state.time_built / state.partitions_built;
  if (each <= absl::ZeroDuration()) return 1;
  int64_t fit = std::max<int64_t>(1, state.options.unit_time / each);
  return last > 1 ? std::min(fit, last + (last + 1) / 2) : fit;
}

}  // namespace

int64_t UnitSize(const RunState& state) {
  const RunOptions& options = state.options;
  if (!options.can_batch) return 1;
  int64_t most = options.batch ? *options.batch : kMaxUnitPartitions;
  return std::clamp<int64_t>(Fitting(state, state.last_unit_size), 1, most);
}

int64_t GroupSize(const RunState& state) {
  if (UnitSize(state) > 1 || state.options.on_failure == OnFailure::kStop) return 1;
  int64_t free_slots = std::max(1, state.options.slots - state.builds);
  int64_t share = (state.fold.Counts().waiting + free_slots - 1) / free_slots;
  int64_t most = std::clamp<int64_t>(share, 1, kMaxGroupUnits);
  return std::clamp<int64_t>(Fitting(state, state.last_group_size), 1, most);
}

std::vector<size_t> NextUnit(RunState& state) {
  if (!state.split.empty()) {
    std::vector<size_t> half = std::move(state.split.front());
    state.split.pop_front();
    return half;
  }
  int64_t size = UnitSize(state);
  bool newest_first = state.fold.plan->settings.order == Order::kNewestFirst;
  std::vector<size_t> starts = IntervalStarts(state.fold.partitions);
  if (newest_first) std::reverse(starts.begin(), starts.end());
  std::vector<size_t> unit;
  std::vector<size_t> last;
  for (size_t start : starts) {
    std::vector<size_t> cells = ReadyCells(state, start);
    if (cells.empty()) {
      if (!unit.empty()) break;
      continue;
    }
    if (!state.options.cells_together || static_cast<int64_t>(cells.size()) > size) {
      if (!unit.empty()) break;
      cells.resize(state.options.cells_together ? static_cast<size_t>(size) : 1);
      return cells;
    }
    if (!unit.empty() && (static_cast<int64_t>(unit.size() + cells.size()) > size ||
                          !Continues(state, last, cells, newest_first)))
      break;
    unit.insert(unit.end(), cells.begin(), cells.end());
    last = std::move(cells);
  }
  return unit;
}

absl::Duration BackOff(const Attempts& attempts, int64_t attempt, double jitter) {
  absl::Duration wait = attempts.backoff_min;
  for (int64_t i = 1; i < attempt && wait < attempts.backoff_max; ++i) wait *= 2;
  return std::min(wait, attempts.backoff_max) * (0.5 + jitter / 2);
}

}  // namespace retrofill
