#include "transform/dimension_types.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "model/space.h"

namespace retrofill {
namespace {

DimensionType TypeOf(const ColumnShape* column) {
  constexpr std::array<std::string_view, 10> kIntegers = {
      "TINYINT",  "SMALLINT",  "INTEGER",  "BIGINT",  "HUGEINT",
      "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"};
  if (column == nullptr) return DimensionType::kText;
  if (column->type == "BOOLEAN") return DimensionType::kBool;
  const bool is_integer =
      std::find(kIntegers.begin(), kIntegers.end(), column->type) != kIntegers.end();
  return is_integer ? DimensionType::kInt : DimensionType::kText;
}

// Of any length: the widest column has 39 digits.
std::optional<std::string> CanonicalInteger(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (!IsDigits(text)) return std::nullopt;
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));
  return (is_negative && text != "0" ? "-" : "") + std::string(text);
}

std::optional<std::string> Canonical(DimensionType type, const std::string& text) {
  switch (type) {
    case DimensionType::kText:
      return text;
    case DimensionType::kInt:
      return CanonicalInteger(text);
    case DimensionType::kBool: {
      std::string word = Lower(text);
      if (word != "true" && word != "false") return std::nullopt;
      return word;
    }
  }
  return text;
}

Error NoSuchValue(const Dimension& dimension, const std::string& text, const ColumnShape& column) {
  return Fail(ErrorCode::kInvalid, "C0103",
              "value `{}` of dimension `{}` is none of its column: {}", text, dimension.name,
              column.type)
      .Help(dimension.type == DimensionType::kBool ? "write \"true\" or \"false\""
                                                   : "write whole numbers, such as \"7\"");
}

}  // namespace

Result<std::vector<Dimension>> TypedDimensions(std::vector<Dimension> dimensions,
                                               const RelationShape& target, const Origin& origin) {
  for (Dimension& dimension : dimensions) {
    const ColumnShape* column = target.Find(dimension.name);
    dimension.type = TypeOf(column);
    for (DimensionValue& value : dimension.values) {
      if (!value.text) continue;
      std::optional<std::string> canonical = Canonical(dimension.type, *value.text);
      if (!canonical) return NoSuchValue(dimension, *value.text, *column).At(origin);
      value.text = std::move(canonical);
    }
  }
  Status fits = CheckDimensions(dimensions);
  if (!fits.ok()) return std::move(fits).error().At(origin);
  return dimensions;
}

}  // namespace retrofill
