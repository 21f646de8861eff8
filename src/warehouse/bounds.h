#pragma once

// The one renderer of partition bounds (intervals document, 6). Every read, delete, count and check
// takes its predicate from here.

#include <optional>
#include <string>

#include "model/partition_set.h"
#include "model/space.h"
#include "model/span.h"
#include "warehouse/relation.h"

namespace retrofill {

// SQL condition that holds exactly for the rows of `set` in `side`, null-safe, always with both
// time bounds and one term per dimension that the side carries; several cells are a tuple list
// unless they are a full product. RF_CHECKs that the set is not empty. Typed literals only.
// `before` and `after` widen each run (what a transform reads).
std::string RenderBounds(const Side& side, const PartitionSpace& space, const PartitionSet& set,
                         const Span& before = {}, const Span& after = {});

// SQL expression whose value, as text, names the slot a row is in, for grouping many partitions in
// one scan; nullopt where only separate bounds are exact for this grid, zone and column. SlotOfText
// turns the value back.
std::optional<std::string> RenderSlot(const Side& side, const PartitionSpace& space);
std::optional<Interval> SlotOfText(const Side& side, const PartitionSpace& space,
                                   const std::string& text);

// A literal of the side's time column type for an instant on the grid: `DATE '2026-01-31'`,
// `TIMESTAMP '…'`.
std::string RenderInstant(const TimeColumn& column, const Grid& grid, absl::Time t);

// `"a""b"`; `'it''s'`; a dimension value as a literal of its type, `NULL` for NULL.
std::string QuoteName(std::string_view name);
std::string QuoteText(std::string_view text);
std::string QuoteValue(const Dimension& dimension, const DimensionValue& value);
// `analytics.revenue_daily` -> `"analytics"."revenue_daily"`; parts may already be quoted.
std::string QuoteRelation(std::string_view relation);
// `read_parquet('…')`, `read_csv('…')` or `read_json('…', format='newline_delimited')` by the
// extension.
Result<std::string> FilesRelation(const std::string& glob);

}  // namespace retrofill
