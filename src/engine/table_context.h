#pragma once

// A table of the project together with what its database says about it: everything that planning,
// building and checking need to know, found out once per command.

#include <absl/time/time.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/project.h"
#include "model/space.h"
#include "transform/sql_template.h"
#include "transform/transform_sides.h"
#include "warehouse/warehouse.h"

namespace retrofill {

struct TableContext {
  const Project* project = nullptr;  // outlives the context
  const Table* table = nullptr;
  SqlTemplate sql;
  std::string digest;  // of the transform (TransformDigest)
  TransformSides sides;
  std::shared_ptr<const PartitionSpace> space;
  RelationShape result;  // what the transform returns
  RelationShape shape;   // the target's columns; where it does not exist yet those of the result
  bool target_exists = false;
  std::string zone_db;  // version of the zone rules

  // The staged and the saved rows, cut as the target is. `table` is the name inside its schema.
  Side StageSide(const std::string& stage) const;
  Side BackupSide(const std::string& backup) const;
  // A request for fingerprints of the target's columns in a side.
  FingerprintRequest Fingerprints(const Side& side, const PartitionSet& set, bool all_groups,
                                  int level = 1) const;
  // The statement that computes `unit`. Errors as Render.
  Result<RenderedSql> RenderUnit(const PartitionSet& unit, absl::Time as_of) const;
  // Whether one statement may compute several cells, and several intervals, at once.
  bool cells_together() const;
  bool can_batch() const;
};

// Reads the transform (or takes `pinned` text instead), describes target and inputs, binds the
// statement. kInvalid X0205, X0206, C0109, C0111 with their places; kRefused P0208 if result and
// target have different columns, P0303 if an input is gone.
Result<TableContext> BindTable(const Project& project, const Table& table,
                               const std::optional<std::string>& pinned, Session& session,
                               absl::Time as_of);

// The same without the transform and its inputs: for undoing, which must work when the SQL is
// broken or a source is gone. kRefused P0303 if the target does not exist.
Result<TableContext> BindTarget(const Project& project, const Table& table, Session& session);

// The first 128 bits of SHA-256 over the columns: name, type, nullability (verification
// document, 2.6).
std::string ShapeHash(const RelationShape& shape);

}  // namespace retrofill
