#include "model/key_lexer.h"

#include <algorithm>

#include "base/text.h"

namespace retrofill {
namespace {

// The place at or before `at` where a character of UTF-8 begins.
size_t CharacterStart(std::string_view text, size_t at) {
  at = std::min(at, text.size());
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U)
    --at;
  return at;
}

bool IsBareChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == ':' || c == '@' || c == '+' || c == '-';
}

class Lexer {
 public:
  explicit Lexer(std::string_view word) : word_(word) {}

  Result<std::vector<KeyToken>> Run() {
    while (at_ < word_.size()) RF_TRY(Next());
    return std::move(tokens_);
  }

 private:
  Status Next() {
    const char c = word_[at_];
    const std::string_view rest = word_.substr(at_);
    if (c == '"') return QuotedText();
    if (rest.starts_with("..")) return Mark(KeyToken::Kind::kRange, 2);
    if (rest.starts_with("!=")) return Mark(KeyToken::Kind::kNotEqual, 2);
    if (c == '!') return Mark(KeyToken::Kind::kNot, 1);
    if (c == '=') return Mark(KeyToken::Kind::kEqual, 1);
    if (c == ',') return Mark(KeyToken::Kind::kComma, 1);
    if (c == '/') return Mark(KeyToken::Kind::kSlash, 1);
    if (!IsBareChar(c)) return NoBareChar();
    return BareText();
  }

  Status Mark(KeyToken::Kind kind, size_t length) {
    tokens_.push_back({.kind = kind, .text = {}, .begin = at_, .end = at_ + length});
    at_ += length;
    return Ok();
  }

  Status BareText() {
    const size_t begin = at_;
    while (at_ < word_.size() && IsBareChar(word_[at_]) && !word_.substr(at_).starts_with("..")) {
      ++at_;
    }
    if (at_ - begin > kMaxTokenBytes) return TooLong(begin, at_);
    std::string text(word_.substr(begin, at_ - begin));
    if (text.front() == '-') {
      return Malformed(begin, at_, "a bare word cannot start with `-`", "quote it")
          .Help(fmt::format("write `{}`", Quoted(text)));
    }
    const bool state = text.front() == '@';
    tokens_.push_back({.kind = state ? KeyToken::Kind::kState : KeyToken::Kind::kBare,
                       .text = state ? text.substr(1) : std::move(text),
                       .begin = begin,
                       .end = at_});
    return Ok();
  }

  Status QuotedText() {
    const size_t begin = at_++;
    std::string text;
    while (at_ < word_.size() && word_[at_] != '"') {
      const char c = word_[at_];
      if (c == '\0') return Malformed(at_, at_ + 1, "NUL cannot be part of a value", "NUL");
      if (c == '\\') {
        const char next = at_ + 1 < word_.size() ? word_[at_ + 1] : '\0';
        if (next != '"' && next != '\\') {
          return Malformed(at_, at_ + 2, "only `\\\"` and `\\\\` are escapes", "no such escape")
              .Help(
                  "every other character stands for itself inside quotes; write `\\\\` for a "
                  "backslash");
        }
        ++at_;
      }
      text.push_back(word_[at_++]);
    }
    if (at_ >= word_.size()) {
      return Malformed(begin, word_.size(), "the quote is not closed", "opened here")
          .Help(fmt::format("end the value with `\"`: `{}`", Quoted(Shown(text))));
    }
    ++at_;
    if (text.size() > kMaxTokenBytes) return TooLong(begin, at_);
    tokens_.push_back(
        {.kind = KeyToken::Kind::kQuoted, .text = std::move(text), .begin = begin, .end = at_});
    return Ok();
  }

  Error TooLong(size_t begin, size_t end) const {
    return Malformed(begin, end, fmt::format("a value has at most {} bytes", kMaxTokenBytes),
                     "too long");
  }

  Error NoBareChar() const {
    const char c = word_[at_];
    if (c == '\0') return Malformed(at_, at_ + 1, "NUL cannot be part of a key", "NUL");
    if (c == ' ') {
      return Malformed(at_, at_ + 1, "a space stands outside quotes", "space")
          .Help("give each word as an argument of its own, or quote the value: `\"a b\"`");
    }
    return Malformed(at_, at_ + 1, "a character outside quotes belongs to no key", "quote it")
        .Help(
            "bare values have ASCII letters, digits and `_ . : @ + -`; put any other in quotes: "
            "`\"...\"`");
  }

  Error Malformed(size_t begin, size_t end, std::string_view why, std::string label) const {
    std::string shown = Shown(word_);
    std::replace(shown.begin(), shown.end(), '\0', '?');
    return Fail(ErrorCode::kInvalid, "P0109", "malformed key `{}`: {}", shown, why)
        .At(WordOrigin(word_, begin, end, std::move(label)));
  }

  std::string_view word_;
  size_t at_ = 0;
  std::vector<KeyToken> tokens_;
};

}  // namespace

Result<std::vector<KeyToken>> LexKeyWord(std::string_view word) { return Lexer(word).Run(); }

std::string Shown(std::string_view text) {
  constexpr size_t kShownBytes = 120;
  if (text.size() <= kShownBytes) return std::string(text);
  return std::string(text.substr(0, CharacterStart(text, kShownBytes))) + "...";
}

Origin WordOrigin(std::string_view word, size_t begin, size_t end, std::string label) {
  constexpr size_t kLongestWord = 160;
  constexpr size_t kBefore = 40;
  if (word.size() > kLongestWord) {
    const size_t first = begin > kBefore ? CharacterStart(word, begin - kBefore) : 0;
    const std::string_view dots = first > 0 ? "..." : "";
    const std::string part = fmt::format("{}{}", dots, Shown(word.substr(first)));
    return WordOrigin(part, begin - first + dots.size(),
                      std::min(end - first + dots.size(), part.size()), std::move(label));
  }
  std::string line(word);
  std::replace(line.begin(), line.end(), '\0', '?');
  end = std::min(std::max(end, begin + 1), std::max(word.size(), begin + 1));
  return {.file = "<argument>",
          .line = 1,
          .column = static_cast<int>(CharacterCount(word.substr(0, begin))) + 1,
          .length = std::max(1, static_cast<int>(CharacterCount(
                                    word.substr(std::min(begin, word.size()), end - begin)))),
          .lines = {std::move(line)},
          .label = std::move(label)};
}

bool IsBareValue(std::string_view text) {
  return !text.empty() && text.front() != '@' && text.front() != '-' &&
         std::all_of(text.begin(), text.end(), IsBareChar) &&
         text.find("..") == std::string_view::npos;
}

void AppendQuoted(std::string& out, std::string_view text) {
  out.push_back('"');
  for (char c : text) {
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  out.push_back('"');
}

std::string Quoted(std::string_view text) {
  std::string out;
  AppendQuoted(out, text);
  return out;
}

}  // namespace retrofill
