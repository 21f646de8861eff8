#include "warehouse/bounds.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/check.h"
#include "base/text.h"
#include "model/cut_table.h"
#include "model/window.h"
#include "warehouse/position.h"

namespace retrofill {
namespace {

using Values = std::vector<DimensionValue>;

// A dimension that the side carries, and the column that carries it.
struct Carried {
  size_t index;
  const Dimension* dimension;
  std::string column;
};

std::vector<Carried> CarriedDimensions(const Side& side, const PartitionSpace& space) {
  std::vector<Carried> carried;
  for (size_t i = 0; i < space.dimensions().size(); ++i) {
    if (i >= side.dimension_columns.size() || !side.dimension_columns[i]) continue;
    carried.push_back({.index = i,
                       .dimension = &space.dimensions()[i],
                       .column = QuoteName(*side.dimension_columns[i])});
  }
  return carried;
}

// Holds for rows whose column has one of the values. As quoted text, which the engine takes as a
// literal of the column's own type: a source may have another one than the target. Plain `=` and
// `in`: they can use statistics and indexes, where `is not distinct from` cannot.
std::string ValuesTerm(const Carried& carried, const Values& values) {
  std::vector<std::string> literals;
  bool null = false;
  for (const DimensionValue& value : values) {
    if (value.text) {
      literals.push_back(QuoteText(*value.text));
    } else {
      null = true;
    }
  }
  const std::string is_null = carried.column + " is null";
  if (literals.empty()) return is_null;
  const std::string term = literals.size() == 1
                               ? fmt::format("{} = {}", carried.column, literals[0])
                               : fmt::format("{} in ({})", carried.column, Join(literals, ", "));
  return null ? fmt::format("({} or {})", term, is_null) : term;
}

std::string AnyOf(const std::vector<std::string>& terms) {
  return terms.size() == 1 ? terms[0] : fmt::format("({})", Join(terms, " or "));
}

// Holds for the rows of the tuples. Values of a dimension that have the same rest share a term, so
// that a full product is one term per dimension and nothing else ever becomes a cross product.
std::string TuplesTerm(const std::vector<Carried>& carried, size_t at,
                       const std::set<Values>& tuples) {
  std::map<DimensionValue, std::set<Values>> rests;
  for (const Values& tuple : tuples) {
    rests[tuple.front()].insert(Values(tuple.begin() + 1, tuple.end()));
  }
  std::map<std::set<Values>, Values> values_of_rest;
  for (const auto& [value, rest] : rests) values_of_rest[rest].push_back(value);
  std::vector<std::string> terms;
  for (const auto& [rest, values] : values_of_rest) {
    std::string term = ValuesTerm(carried[at], values);
    if (at + 1 < carried.size()) {
      term = fmt::format("{} and {}", term, TuplesTerm(carried, at + 1, rest));
      if (values_of_rest.size() > 1) term = fmt::format("({})", term);
    }
    terms.push_back(std::move(term));
  }
  return AnyOf(terms);
}

std::string CellsTerm(const std::vector<Carried>& carried, const PartitionSpace& space,
                      const std::vector<CellRange>& cells) {
  if (carried.empty()) return "";
  const bool all = cells.size() == 1 && cells[0] == CellRange{0, space.cell_count()};
  if (all) {
    std::vector<std::string> terms;
    for (const Carried& each : carried) terms.push_back(ValuesTerm(each, each.dimension->values));
    return Join(terms, " and ");
  }
  std::set<Values> tuples;
  for (const CellRange& range : cells) {
    for (uint32_t cell = range.first; cell < range.end; ++cell) {
      const Values all_values = space.CellValues(cell);
      Values tuple;
      for (const Carried& each : carried) tuple.push_back(all_values[each.index]);
      tuples.insert(std::move(tuple));
    }
  }
  return TuplesTerm(carried, 0, tuples);
}

bool Elapsed(const Span& span) {
  return !span.zero() && (span.unit == Span::Unit::kMinute || span.unit == Span::Unit::kHour);
}

// The end of a widened run. Part of a date cannot be read, so a column of dates that is widened by
// hours or minutes reads the date in which that ends whole.
absl::Time MoveEnd(const TimeColumn& column, const Grid& grid, absl::Time end, const Span& after) {
  const absl::Time moved = MoveBound(grid, end, after, 1);
  const bool dates = column.kind == ColumnKind::kDate || column.kind == ColumnKind::kYyyymmdd;
  if (!dates || !Elapsed(after)) return moved;
  const absl::CivilDay day = DateOf(column.zone, moved);
  return column.zone.StartOfDate(day) == moved ? moved : column.zone.StartOfDate(day + 1);
}

std::string TimeTerm(const TimeColumn& column, const Grid& grid, const std::vector<Interval>& runs,
                     const Span& before, const Span& after) {
  const std::string name = QuoteName(column.name);
  const auto between = [&](absl::Time first, absl::Time end) {
    return fmt::format("{0} >= {1} and {0} < {2}", name,
                       RenderInstant(column, grid, MoveBound(grid, first, before, -1)),
                       RenderInstant(column, grid, MoveEnd(column, grid, end, after)));
  };
  if (runs.size() == 1) return between(runs[0].start, runs[0].end);
  std::vector<std::string> terms;
  for (const Interval& run : runs) {
    terms.push_back(fmt::format("({})", between(run.start, run.end)));
  }
  // The hull lets the engine skip row groups, which it cannot do for a disjunction.
  return fmt::format("{} and {}", between(runs.front().start, runs.back().end), AnyOf(terms));
}

std::string TimestampText(absl::CivilSecond reading, absl::Duration fraction) {
  std::string text =
      fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", reading.year(), reading.month(),
                  reading.day(), reading.hour(), reading.minute(), reading.second());
  if (fraction > absl::ZeroDuration()) {
    text += fmt::format(".{:06}", absl::ToInt64Microseconds(fraction));
  }
  return text;
}

absl::Duration FractionOf(absl::Time t) {
  const absl::Duration since = t - absl::UnixEpoch();
  return since - absl::Floor(since, absl::Seconds(1));
}

}  // namespace

