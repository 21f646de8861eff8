#pragma once

// Cuts SQL text into tokens, so that nobody finds a word inside a string, a quoted name or a
// comment.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace retrofill {

enum class SqlTokenKind {
  kSpace,
  kComment,     // `-- …` without its newline, or `/* … */`, nested
  kWord,        // keyword or name that is not quoted
  kQuotedName,  // "…"
  kText,        // '…', e'…', $tag$…$tag$
  kNumber,
  kSymbol,      // one character, but `::` and `{{` and `}}` are one token
  kUnfinished,  // a quote or comment that the text ends in
};

struct SqlToken {
  SqlTokenKind kind = SqlTokenKind::kSpace;
  size_t offset = 0;  // in bytes
  size_t length = 0;
  std::string_view In(std::string_view text) const { return text.substr(offset, length); }
};

// Tokens in order; together they are the whole text.
std::vector<SqlToken> SqlTokens(std::string_view text);

// Whether `token` is this word, in any case. `word` is lower case.
bool IsWord(std::string_view text, const SqlToken& token, std::string_view word);

// The place of `length` bytes at `offset` in a text that the user knows as `file`, with the line
// before it. Columns count characters, not bytes; an offset past the end points just behind the
// last character.
Origin OriginIn(const std::string& file, std::string_view text, size_t offset, size_t length);

}  // namespace retrofill
