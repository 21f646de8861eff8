#pragma once

// Reads one key of the selection grammar, `2026-03/eu`, against a space (product document, 4.2).

#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/key_lexer.h"
#include "model/partition_set.h"
#include "model/space.h"

namespace retrofill {

// What a key stands for: an interval, on the grid or not, times cells.
struct KeyPiece {
  Interval interval;  // AllTime() on a table without time axis
  std::vector<CellRange> cells;
};

// `tokens` are those of one key inside `word`: parts with slashes between. `time` is a reading of
// the first part that the caller already has, such as that of a relative word. kInvalid P0105,
// P0108 for a value that is not listed, P0109 for a malformed key or too many parts.
Result<KeyPiece> ReadKey(std::string_view word, std::span<const KeyToken> tokens,
                         const PartitionSpace& space, std::optional<Interval> time = {});

// The value that a token stands for; none if it is no value (`@missing`).
std::optional<DimensionValue> TokenValue(const KeyToken& token);
// The place of a token's value in a dimension's list. kInvalid P0108 with the nearest listed value.
Result<uint32_t> ReadValue(std::string_view word, const KeyToken& token,
                           const PartitionSpace& space, size_t dimension);
// Cells whose value of each dimension is one of the given places; an empty list stands for all.
std::vector<CellRange> CellsOf(const PartitionSpace& space,
                               const std::vector<std::vector<uint32_t>>& places);

}  // namespace retrofill
