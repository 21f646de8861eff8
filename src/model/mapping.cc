#include "model/mapping.h"

#include <algorithm>
#include <optional>
#include <set>

#include "model/cut_table.h"
#include "model/key_reader.h"
#include "model/window.h"

namespace retrofill {
namespace {

constexpr absl::CivilSecond kEpoch(1970, 1, 1);

// Instants and readings as seconds on one axis, so that either kind of meeting is one comparison.
class Axis {
 public:
  explicit Axis(bool civil) : civil_(civil) {}

  // Where a bound of a slot, or a bound moved by a window, lies.
  int64_t Of(const Grid& grid, absl::Time t) const {
    return civil_ ? ReadingOfBound(grid, t) - kEpoch : absl::ToUnixSeconds(t);
  }
  // An instant of the grid's zone near a place; where to begin to look.
  absl::Time Near(const Grid& grid, int64_t place) const {
    return civil_ ? grid.zone().FirstAtOrAfter(kEpoch + place) : absl::FromUnixSeconds(place);
  }

 private:
  bool civil_;
};

// The slots of a run that hold, where only those near its two ends may not: `near` says how near.
template <typename Holds>
std::vector<Interval> Sieve(const Grid& grid, const Interval& run, absl::Duration near_start,
                            absl::Duration near_end, const Holds& holds) {
  std::vector<Interval> kept;
  const auto keep = [&kept](const Interval& slots) {
    if (!kept.empty() && kept.back().end == slots.start) {
      kept.back().end = slots.end;
    } else {
      kept.push_back(slots);
    }
  };
  absl::Time t = run.start;
  const auto check_until = [&](absl::Time until) {
    while (t < until) {
      const Interval slot = grid.Containing(t);
      if (holds(slot)) keep(slot);
      t = slot.end;
    }
  };
  check_until(std::min(run.end, run.start + near_start));
  const absl::Time tail = grid.Containing(std::max(t, run.end - near_end)).start;
  if (t < tail) {
    keep({t, tail});
    t = tail;
  }
  check_until(run.end);
  return kept;
}

// The slots of a grid whose read window overlaps [low, high) on the axis. Both ends of a window
// never decrease from slot to slot, so they are one run; but for the slack of clamped months, which
// leaves holes near its ends.
std::vector<Interval> SlotsThatRead(const Grid& grid, const Span& before, const Span& after,
                                    const Axis& axis, int64_t low, int64_t high) {
  const auto ends_after = [&](const Interval& slot) {
    return axis.Of(grid, MoveBound(grid, slot.end, after, 1)) > low;
  };
  const auto starts_before = [&](const Interval& slot) {
    return axis.Of(grid, MoveBound(grid, slot.start, before, -1)) < high;
  };
  const absl::Time first_supported = FirstSupportedInstant();
  const absl::Time last_supported = LastSupportedInstant();
  // Clamped month ends and changes of the clock put the first guess a slot or two off.
  Interval first =
      grid.Containing(MoveBound(grid, axis.Near(grid, low), after, -1) - WindowSlack(grid, after));
  while (first.start > first_supported && ends_after(grid.Previous(first))) {
    first = grid.Previous(first);
  }
  while (first.end < last_supported && !ends_after(first)) first = grid.Next(first);
  Interval last = grid.Containing(MoveBound(grid, axis.Near(grid, high), before, 1) +
                                  WindowSlack(grid, before));
  while (last.end < last_supported && starts_before(grid.Next(last))) last = grid.Next(last);
  while (last.start > first.start && !starts_before(last)) last = grid.Previous(last);
  return Sieve(grid, {first.start, last.end}, WindowSlack(grid, after), WindowSlack(grid, before),
               [&](const Interval& slot) { return ends_after(slot) && starts_before(slot); });
}

// What all slots of a run read: from the earliest start to the latest end, which with slack are not
// those of the first and the last one.
Interval ReadByRun(const Grid& grid, const Interval& run, const Span& before, const Span& after) {
  Interval read = ReadWindow(grid, run, before, after);
  const absl::Time head = std::min(run.end, run.start + WindowSlack(grid, before));
  for (absl::Time t = run.start; t < head; t = grid.Containing(t).end)
    read.start = std::min(read.start, MoveBound(grid, t, before, -1));
  const absl::Time tail = std::max(run.start, run.end - WindowSlack(grid, after));
  for (absl::Time t = run.end; t > tail; t = grid.Previous(grid.Containing(t)).start)
    read.end = std::max(read.end, MoveBound(grid, t, after, 1));
  return read;
}

// The part of an interval inside of the space's begin and end and of `within`, on the grid.
std::optional<Interval> CutTo(const PartitionSpace& space, const Interval& within,
                              Interval interval) {
  if (!space.has_time()) return PartitionSpace::AllTime();
  const Grid& grid = space.grid();
  const auto keep = [&](absl::Time start, absl::Time end) {
    interval.start = std::max(interval.start, start);
    interval.end = std::min(interval.end, end);
  };
  keep(FirstSupportedInstant(), LastSupportedInstant());
  keep(grid.begin().value_or(interval.start), grid.end().value_or(interval.end));
  keep(within.start, within.end);
  if (interval.start >= interval.end) return std::nullopt;
  return Interval{grid.Ceil(interval.start), grid.Floor(interval.end)};
}

// For each dimension of `to`: the place of the dimension of that name in `from`, if there is one.
std::vector<std::optional<size_t>> SharedDimensions(const PartitionSpace& from,
                                                    const PartitionSpace& to) {
  std::vector<std::optional<size_t>> shared;
  for (const Dimension& dimension : to.dimensions()) {
    shared.push_back(from.DimensionOf(dimension.name));
  }
  return shared;
}

// Cells of `to` that match any value that all cells of `from` have.
std::vector<CellRange> MatchAllCells(const PartitionSpace& from, const PartitionSpace& to) {
  const std::vector<std::optional<size_t>> shared = SharedDimensions(from, to);
  std::vector<std::vector<uint32_t>> places(to.dimensions().size());
  for (size_t i = 0; i < places.size(); ++i) {
    if (!shared[i]) continue;
    for (const DimensionValue& value : from.dimensions()[*shared[i]].values) {
      if (const std::optional<uint32_t> place = to.ValueIndex(i, value)) {
        places[i].push_back(*place);
      }
    }
    if (places[i].empty()) return {};
  }
  return CellsOf(to, places);
}

std::vector<CellRange> MatchCells(const PartitionSpace& from, const PartitionSpace& to,
                                  const std::vector<CellRange>& cells) {
  if (cells == std::vector<CellRange>{{0, from.cell_count()}}) return MatchAllCells(from, to);
  const std::vector<std::optional<size_t>> shared = SharedDimensions(from, to);
  std::set<std::vector<std::vector<uint32_t>>> seen;
  std::vector<CellRange> out;
  for (const CellRange& range : cells) {
    for (uint32_t cell = range.first; cell < range.end; ++cell) {
      const std::vector<DimensionValue> values = from.CellValues(cell);
      std::vector<std::vector<uint32_t>> places(shared.size());
      bool listed = true;
      for (size_t i = 0; i < shared.size() && listed; ++i) {
        if (!shared[i]) continue;
        const std::optional<uint32_t> place = to.ValueIndex(i, values[*shared[i]]);
        listed = place.has_value();
        if (listed) places[i] = {*place};
      }
      if (!listed || !seen.insert(places).second) continue;
      const std::vector<CellRange> matched = CellsOf(to, places);
      out.insert(out.end(), matched.begin(), matched.end());
    }
  }
  return out;
}

// CutTo of each.
std::vector<Interval> CutAll(const PartitionSpace& space, const Interval& within,
                             const std::vector<Interval>& intervals) {
  std::vector<Interval> kept;
  for (const Interval& interval : intervals) {
    const std::optional<Interval> cut = CutTo(space, within, interval);
    if (cut && cut->start < cut->end) kept.push_back(*cut);
  }
  return kept;
}

// Maps each block's runs by `map_run` and its cells by name, and unites the results.
template <typename MapRun>
PartitionSet MapBlocks(const PartitionSet& set, const PartitionSpace& from,
                       const PartitionSpace& to, const MapRun& map_run) {
  PartitionSet out;
  for (const PartitionBlock& block : set.blocks()) {
    std::vector<Interval> runs;
    for (const Interval& run : block.runs) {
      for (const Interval& mapped : map_run(run)) runs.push_back(mapped);
    }
    out = Union(out, PartitionSet::Rectangle(std::move(runs), MatchCells(from, to, block.cells)));
  }
  return out;
}

}  // namespace

PartitionSet Downstream(const PartitionSet& changed, const InputMapping& mapping) {
  const PartitionSpace& up = *mapping.upstream;
  const PartitionSpace& down = *mapping.downstream;
  const Axis axis(up.civil() && down.civil());
  return MapBlocks(changed, up, down, [&](const Interval& run) {
    std::vector<Interval> read = {PartitionSpace::AllTime()};
    if (up.has_time() && down.has_time()) {
      read = SlotsThatRead(down.grid(), mapping.before, mapping.after, axis,
                           axis.Of(up.grid(), run.start), axis.Of(up.grid(), run.end));
    }
    return CutAll(down, mapping.within, read);
  });
}

PartitionSet Upstream(const PartitionSet& wanted, const InputMapping& mapping) {
  const PartitionSpace& up = *mapping.upstream;
  const PartitionSpace& down = *mapping.downstream;
  const Axis axis(up.civil() && down.civil());
  return MapBlocks(wanted, down, up, [&](const Interval& run) {
    std::vector<Interval> read = {PartitionSpace::AllTime()};
    if (up.has_time() && down.has_time()) {
      const Interval window = ReadByRun(down.grid(), run, mapping.before, mapping.after);
      read = SlotsThatRead(up.grid(), Span{}, Span{}, axis, axis.Of(down.grid(), window.start),
                           axis.Of(down.grid(), window.end));
    }
    return CutAll(up, mapping.within, read);
  });
}

PartitionSet LaterPartitions(const PartitionSet& set, const PartitionSpace& space,
                             absl::Time until) {
  if (!space.has_time()) return {};
  PartitionSet later;
  for (const PartitionBlock& block : set.blocks()) {
    const Interval after{block.runs.front().end, until};
    const std::optional<Interval> kept = CutTo(space, PartitionSpace::AllTime(), after);
    if (!kept || kept->start >= kept->end) continue;
    later = Union(later, PartitionSet::Rectangle({*kept}, block.cells));
  }
  return Difference(later, set);
}

PartitionSet WithLookback(const PartitionSet& set, const PartitionSpace& space, int64_t lookback) {
  if (!space.has_time()) return set;
  const Grid& grid = space.grid();
  PartitionSet written = set;
  for (const PartitionBlock& block : set.blocks()) {
    std::vector<Interval> runs;
    for (const Interval& run : block.runs) {
      absl::Time start = grid.At({run.start, run.end}, -lookback).start;
      if (grid.begin()) start = std::min(run.start, std::max(start, *grid.begin()));
      runs.push_back({start, run.end});
    }
    written = Union(written, PartitionSet::Rectangle(std::move(runs), block.cells));
  }
  return written;
}

}  // namespace retrofill
