#pragma once

// Splits one word of the selection grammar into tokens (product document, 4.2). What stands inside
// quotes is never looked at.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace retrofill {

struct KeyToken {
  enum class Kind {
    kBare,      // text
    kQuoted,    // text, without quotes and escapes
    kState,     // `@missing`: text without the `@`
    kSlash,     // `/`
    kComma,     // `,`
    kRange,     // `..`
    kNot,       // `!`
    kEqual,     // `=`
    kNotEqual,  // `!=`
  };
  Kind kind = Kind::kBare;
  std::string text;
  size_t begin = 0;  // byte offsets in the word
  size_t end = 0;
};

inline constexpr size_t kMaxTokenBytes = 256;  // as the longest value of a dimension

// kInvalid P0109 with a caret for a quote that is not closed, an unknown escape, NUL, a space or
// another character outside quotes that no bare word has, a bare word that starts with `-`, and a
// value of more than kMaxTokenBytes.
Result<std::vector<KeyToken>> LexKeyWord(std::string_view word);

// Where bytes [begin, end) of a word stand, for a caret under them. Of a long word the part around
// them is shown.
Origin WordOrigin(std::string_view word, size_t begin, size_t end, std::string label = "");

// As much of a text as a message shows.
std::string Shown(std::string_view text);

// Whether a value may stand in a key without quotes.
bool IsBareValue(std::string_view text);
// Appends `"..."` with `\"` and `\\` escapes.
void AppendQuoted(std::string& out, std::string_view text);
std::string Quoted(std::string_view text);

}  // namespace retrofill