std::string RenderInstant(const TimeColumn& column, const Grid& grid, absl::Time t) {
  const absl::CivilSecond utc = absl::ToCivilSecond(t, absl::UTCTimeZone());
  switch (column.kind) {
    case ColumnKind::kDate: {
      const absl::CivilDay day(ReadingAt(column, grid, t));
      return fmt::format("DATE '{:04}-{:02}-{:02}'", day.year(), day.month(), day.day());
    }
    case ColumnKind::kTimestampLocal:
      return fmt::format("TIMESTAMP '{}'",
                         TimestampText(ReadingAt(column, grid, t), FractionOf(t)));
    case ColumnKind::kTimestampUtc:
      return fmt::format("TIMESTAMP '{}'", TimestampText(utc, FractionOf(t)));
    case ColumnKind::kTimestampTz:
      return fmt::format("TIMESTAMPTZ '{}+00:00'", TimestampText(utc, FractionOf(t)));
    case ColumnKind::kEpochSeconds:
    case ColumnKind::kEpochMillis:
    case ColumnKind::kEpochMicros:
    case ColumnKind::kEpochNanos:
    case ColumnKind::kYyyymmdd:
      return fmt::format("{}", PositionOf(column, grid, t));
  }
  return "";
}

std::string RenderBounds(const Side& side, const PartitionSpace& space, const PartitionSet& set,
                         const Span& before, const Span& after) {
  RF_CHECK(!set.empty(), "bounds of an empty set of partitions");
  const std::vector<Carried> carried = CarriedDimensions(side, space);
  std::vector<std::string> blocks;
  for (const PartitionBlock& block : set.blocks()) {
    std::vector<std::string> terms;
    if (side.time && space.has_time()) {
      terms.push_back(TimeTerm(*side.time, space.grid(), block.runs, before, after));
    }
    std::string cells = CellsTerm(carried, space, block.cells);
    if (!cells.empty()) terms.push_back(std::move(cells));
    // Nothing to cut by: every row of the side belongs to every partition.
    std::string term = terms.empty() ? "true" : Join(terms, " and ");
    if (set.blocks().size() > 1) term = fmt::format("({})", term);
    blocks.push_back(std::move(term));
  }
  const std::string bounds = AnyOf(blocks);
  return side.filter.empty() ? bounds : fmt::format("{} and ({})", bounds, side.filter);
}

}  // namespace retrofill
