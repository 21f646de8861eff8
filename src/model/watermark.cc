#include "model/watermark.h"

#include <algorithm>

#include "model/cut_table.h"
#include "model/window.h"

namespace retrofill {
namespace {

// The start of the first slot whose read window does not begin before the floor.
absl::Time FirstHeld(const Grid& grid, const InputBounds& input) {
  const auto held = [&](absl::Time start) {
    return MoveBound(grid, start, input.before, -1) >= *input.floor;
  };
  Interval slot = grid.Containing(MoveBound(grid, *input.floor, input.before, 1) +
                                  WindowSlack(grid, input.before));
  while (slot.start > FirstSupportedInstant() && held(grid.Previous(slot).start)) {
    slot = grid.Previous(slot);
  }
  while (slot.end < LastSupportedInstant() && !held(slot.start)) slot = grid.Next(slot);
  return slot.start;
}

// The end of the last slot whose read window does not end after the watermark.
absl::Time LastComplete(const Grid& grid, const InputBounds& input) {
  const auto complete = [&](absl::Time end) {
    return MoveBound(grid, end, input.after, 1) <= input.watermark;
  };
  Interval slot = grid.Containing(MoveBound(grid, input.watermark, input.after, -1) -
                                  WindowSlack(grid, input.after));
  while (slot.end < LastSupportedInstant() && complete(grid.Next(slot).end)) slot = grid.Next(slot);
  while (slot.start > FirstSupportedInstant() && !complete(slot.end)) slot = grid.Previous(slot);
  return slot.end;
}

PartitionSet Between(const PartitionSet& set, const PartitionSpace& space, absl::Time start,
                     absl::Time end) {
  if (start >= end) return {};
  return Intersection(set, PartitionSet::All(space, {start, end}));
}

}  // namespace

absl::Time RetentionFloor(const Zone& zone, absl::Time as_of, int64_t days) {
  return zone.StartOfDate(DateOf(zone, as_of) - days);
}

ClassedSet ClassifyAt(const PartitionSet& set, const PartitionSpace& space, absl::Time as_of,
                      const std::vector<InputBounds>& inputs,
                      std::optional<absl::Time> expires_before) {
  ClassedSet out;
  if (!space.has_time()) {
    out.complete = set;
    return out;
  }
  const Grid& grid = space.grid();
  const absl::Time past = absl::InfinitePast();
  const absl::Time closed = grid.Floor(as_of);
  const absl::Time future = grid.Ceil(as_of);
  absl::Time held = past;
  if (expires_before) held = grid.Ceil(*expires_before);
  absl::Time complete = closed;
  for (const InputBounds& input : inputs) {
    if (input.floor) held = std::max(held, FirstHeld(grid, input));
    complete = std::min(complete, LastComplete(grid, input));
  }
  held = std::min(held, closed);
  complete = std::max(complete, held);
  out.expired = Between(set, space, past, held);
  out.complete = Between(set, space, held, complete);
  out.incomplete = Between(set, space, complete, closed);
  out.open = Between(set, space, closed, future);
  out.future = Between(set, space, future, absl::InfiniteFuture());
  return out;
}

}  // namespace retrofill
