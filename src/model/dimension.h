#pragma once

#include <optional>
#include <string>
#include <vector>

namespace retrofill {

// One value of a dimension. NULL is a value of its own; the empty text is another. Values compare
// by exact bytes. Integers and booleans are held as their canonical text ("-7", "true"); the type
// stands in the Dimension.
struct DimensionValue {
  std::optional<std::string> text;  // none = NULL
  bool operator==(const DimensionValue&) const = default;
  auto operator<=>(const DimensionValue&) const = default;
};

enum class DimensionType { kText, kInt, kBool };

// A non-time part of a partition key, with the values that the table may have, in declared order.
// The column has the same name.
struct Dimension {
  std::string name;
  DimensionType type = DimensionType::kText;
  std::vector<DimensionValue> values;
};

}  // namespace retrofill
