#pragma once

// Which table of a project reads which (intervals document, 11): the order in which a change goes
// down, and what a table must look like to be asked about its partitions.

#include <map>
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

struct TableNode {
  const Table* table = nullptr;    // of the project
  std::optional<SqlTemplate> sql;  // none = it cannot be read; `problem` says why
  std::vector<Input> reads;        // inputs that are tables, the table itself included
  std::string problem;
  bool ReadsItself() const;
};

// Inputs are the declared ones and those that the SQL names besides. The project outlives it.
class TableGraph {
 public:
  explicit TableGraph(const Project& project);

  // The tables that read this one, directly or through others, each after everything it reads.
  std::vector<const TableNode*> Below(const std::string& table) const;
  const TableNode* Find(const std::string& table) const;

 private:
  void Append(const std::string& name);

  std::map<std::string, TableNode> nodes_;
  std::vector<const TableNode*> order_;  // upstream before downstream
};

// A table as its database has it, without binding its transform.
struct TableLook {
  std::shared_ptr<const PartitionSpace> space;
  TransformSides sides;
  std::string digest;  // of the transform now
};

// Errors as ResolveSides and SpaceOf; `node.sql` is there.
Result<TableLook> LookAtTable(const Project& project, const TableNode& node, Session& session);

}  // namespace retrofill
