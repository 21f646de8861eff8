#pragma once

// The SQL expressions of a DuckDB fingerprint (verification document, 2.3): row hash, key hash,
// column hash and exact sums.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warehouse/relation.h"

namespace retrofill {

inline constexpr std::string_view kDuckdbAlgo = "duckdb-hash/1";

// What of a column two rows are compared by: the column itself, its text, or the text of its JSON.
std::string HashedExpression(const ColumnShape& column);
bool IsFloat(const ColumnShape& column);

// `hash(hash(<salt>::BIGINT, a, b))` of the columns, in the order given. The outer hash is what
// keeps the last column from entering by XOR. Never empty of columns.
std::string RowHash(const std::vector<ColumnShape>& columns, uint64_t salt);
// The same of one column, told apart by its ordinal (from 1).
std::string ColumnHash(const ColumnShape& column, int64_t ordinal, uint64_t salt);

// Exact sum of a column: one or two aggregates and how they make one number.
struct ExactSum {
  std::vector<std::string> aggregates;  // two: the quotients and the remainders by 2^64
  int scale = 0;                        // two: digits after the point of the unscaled sum
};
// How sums of 128-bit columns are taken. Fast: as they are; the engine fails if one leaves 128
// bits. Wide: in two parts, many times slower, for any values.
enum class SumWidth { kFast, kWide };
// nullopt for a type that has none: floats, UHUGEINT, text.
std::optional<ExactSum> ExactSumOf(const ColumnShape& column, SumWidth width);
// Whether the text of a fast sum may have left the digits that the engine can print.
bool TooWide(std::string_view sum);
// The number that the texts of the aggregates make; none if they are NULL.
std::optional<std::string> JoinSum(const ExactSum& sum,
                                   const std::vector<std::optional<std::string>>& parts);

// First 128 bits of the hash of the columns, 32 hex digits (verification document, 2.6).
std::string SchemaHash(const RelationShape& shape, const std::vector<std::string>& grain,
                       const std::vector<std::string>& left_out);

}  // namespace retrofill
