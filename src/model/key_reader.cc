#include "model/key_reader.h"

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "model/time_word.h"

namespace retrofill {
namespace {

bool IsValue(const KeyToken& token) {
  return token.kind == KeyToken::Kind::kBare || token.kind == KeyToken::Kind::kQuoted ||
         (token.kind == KeyToken::Kind::kState && token.text == "null");
}

Error Malformed(std::string_view word, const KeyToken& token, std::string_view why,
                std::string label) {
  return Fail(ErrorCode::kInvalid, "P0109", "malformed key `{}`: {}", Shown(word), why)
      .At(WordOrigin(word, token.begin, token.end, std::move(label)));
}

// The first part of a key on a table with time axis.
Result<Interval> ReadTimePart(std::string_view word, const KeyToken& token, const Grid& grid) {
  if (token.kind != KeyToken::Kind::kBare || !IsTimeShape(token.text)) {
    return Malformed(word, token, fmt::format("`{}` is not a time", token.text), "no time")
        .Help(fmt::format("the first part is a time, such as `{}`; dimensions are filtered with "
                          "`NAME=VALUE`",
                          grid.KeyText(grid.Containing(grid.begin().value_or(absl::UnixEpoch())))));
  }
  Result<TimeWord> time = ParseTimeWord(token.text);
  if (!time) return std::move(time).error().At(WordOrigin(word, token.begin, token.end));
  Result<Interval> interval = TimeWordInterval(*time, grid);
  if (!interval) return std::move(interval).error().At(WordOrigin(word, token.begin, token.end));
  return std::move(*interval);
}

}  // namespace

std::optional<DimensionValue> TokenValue(const KeyToken& token) {
  if (!IsValue(token)) return std::nullopt;
  if (token.kind == KeyToken::Kind::kState) return DimensionValue{};
  return DimensionValue{token.text};
}

Result<uint32_t> ReadValue(std::string_view word, const KeyToken& token,
                           const PartitionSpace& space, size_t dimension) {
  const Dimension& known = space.dimensions()[dimension];
  const std::optional<DimensionValue> value = TokenValue(token);
  if (!value) {
    return Malformed(word, token, fmt::format("`@{}` is not a value", token.text), "no value");
  }
  const std::optional<uint32_t> place = space.ValueIndex(dimension, *value);
  if (place) return *place;
  std::vector<std::string> names;
  for (const DimensionValue& listed : known.values) {
    if (names.size() >= 1000) break;
    names.emplace_back();
    AppendValueText(names.back(), listed);
  }
  std::string shown;
  AppendValueText(shown, *value);
  Error error =
      Fail(ErrorCode::kInvalid, "P0108", "`{}` is not a value of dimension `{}`", shown, known.name)
          .At(WordOrigin(word, token.begin, token.end, "unknown value"));
  if (const std::optional<std::string> nearest = Nearest(shown, names)) {
    return std::move(error).Help(fmt::format("did you mean `{}`?", *nearest));
  }
  if (names.size() > 10) names.resize(10);
  return std::move(error).Help(fmt::format("the list has {} values: `{}`{}", known.values.size(),
                                           Join(names, "`, `"),
                                           known.values.size() > names.size() ? " ..." : ""));
}

std::vector<CellRange> CellsOf(const PartitionSpace& space,
                               const std::vector<std::vector<uint32_t>>& places) {
  // Built from the last dimension: `block` cells make one value of the dimensions to its right.
  std::vector<CellRange> cells = {{0, 1}};
  uint32_t block = 1;
  for (size_t i = space.dimensions().size(); i-- > 0;) {
    const auto size = static_cast<uint32_t>(space.dimensions()[i].values.size());
    const std::vector<uint32_t>& wanted = places[i];
    if (wanted.empty() && cells.size() == 1 && cells[0] == CellRange{0, block}) {
      block *= size;
      cells = {{0, block}};
      continue;
    }
    std::vector<uint32_t> sorted = wanted;
    if (sorted.empty()) {
      sorted.resize(size);
      std::iota(sorted.begin(), sorted.end(), 0U);
    }
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    std::vector<CellRange> wider;
    for (uint32_t value : sorted) {
      for (const CellRange& range : cells) {
        const CellRange moved{value * block + range.first, value * block + range.end};
        if (!wider.empty() && wider.back().end == moved.first) {
          wider.back().end = moved.end;
        } else {
          wider.push_back(moved);
        }
      }
    }
    cells = std::move(wider);
    block *= size;
  }
  return cells;
}

Result<KeyPiece> ReadKey(std::string_view word, std::span<const KeyToken> tokens,
                         const PartitionSpace& space, std::optional<Interval> time) {
  if (tokens.empty()) {
    return Fail(ErrorCode::kInvalid, "P0109", "malformed key `{}`: it is empty", word)
        .At(WordOrigin(word, word.size(), word.size()));
  }
  std::vector<const KeyToken*> parts;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const bool slash = i % 2 == 1;
    if (slash ? tokens[i].kind != KeyToken::Kind::kSlash : !IsValue(tokens[i])) {
      return Malformed(word, tokens[i], slash ? "a `/` is missing here" : "a part is missing here",
                       slash ? "not part of a key" : "no part");
    }
    if (!slash) parts.push_back(&tokens[i]);
  }
  if (tokens.size() % 2 == 0) return Malformed(word, tokens.back(), "a part is missing", "here");

  KeyPiece piece{.interval = PartitionSpace::AllTime(), .cells = {}};
  std::vector<std::vector<uint32_t>> places(space.dimensions().size());
  size_t next = 0;
  if (space.has_time()) {
    if (time) {
      piece.interval = *time;
    } else {
      RF_ASSIGN(piece.interval, ReadTimePart(word, *parts[0], space.grid()));
    }
    next = 1;
  } else if (parts.size() == 1 && parts[0]->kind == KeyToken::Kind::kBare &&
             parts[0]->text == "all") {
    piece.cells = CellsOf(space, places);
    return piece;
  } else if (space.dimensions().empty()) {
    return Malformed(word, *parts[0], "the table has no partitions to choose from", "no part")
        .Help("its only key is `all`");
  }
  const size_t most = next + space.dimensions().size();
  if (parts.size() > most) {
    return Malformed(word, *parts[most],
                     fmt::format("the table's keys have {} part{}", most, most == 1 ? "" : "s"),
                     "too many")
        .Help("quote a value that has a `/` in it: `\"a/b\"`");
  }
  for (size_t i = next; i < parts.size(); ++i) {
    RF_ASSIGN(const uint32_t place, ReadValue(word, *parts[i], space, i - next));
    places[i - next] = {place};
  }
  piece.cells = CellsOf(space, places);
  return piece;
}

}  // namespace retrofill
