#pragma once

// How a relation's rows are cut into partitions, and what columns it has.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/zone.h"
#include "model/partition_set.h"
#include "model/space.h"

namespace retrofill {

// What the values of a partition or event-time column mean (intervals document, 6).
enum class ColumnKind {
  kDate,            // civil
  kTimestampLocal,  // civil: naive readings in the zone
  kTimestampUtc,    // naive readings in UTC
  kTimestampTz,     // instants
  kEpochSeconds,
  kEpochMillis,
  kEpochMicros,
  kEpochNanos,
  kYyyymmdd,  // civil: integers such as 20260308
};

struct TimeColumn {
  std::string name;  // as the relation spells it
  ColumnKind kind = ColumnKind::kDate;
  Zone zone;  // of a civil column: the zone whose readings it holds
};

// Whether two names are of one column, and whether a list has a name: the one comparison of column
// names, by the rule of the engine, which ignores the case of letters.
bool SameName(std::string_view a, std::string_view b);
bool HasName(const std::vector<std::string>& names, std::string_view name);

struct ColumnShape {
  std::string name;
  std::string type;  // as the engine prints it: `DECIMAL(18,2)`
  bool nullable = true;
  bool operator==(const ColumnShape&) const = default;
};

struct RelationShape {
  std::vector<ColumnShape> columns;  // in ordinal order
  const ColumnShape* Find(std::string_view name) const;
  bool operator==(const RelationShape&) const = default;
};

// Rows to read, and how to cut them. `sql` may stand after FROM: a quoted qualified name,
// `read_parquet('…')` or a subquery in parentheses. Made by the warehouse (QuoteRelation,
// FilesRelation) or from its names; never from user text.
struct Side {
  std::string sql;
  std::string filter;              // further condition, may be empty: `_rf_unit in (3, 4)`
  std::optional<TimeColumn> time;  // none = the relation has no time column: cut by dimensions only
  std::vector<std::optional<std::string>>
      dimension_columns;  // one per dimension of the space; none = the relation lacks it
};

// The rows of a side with these columns alone, as what may stand after FROM: what `{{ this }}` of a
// rule reads when the rows are still staged.
std::string RowsOfSide(const Side& side, const RelationShape& shape);

}  // namespace retrofill
