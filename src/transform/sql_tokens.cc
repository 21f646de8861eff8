#include "transform/sql_tokens.h"

#include <algorithm>
#include <optional>

namespace retrofill {
namespace {

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool StartsName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}
bool InName(char c) { return StartsName(c) || IsDigit(c) || c == '$'; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<SqlToken> Run() {
    std::vector<SqlToken> tokens;
    while (at_ < text_.size()) {
      const size_t start = at_;
      const SqlTokenKind kind = Next();
      tokens.push_back({kind, start, at_ - start});
    }
    return tokens;
  }

 private:
  char Peek(size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  template <typename Predicate>
  void Skip(Predicate predicate) {
    while (at_ < text_.size() && predicate(text_[at_])) ++at_;
  }

  SqlTokenKind Next() {
    const char c = text_[at_];
    if (IsSpace(c)) return Skip(IsSpace), SqlTokenKind::kSpace;
    if (c == '-' && Peek(1) == '-') {
      Skip([](char x) { return x != '\n'; });
      return SqlTokenKind::kComment;
    }
    if (c == '/' && Peek(1) == '*') return BlockComment();
    if (c == '\'') return Quoted('\'', false, SqlTokenKind::kText);
    if (c == '"') return Quoted('"', false, SqlTokenKind::kQuotedName);
    if ((c == 'e' || c == 'E') && Peek(1) == '\'') {
      ++at_;
      return Quoted('\'', true, SqlTokenKind::kText);
    }
    if (c == '$') {
      if (const auto kind = DollarQuoted()) return *kind;
    }
    if (StartsName(c)) return Skip(InName), SqlTokenKind::kWord;
    if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) return Number();
    const char next = Peek(1);
    const bool pair =
        (c == ':' && next == ':') || (c == '{' && next == '{') || (c == '}' && next == '}');
    at_ += pair ? 2 : 1;
    return SqlTokenKind::kSymbol;
  }

  SqlTokenKind BlockComment() {
    int depth = 0;
    while (at_ < text_.size()) {
      if (text_[at_] == '/' && Peek(1) == '*') {
        ++depth, at_ += 2;
      } else if (text_[at_] == '*' && Peek(1) == '/') {
        at_ += 2;
        if (--depth == 0) return SqlTokenKind::kComment;
      } else {
        ++at_;
      }
    }
    return SqlTokenKind::kUnfinished;
  }

  SqlTokenKind Quoted(char quote, bool backslash, SqlTokenKind kind) {
    ++at_;
    while (at_ < text_.size()) {
      if (backslash && text_[at_] == '\\' && at_ + 1 < text_.size()) {
        at_ += 2;
      } else if (text_[at_] == quote && Peek(1) == quote) {
        at_ += 2;
      } else if (text_[at_++] == quote) {
        return kind;
      }
    }
    return SqlTokenKind::kUnfinished;
  }

  std::optional<SqlTokenKind> DollarQuoted() {
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '$' && InName(text_[end])) ++end;
    if (end >= text_.size() || text_[end] != '$' || IsDigit(text_[at_ + 1])) return std::nullopt;
    const std::string_view tag = text_.substr(at_, end + 1 - at_);
    const size_t close = text_.find(tag, end + 1);
    at_ = close == std::string_view::npos ? text_.size() : close + tag.size();
    return close == std::string_view::npos ? SqlTokenKind::kUnfinished : SqlTokenKind::kText;
  }

  SqlTokenKind Number() {
    Skip([](char x) { return IsDigit(x) || x == '.' || x == '_'; });
    const bool exponent =
        (Peek(0) == 'e' || Peek(0) == 'E') &&
        (IsDigit(Peek(1)) || ((Peek(1) == '-' || Peek(1) == '+') && IsDigit(Peek(2))));
    if (exponent) {
      at_ += 2;
      Skip(IsDigit);
    }
    return SqlTokenKind::kNumber;
  }

  std::string_view text_;
  size_t at_ = 0;
};

int Characters(std::string_view bytes) {
  return static_cast<int>(
      std::count_if(bytes.begin(), bytes.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::vector<SqlToken> SqlTokens(std::string_view text) { return Scanner(text).Run(); }

bool IsWord(std::string_view text, const SqlToken& token, std::string_view word) {
  if (token.kind != SqlTokenKind::kWord || token.length != word.size()) return false;
  const std::string_view written = token.In(text);
  return std::equal(written.begin(), written.end(), word.begin(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

Origin OriginIn(const std::string& file, std::string_view text, size_t offset, size_t length) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const size_t newline = before.rfind('\n');
  const size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  const size_t end = std::min(text.find('\n', start), text.size());
  Origin origin;
  origin.file = file;
  origin.line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
  origin.column = Characters(before.substr(start)) + 1;
  // Carets stay on the line they start on.
  origin.length = std::max(
      1, Characters(text.substr(offset, std::min(length, end > offset ? end - offset : 0))));
  if (start > 0) {
    const size_t earlier = start < 2 ? std::string_view::npos : text.rfind('\n', start - 2);
    const size_t first = earlier == std::string_view::npos ? 0 : earlier + 1;
    origin.lines.emplace_back(text.substr(first, start - 1 - first));
  }
  origin.lines.emplace_back(text.substr(start, end - start));
  for (std::string& line : origin.lines) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
  }
  return origin;
}

}  // namespace retrofill
