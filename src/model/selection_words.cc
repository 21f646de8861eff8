#include "model/selection_words.h"

#include <algorithm>
#include <array>
#include <span>

namespace retrofill {
namespace {

using Kind = KeyToken::Kind;
using Tokens = std::span<const KeyToken>;

Error Malformed(std::string_view word, size_t begin, size_t end, std::string_view why,
                std::string label) {
  return Fail(ErrorCode::kInvalid, "P0109", "malformed selection `{}`: {}", Shown(word), why)
      .At(WordOrigin(word, begin, end, std::move(label)));
}

bool IsState(const KeyToken& token) { return token.kind == Kind::kState && token.text != "null"; }

bool IsPart(const KeyToken& token) {
  return token.kind == Kind::kBare || token.kind == Kind::kQuoted || token.kind == Kind::kState;
}

// Splits at commas; an empty piece is malformed.
Result<std::vector<Tokens>> SplitList(std::string_view word, Tokens tokens) {
  std::vector<Tokens> pieces;
  size_t begin = 0;
  for (size_t i = 0; i <= tokens.size(); ++i) {
    if (i < tokens.size() && tokens[i].kind != Kind::kComma) continue;
    if (i == begin) {
      const size_t at = i < tokens.size() ? tokens[i].begin : word.size();
      return Malformed(word, at, at + 1, "an entry of the list is empty", "nothing before this");
    }
    pieces.push_back(tokens.subspan(begin, i - begin));
    begin = i + 1;
  }
  return pieces;
}

Status AddFilter(std::string_view word, Tokens tokens, SelectionWords& words) {
  SelectionFilter filter{
      .word = word, .name = tokens[0], .negated = tokens[1].kind == Kind::kNotEqual, .values = {}};
  RF_ASSIGN(const std::vector<Tokens> pieces, SplitList(word, tokens.subspan(2)));
  for (Tokens piece : pieces) {
    if (piece.size() != 1 || !IsPart(piece[0])) {
      const KeyToken& wrong = piece.size() > 1 ? piece[1] : piece[0];
      return Malformed(word, wrong.begin, wrong.end, "a filter takes values separated by commas",
                       "not part of a value")
          .Help("quote a value that has other characters: `region=\"a/b\"`");
    }
    filter.values.push_back(piece[0]);
  }
  words.filters.push_back(std::move(filter));
  return Ok();
}

Status AddStates(std::string_view word, Tokens tokens, bool negated, SelectionWords& words) {
  static constexpr std::array<std::string_view, 6> kStates = {"missing", "stale",   "changed",
                                                              "failed",  "unknown", "blocked"};
  SelectionStates states{.word = word, .negated = negated, .states = {}};
  RF_ASSIGN(const std::vector<Tokens> pieces, SplitList(word, tokens));
  for (Tokens piece : pieces) {
    const KeyToken& token = piece[0];
    if (piece.size() != 1 || token.kind != Kind::kState ||
        std::find(kStates.begin(), kStates.end(), token.text) == kStates.end()) {
      return Malformed(word, token.begin, piece.back().end, "not a state", "no such state")
          .Help(
              "states are `@missing`, `@stale`, `@changed`, `@failed`, `@unknown` and "
              "`@blocked`, in a word of their own");
    }
    states.states.push_back(token.text);
  }
  words.states.push_back(std::move(states));
  return Ok();
}

// `region=eu` for the tail of a range, as far as the words tell.
std::string FilterFor(Tokens side, const PartitionSpace& space) {
  const std::vector<Dimension>& dimensions = space.dimensions();
  if (dimensions.empty()) return "NAME=VALUE";
  if (side.size() < 3) return dimensions[0].name + "=VALUE";
  const DimensionValue value{side[2].text};
  std::string text;
  AppendValueText(text, value);
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (space.ValueIndex(i, value)) return fmt::format("{}={}", dimensions[i].name, text);
  }
  return fmt::format("{}={}", dimensions[0].name, text);
}

Status AddRange(std::string_view word, Tokens tokens, size_t dots, SelectionItem item,
                const PartitionSpace& space, SelectionWords& words) {
  const Tokens left = tokens.first(dots);
  const Tokens right = tokens.subspan(dots + 1);
  for (Tokens side : {left, right}) {
    if (side.size() > 1 && side[1].kind == Kind::kSlash) {
      return Malformed(word, side[1].begin, side.back().end, "a range takes no `/`",
                       "not in a range")
          .Help(fmt::format("filter a dimension instead: `{}..{} {}`",
                            left.empty() ? "" : left[0].text, right.empty() ? "" : right[0].text,
                            FilterFor(side, space)));
    }
    if (side.size() > 1 || (side.size() == 1 && side[0].kind != Kind::kBare)) {
      const KeyToken& wrong = side.size() > 1 ? side[1] : side[0];
      return Malformed(word, wrong.begin, wrong.end, "a range goes from a time to a time",
                       "no time");
    }
  }
  item.range = true;
  if (!left.empty()) item.left = left[0];
  if (!right.empty()) item.right = right[0];
  words.items.push_back(std::move(item));
  return Ok();
}

Status AddItem(std::string_view word, Tokens tokens, const PartitionSpace& space,
               SelectionWords& words) {
  const bool negated = tokens[0].kind == Kind::kNot;
  if (negated) {
    if (tokens.size() == 1) {
      return Malformed(word, tokens[0].begin, tokens[0].end, "`!` stands before what to leave out",
                       "nothing after this");
    }
    tokens = tokens.subspan(1);
  }
  SelectionItem item{.word = word,
                     .begin = tokens.front().begin,
                     .end = tokens.back().end,
                     .negated = negated,
                     .range = false,
                     .left = {},
                     .right = {},
                     .key = {}};
  for (size_t i = 0; i < tokens.size(); ++i) {
    const KeyToken& token = tokens[i];
    if (token.kind == Kind::kRange) return AddRange(word, tokens, i, std::move(item), space, words);
    if (IsState(token)) {
      return Malformed(word, token.begin, token.end, "a state is no part of a list",
                       "a word of its own")
          .Help(fmt::format("give `@{}` as an argument of its own", token.text));
    }
    if (token.kind == Kind::kEqual || token.kind == Kind::kNotEqual) {
      return Malformed(word, token.begin, token.end, "a filter is no part of a list",
                       "a word of its own")
          .Help("give `NAME=VALUE` as an argument of its own");
    }
  }
  item.key.assign(tokens.begin(), tokens.end());
  words.items.push_back(std::move(item));
  return Ok();
}

}  // namespace

Status AddSelectionWord(std::string_view word, const PartitionSpace& space, SelectionWords& words) {
  RF_ASSIGN(const std::vector<KeyToken> all, LexKeyWord(word));
  const Tokens tokens(all);
  if (tokens.empty()) return Malformed(word, 0, 1, "it is empty", "here");
  if (tokens.size() > 1 && tokens[0].kind == Kind::kBare &&
      (tokens[1].kind == Kind::kEqual || tokens[1].kind == Kind::kNotEqual)) {
    return AddFilter(word, tokens, words);
  }
  const size_t first = tokens[0].kind == Kind::kNot ? 1 : 0;
  if (first < tokens.size() && IsState(tokens[first])) {
    return AddStates(word, tokens.subspan(first), first == 1, words);
  }
  RF_ASSIGN(const std::vector<Tokens> pieces, SplitList(word, tokens));
  for (Tokens piece : pieces) RF_TRY(AddItem(word, piece, space, words));
  return Ok();
}

}  // namespace retrofill
