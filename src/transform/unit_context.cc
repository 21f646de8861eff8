#include <absl/time/time.h>

#include <utility>

#include "base/text.h"
#include "transform/transform_sides.h"
#include "warehouse/bounds.h"

namespace retrofill {
namespace {

std::string UtcText(absl::Time t) {
  return absl::FormatTime("%E4Y-%m-%d %H:%M:%E*S", t, absl::UTCTimeZone());
}

// `:interval_start` and `:interval_end`: instants where the column holds instants with a zone, else
// naive readings: civil ones for a civil column, UTC for others.
std::string InstantText(const PartitionSpace& space, const Side& target, absl::Time t) {
  if (target.time && target.time->kind == ColumnKind::kTimestampTz) {
    return fmt::format("TIMESTAMPTZ '{}+00'", UtcText(t));
  }
  if (!space.civil()) return fmt::format("TIMESTAMP '{}'", UtcText(t));
  // Nominal readings, so that a day that skips midnight still starts at 00:00.
  const absl::CivilSecond civil = space.grid().NominalStart(space.grid().Containing(t));
  return fmt::format("TIMESTAMP '{:04}-{:02}-{:02} {:02}:{:02}:{:02}'", civil.year(), civil.month(),
                     civil.day(), civil.hour(), civil.minute(), civil.second());
}

void AddParameters(RenderContext& context, const TransformSides& sides, const PartitionSpace& space,
                   const PartitionSet& unit, absl::Time as_of) {
  context.parameters["as_of"] = fmt::format("TIMESTAMPTZ '{}+00'", UtcText(as_of));
  if (space.has_time()) {
    const Interval hull = unit.Hull();
    context.parameters["interval_start"] = InstantText(space, sides.target, hull.start);
    context.parameters["interval_end"] = InstantText(space, sides.target, hull.end);
  }
  const bool one_cell = unit.blocks().size() == 1 && unit.blocks()[0].cells.size() == 1 &&
                        unit.blocks()[0].cells[0].end == unit.blocks()[0].cells[0].first + 1;
  if (one_cell) {
    const std::vector<DimensionValue> values = space.CellValues(unit.blocks()[0].cells[0].first);
    for (size_t i = 0; i < values.size(); ++i) {
      const Dimension& dimension = space.dimensions()[i];
      context.parameters[Lower(dimension.name)] = QuoteValue(dimension, values[i]);
    }
  }
  if (one_cell && unit.Count(space) == 1) {
    context.parameters["partition"] = QuoteText(space.KeyText(unit.Partitions(space)[0]));
  }
}

std::optional<std::string> WhyMissing(const Placeholder& placeholder, const TransformSides& sides,
                                      const PartitionSpace& space) {
  const bool bounds = placeholder.kind == PlaceholderKind::kWindow ||
                      placeholder.kind == PlaceholderKind::kInterval;
  if (bounds) {
    const TransformInput* input = sides.Find(placeholder.argument);
    if (input != nullptr && !input->windowed()) {
      return fmt::format("`{}` has no {}", input->name,
                         input->table ? "time axis" : "`event_time`: it is read whole");
    }
  }
  if (placeholder.kind != PlaceholderKind::kParameter) return std::nullopt;
  if (placeholder.argument == "partition") {
    return "`:partition` names one partition, and this unit has several: set `batch: 1`";
  }
  for (const Dimension& dimension : space.dimensions()) {
    if (Lower(dimension.name) == placeholder.argument) {
      return fmt::format("`:{}` is one value, and this unit has several", dimension.name);
    }
  }
  if (!space.has_time() && placeholder.argument.substr(0, 8) == "interval") {
    return "the table has no time axis";
  }
  return std::nullopt;
}

}  // namespace

RenderContext ContextFor(const Table& table, const TransformSides& sides,
                         const PartitionSpace& space, const PartitionSet& unit, absl::Time as_of) {
  RenderContext context;
  for (const TransformInput& input : sides.inputs) {
    (input.table ? context.refs : context.sources)[input.name] = input.side.sql;
    if (!input.windowed() || !space.has_time()) continue;
    context.windows[input.name] =
        "(" + RenderBounds(input.side, space, unit, input.before, input.after) + ")";
    context.intervals[input.name] = "(" + RenderBounds(input.side, space, unit) + ")";
  }
  context.self = QuoteRelation(table.relation);
  context.partition = "(" + RenderBounds(sides.target, space, unit) + ")";
  AddParameters(context, sides, space, unit, as_of);
  context.why = [sides, space](const Placeholder& placeholder) {
    return WhyMissing(placeholder, sides, space);
  };
  return context;
}

}  // namespace retrofill
