#include "warehouse/duckdb_hash.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/decimal.h"
#include "warehouse/bounds.h"

namespace retrofill {
namespace {

constexpr std::string_view kTwoTo64 = "18446744073709551616";

bool IsNested(std::string_view type) {
  if (type.ends_with(']')) return true;
  for (std::string_view prefix : {"STRUCT(", "MAP(", "UNION("}) {
    if (type.starts_with(prefix)) return true;
  }
  return false;
}

bool IsInteger(std::string_view type) {
  constexpr std::array<std::string_view, 8> kIntegers = {
      "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"};
  return std::find(kIntegers.begin(), kIntegers.end(), type) != kIntegers.end();
}

// Types whose hash() tells every two values apart.
bool HashesAsItIs(std::string_view type) {
  constexpr std::array<std::string_view, 18> kTypes = {"BOOLEAN",
                                                       "HUGEINT",
                                                       "UHUGEINT",
                                                       "BIGNUM",
                                                       "FLOAT",
                                                       "DOUBLE",
                                                       "VARCHAR",
                                                       "BLOB",
                                                       "BIT",
                                                       "UUID",
                                                       "DATE",
                                                       "TIME",
                                                       "TIME WITH TIME ZONE",
                                                       "TIMESTAMP",
                                                       "TIMESTAMP WITH TIME ZONE",
                                                       "TIMESTAMP_S",
                                                       "TIMESTAMP_MS",
                                                       "TIMESTAMP_NS"};
  return IsInteger(type) || type.starts_with("DECIMAL(") ||
         std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

struct DecimalType {
  int precision = 0;
  int scale = 0;
};

std::optional<DecimalType> DecimalOf(std::string_view type) {
  if (!type.starts_with("DECIMAL(") || !type.ends_with(')')) return std::nullopt;
  const std::vector<std::string> parts = Split(type.substr(8, type.size() - 9), ',');
  if (parts.size() != 2) return std::nullopt;
  const std::optional<int64_t> precision = ParseInteger(parts[0]);
  const std::optional<int64_t> scale = ParseInteger(parts[1]);
  if (!precision || !scale) return std::nullopt;
  return DecimalType{static_cast<int>(*precision), static_cast<int>(*scale)};
}

// Types that the engine keeps in 128 bits. Its hash() of one is the XOR of the hashes of both
// halves, so that it takes 0 for -1 (in a DECIMAL(38,2): 0.00 for -0.01) and 1 for 2^64.
bool IsWide(std::string_view type) {
  const std::optional<DecimalType> decimal = DecimalOf(type);
  return type == "HUGEINT" || type == "UHUGEINT" || (decimal && decimal->precision > 18);
}

// The argument or arguments by which a column enters a hash.
std::string HashArguments(const ColumnShape& column) {
  const std::string value = HashedExpression(column);
  return IsWide(column.type) ? fmt::format("{0}, {0}::DOUBLE", value) : value;
}

}  // namespace

std::string HashedExpression(const ColumnShape& column) {
  const std::string name = QuoteName(column.name);
  // Hashes of nested values confuse [] with [NULL] and [1] with 1; of an ENUM they are its ordinal.
  if (IsNested(column.type)) return fmt::format("to_json({})::VARCHAR", name);
  return HashesAsItIs(column.type) ? name : name + "::VARCHAR";
}

bool IsFloat(const ColumnShape& column) {
  return column.type == "FLOAT" || column.type == "DOUBLE";
}

std::string RowHash(const std::vector<ColumnShape>& columns, uint64_t salt) {
  RF_CHECK(!columns.empty(), "a row hash of no column");
  std::string arguments = fmt::format("{}::BIGINT", salt);
  for (const ColumnShape& column : columns) arguments += ", " + HashArguments(column);
  return fmt::format("hash(hash({}))", arguments);
}

std::string ColumnHash(const ColumnShape& column, int64_t ordinal, uint64_t salt) {
  return fmt::format("hash(hash({}::BIGINT, {}::BIGINT, {}))", salt, ordinal,
                     HashArguments(column));
}

std::optional<ExactSum> ExactSumOf(const ColumnShape& column, SumWidth width) {
  const std::string name = QuoteName(column.name);
  const ExactSum plain{.aggregates = {fmt::format("sum({})", name)}, .scale = 0};
  if (IsInteger(column.type)) return plain;
  const std::optional<DecimalType> decimal = DecimalOf(column.type);
  if (column.type != "HUGEINT" && !decimal) return std::nullopt;
  // Up to 28 digits, 10^10 rows of the largest value still fit the 38 digits of the sum.
  if (width == SumWidth::kFast || (decimal && decimal->precision <= 28)) return plain;
  std::string unscaled = name;
  if (decimal) {
    // The text has exactly `scale` digits after the point: without it, it is the unscaled integer.
    unscaled = decimal->scale == 0 ? fmt::format("{}::HUGEINT", name)
                                   : fmt::format("replace({}::VARCHAR, '.', '')::HUGEINT", name);
  }
  // Shift and mask divide towards minus infinity: the remainder is never negative.
  return ExactSum{.aggregates = {fmt::format("sum({} >> 64)", unscaled),
                                 fmt::format("sum({} & 18446744073709551615::HUGEINT)", unscaled)},
                  .scale = decimal ? decimal->scale : 0};
}

bool TooWide(std::string_view sum) {
  return std::count_if(sum.begin(), sum.end(), [](char c) { return c >= '0' && c <= '9'; }) >= 38;
}

std::optional<std::string> JoinSum(const ExactSum& sum,
                                   const std::vector<std::optional<std::string>>& parts) {
  for (const std::optional<std::string>& part : parts) {
    if (!part) return std::nullopt;
  }
  const std::optional<Decimal> first = Decimal::Parse(*parts[0]);
  RF_CHECK(first, "the engine's sum `{}` is no number", *parts[0]);
  if (parts.size() == 1) return first->Text();
  const std::optional<Decimal> second = Decimal::Parse(*parts[1]);
  RF_CHECK(second, "the engine's sum `{}` is no number", *parts[1]);
  const Decimal unscaled = *first * *Decimal::Parse(kTwoTo64) + *second;
  return (unscaled * *Decimal::Parse(fmt::format("1e-{}", sum.scale))).Text();
}

std::string SchemaHash(const RelationShape& shape, const std::vector<std::string>& grain,
                       const std::vector<std::string>& left_out) {
  std::string lines;
  for (size_t i = 0; i < shape.columns.size(); ++i) {
    const ColumnShape& column = shape.columns[i];
    lines +=
        fmt::format("{}\t{}\t{}\t{:d}\t{:d}\t{:d}\n", i + 1, column.name, column.type,
                    column.nullable, HasName(grain, column.name), !HasName(left_out, column.name));
  }
  return Sha256Hex(lines).substr(0, 32);
}

}  // namespace retrofill
