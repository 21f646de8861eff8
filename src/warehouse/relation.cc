#include "warehouse/relation.h"

#include <algorithm>

#include "base/text.h"
#include "warehouse/bounds.h"

namespace retrofill {

bool SameName(std::string_view a, std::string_view b) { return Lower(a) == Lower(b); }

bool HasName(const std::vector<std::string>& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& listed) { return SameName(listed, name); });
}

const ColumnShape* RelationShape::Find(std::string_view name) const {
  for (const ColumnShape& column : columns) {
    if (SameName(column.name, name)) return &column;
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
