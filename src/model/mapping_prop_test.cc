#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "model/mapping.h"
#include "model/watermark.h"
#include "model/window.h"

namespace retrofill {
namespace {

const std::vector<std::string> kZones = {"UTC",          "America/New_York",    "Europe/Berlin",
                                         "Asia/Tokyo",   "Australia/Lord_Howe", "Antarctica/Troll",
                                         "Pacific/Apia", "America/Sao_Paulo",   "Africa/Cairo"};

Grid AnyGrid(const std::vector<std::string>& grains) {
  Result<Zone> zone = Zone::Load(*rc::gen::elementOf(kZones));
  RC_ASSERT(zone.ok());
  Result<Grid> grid = Grid::Make({.by = *rc::gen::elementOf(grains),
                                  .zone = *zone,
                                  .week_start = absl::Weekday::monday,
                                  .begin = {},
                                  .end = {}});
  RC_ASSERT(grid.ok());
  return std::move(*grid);
}

Span AnySpan() {
  const auto unit = *rc::gen::elementOf(
      std::vector<Span::Unit>{Span::Unit::kMinute, Span::Unit::kHour, Span::Unit::kDay,
                              Span::Unit::kWeek, Span::Unit::kMonth});
  return {*rc::gen::inRange<int64_t>(0, 5), unit};
}

std::vector<Interval> Slots(const Grid& grid, const Interval& around) {
  std::vector<Interval> slots;
  for (Interval slot = grid.Containing(around.start); slot.start < around.end;
       slot = grid.Next(slot)) {
    slots.push_back(slot);
  }
  return slots;
}

// Months of windows on parts of a day: what is complete may then be less than the definition.
bool HasSlack(const Grid& grid, const Span& before, const Span& after) {
  return WindowSlack(grid, before) + WindowSlack(grid, after) > absl::ZeroDuration();
}

// The definition: the two intervals share an instant, or a reading if both columns are civil.
bool Overlaps(const Grid& a, const Interval& x, const Grid& b, const Interval& y, bool civil) {
  if (!civil) return x.start < y.end && y.start < x.end;
  const auto reading = [](const Grid& grid, absl::Time t) {
    const Interval slot = grid.Containing(t);
    return slot.start == t ? grid.NominalStart(slot) : grid.zone().CivilAt(t);
  };
  return reading(a, x.start) < reading(b, y.end) && reading(b, y.start) < reading(a, x.end);
}

RC_GTEST_PROP(MappingProperty, AgreesWithTheDefinitionBothWays, ()) {
  const bool civil = *rc::gen::arbitrary<bool>();
  const std::vector<std::string> grains =
      civil ? std::vector<std::string>{"day", "week", "month"}
            : std::vector<std::string>{"6h", "day", "week", "month", "45m"};
  const PartitionSpace up(AnyGrid(grains), {}, civil);
  const PartitionSpace down(AnyGrid(grains), {}, civil);
  const absl::Time middle =
      absl::FromUnixSeconds(*rc::gen::inRange<int64_t>(1'300'000'000, 1'800'000'000));
  const std::vector<Interval> upstream =
      Slots(up.grid(), {middle, middle + absl::Hours(24 * *rc::gen::inRange(1, 12))});
  std::vector<Partition> changed;
  for (const Interval& slot : upstream) {
    if (*rc::gen::inRange(0, 3) == 0) changed.push_back({slot, 0});
  }
  const InputMapping mapping{
      .upstream = &up, .downstream = &down, .before = AnySpan(), .after = AnySpan()};
  const PartitionSet stale = Downstream(PartitionSet::Of(up, changed), mapping);
  // Wide enough for every window and for a month at either end.
  const Interval wide{middle - absl::Hours(24 * 220), middle + absl::Hours(24 * 240)};
  std::vector<Partition> expected;
  for (const Interval& slot : Slots(down.grid(), wide)) {
    const Interval read = ReadWindow(down.grid(), slot, mapping.before, mapping.after);
    for (const Partition& u : changed) {
      if (Overlaps(down.grid(), read, up.grid(), u.interval, civil)) {
        expected.push_back({slot, 0});
        break;
      }
    }
  }
  const PartitionSet exact = PartitionSet::Of(down, expected);
  RC_ASSERT(stale == exact);
  for (const Partition& p : expected) {
    const PartitionSet reads = Upstream(PartitionSet::Of(down, {p}), mapping);
    const Interval window = ReadWindow(down.grid(), p.interval, mapping.before, mapping.after);
    for (const Interval& u : upstream) {
      RC_ASSERT(reads.Contains({u, 0}) == Overlaps(down.grid(), window, up.grid(), u, civil));
    }
  }
}

RC_GTEST_PROP(WatermarkProperty, ClassesAgreeWithTheDefinition, ()) {
  const PartitionSpace space(AnyGrid({"6h", "day", "week", "month", "hour"}), {}, false);
  const Grid& grid = space.grid();
  const absl::Time as_of =
      absl::FromUnixSeconds(*rc::gen::inRange<int64_t>(1'300'000'000, 1'800'000'000));
  const std::vector<Interval> slots =
      Slots(grid, {as_of - absl::Hours(24 * 40), as_of + absl::Hours(24 * 10)});
  InputBounds input{.before = AnySpan(),
                    .after = AnySpan(),
                    .watermark = as_of - absl::Hours(*rc::gen::inRange(0, 100)),
                    .floor = std::nullopt};
  if (*rc::gen::arbitrary<bool>()) {
    input.floor = RetentionFloor(grid.zone(), as_of, *rc::gen::inRange(0, 60));
  }
  const PartitionSet set = PartitionSet::All(space, {slots.front().start, slots.back().end});
  const ClassedSet classed = ClassifyAt(set, space, as_of, {input});
  for (const Interval& slot : slots) {
    const Interval read = ReadWindow(grid, slot, input.before, input.after);
    const PartitionSet& expected = slot.start >= as_of                        ? classed.future
                                   : slot.end > as_of                         ? classed.open
                                   : input.floor && read.start < *input.floor ? classed.expired
                                   : read.end > input.watermark               ? classed.incomplete
                                                                              : classed.complete;
    if (!HasSlack(grid, input.before, input.after)) {
      RC_ASSERT(expected.Contains({slot, 0}));
    } else if (classed.complete.Contains({slot, 0})) {
      const bool complete = &expected == &classed.complete;
      RC_ASSERT(complete);
    }
  }
  RC_ASSERT(classed.future.Count(space) + classed.open.Count(space) + classed.expired.Count(space) +
                classed.incomplete.Count(space) + classed.complete.Count(space) ==
            static_cast<int64_t>(slots.size()));
}

}  // namespace
}  // namespace retrofill
