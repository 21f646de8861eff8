#include "warehouse/relation.h"

#include "base/text.h"
#include "warehouse/bounds.h"

namespace retrofill {

const ColumnShape* RelationShape::Find(std::string_view name) const {
  for (const ColumnShape& column : columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

std::string RowsOfSide(const Side& side, const RelationShape& shape) {
  std::vector<std::string> names;
  for (const ColumnShape& column : shape.columns) names.push_back(QuoteName(column.name));
  std::string where = side.filter.empty() ? "" : " where " + side.filter;
  return fmt::format("(select {} from {}{})", Join(names, ", "), side.sql, where);
}

}  // namespace retrofill
