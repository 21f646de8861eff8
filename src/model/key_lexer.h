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

// kInvalid P0109 with a caret for a quote that is not closed, an unknown escape, NUL, a space or
// another character outside quotes that no bare word has, and a bare word that starts with `-`.
Result<std::vector<KeyToken>> LexKeyWord(std::string_view word);

// Where bytes [begin, end) of a word stand, for a caret under them.
Origin WordOrigin(std::string_view word, size_t begin, size_t end, std::string label = "");

// Whether a value may stand in a key without quotes.
bool IsBareValue(std::string_view text);
// Appends `"..."` with `\"` and `\\` escapes.
void AppendQuoted(std::string& out, std::string_view text);
std::string Quoted(std::string_view text);

}  // namespace retrofill
