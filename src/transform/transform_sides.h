#pragma once

// A table's target and inputs as the database has them, and the values that its SQL's placeholders
// take for a unit of work. All bounds come from warehouse/bounds.h.

#include <absl/time/time.h>

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/project.h"
#include "model/span.h"
#include "transform/sql_template.h"
#include "warehouse/warehouse.h"

namespace retrofill {

struct TransformInput {
  std::string name;    // of the source or table
  bool table = false;  // a table of the project, else a source
  bool own = false;    // the transform's own table
  Side side;
  RelationShape shape;
  Span before;
  Span after;
  bool windowed() const { return side.time.has_value(); }
};

struct TransformSides {
  Side target;  // a target that does not exist yet is cut as the transform's result asks for
  std::optional<RelationShape> shape;  // of the target; none = it does not exist yet
  std::vector<Dimension> dimensions;   // of the table, typed as the target's columns
  std::vector<TransformInput> inputs;  // the declared ones, then those the SQL names besides
  const TransformInput* Find(std::string_view name) const;
};

// The declared inputs, then sources and tables that the SQL uses without a declaration (read in
// their own interval). kInvalid C0109 with its place for a name the project does not have.
Result<std::vector<Input>> InputsOf(const Project& project, const Table& table,
                                    const SqlTemplate& sql);

// Describes target and inputs. kFailed P0303 if an input's relation does not exist, kInvalid C0103
// if a time column is missing or of a type that cannot be cut.
Result<TransformSides> ResolveSides(const Project& project, const Table& table,
                                    const SqlTemplate& sql, Session& session);

// How values of a time column are cut, from its type: `holds`, `unit` and `format` as in
// PartitionSpec, `zone` the one of naive readings. kInvalid C0103 for a type that cannot be cut.
Result<TimeColumn> TimeColumnOf(const ColumnShape& column, ColumnHolds holds,
                                const std::string& unit, const std::string& format,
                                const std::string& zone, const Origin& origin);

// The partitions of a table whose target is cut like this. kInvalid C0103 as Grid::Make.
Result<PartitionSpace> SpaceOf(const Table& table, const TransformSides& sides);

// The values of every placeholder for the partitions of `unit` (not empty): for a batch the
// interval is that of the whole batch. The caller may replace some, such as the relation of
// `{{ this }}`.
RenderContext ContextFor(const Table& table, const TransformSides& sides,
                         const PartitionSpace& space, const PartitionSet& unit, absl::Time as_of);

}  // namespace retrofill
