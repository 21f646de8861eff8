#include "transform/sql_template.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "transform/sql_tokens.h"

namespace retrofill {
namespace {

bool IsBlank(const SqlToken& token) {
  return token.kind == SqlTokenKind::kSpace || token.kind == SqlTokenKind::kComment;
}

Error AtText(Error error, const SqlTemplate& sql, const SqlToken& token, std::string label = "") {
  Origin origin = sql.OriginOf(token.offset, token.length);
  origin.label = std::move(label);
  return std::move(error).At(std::move(origin));
}

// A placeholder that takes a name has its word here, with the kind it makes.
constexpr std::array<std::pair<std::string_view, PlaceholderKind>, 6> kWords = {{
    {"source", PlaceholderKind::kSource},
    {"ref", PlaceholderKind::kRef},
    {"window", PlaceholderKind::kWindow},
    {"interval", PlaceholderKind::kInterval},
    {"this", PlaceholderKind::kThis},
    {"partition", PlaceholderKind::kPartition},
}};

bool TakesName(PlaceholderKind kind) {
  return kind != PlaceholderKind::kThis && kind != PlaceholderKind::kPartition;
}

class Parser {
 public:
  explicit Parser(SqlTemplate& sql) : sql_(sql), tokens_(SqlTokens(sql.text)) {}

  Status Run() {
    RF_TRY(CheckStatement());
    int brackets = 0;
    const SqlToken* previous = nullptr;
    for (size_t i = 0; i < tokens_.size() && tokens_[i].offset < sql_.end; ++i) {
      const SqlToken& token = tokens_[i];
      if (IsBlank(token)) continue;
      const std::string_view written = token.In(sql_.text);
      if (written == "{{") {
        RF_ASSIGN(i, Braces(i));
        previous = &tokens_[i];
        continue;
      }
      if (token.kind == SqlTokenKind::kSymbol) {
        if (written == "[" || written == "{") ++brackets;
        if (written == "]" || written == "}") --brackets;
        if (written == "}}") brackets -= 2;
        if (written == ":" && i + 1 < tokens_.size() &&
            tokens_[i + 1].kind == SqlTokenKind::kWord) {
          const SqlToken& name = tokens_[++i];
          sql_.placeholders.push_back(
              {PlaceholderKind::kParameter, Lower(name.In(sql_.text)), token.offset,
               token.length + name.length,
               brackets > 0 && previous != nullptr && EndsOperand(*previous)});
        }
      }
      previous = &tokens_[i];
    }
    return Ok();
  }

 private:
  bool EndsOperand(const SqlToken& token) const {
    const std::string_view written = token.In(sql_.text);
    return token.kind != SqlTokenKind::kSymbol || written == ")" || written == "]";
  }

  // One statement that starts like a select, and nothing unfinished.
  Status CheckStatement() {
    const SqlToken* first = nullptr;
    const SqlToken* end = nullptr;
    for (const SqlToken& token : tokens_) {
      if (token.kind == SqlTokenKind::kUnfinished) return Unfinished(token);
      if (IsBlank(token)) continue;
      if (end != nullptr && token.In(sql_.text) != ";") {
        return AtText(
            Fail(ErrorCode::kInvalid, "X0205", "`{}` has more than one statement", sql_.file)
                .Help("keep one `select`: the engine writes every other statement"),
            sql_, token, "a second statement starts here");
      }
      if (token.In(sql_.text) == ";") {
        if (first != nullptr && end == nullptr) end = &token;
        continue;
      }
      if (first == nullptr) first = &token;
    }
    if (first == nullptr) {
      return Fail(ErrorCode::kInvalid, "C0111", "`{}` is empty", sql_.file)
          .Help("write one `select` whose columns are those of the table");
    }
    sql_.end = end == nullptr ? sql_.text.size() : end->offset;
    return CheckKind(*first);
  }

  Status CheckKind(const SqlToken& first) const {
    const std::string word = Lower(first.In(sql_.text));
    constexpr std::array<std::string_view, 4> kSelects = {"select", "with", "from", "("};
    if (std::find(kSelects.begin(), kSelects.end(), word) != kSelects.end()) return Ok();
    if (first.kind != SqlTokenKind::kWord) return Ok();  // the engine's parser says what is wrong
    constexpr std::array<std::string_view, 17> kOthers = {
        "insert", "update", "delete",   "merge", "create", "drop", "alter", "truncate", "begin",
        "commit", "copy",   "rollback", "set",   "pragma", "call", "use",   "attach"};
    if (std::find(kOthers.begin(), kOthers.end(), word) == kOthers.end()) return Ok();
    return AtText(
        Fail(ErrorCode::kInvalid, "X0205", "`{}` is not one `select`", sql_.file)
            .Help("write only the `select`: the engine deletes, inserts and commits by itself"),
        sql_, first, "a statement of another kind");
  }

  Error Unfinished(const SqlToken& token) const {
    const bool comment = token.In(sql_.text).substr(0, 2) == "/*";
    return AtText(Fail(ErrorCode::kInvalid, "X0206", "`{}` ends inside a {}", sql_.file,
                       comment ? "comment" : "quote"),
                  sql_, {token.kind, token.offset, 1}, "not closed");
  }

  size_t SkipBlank(size_t i) const {
    while (i < tokens_.size() && IsBlank(tokens_[i])) ++i;
    return i;
  }
  std::string_view Text(size_t i) const {
    return i < tokens_.size() ? tokens_[i].In(sql_.text) : std::string_view();
  }

  // Reads `{{ … }}` that starts at token `open`; returns its last token.
  Result<size_t> Braces(size_t open) {
    size_t close = open + 1;
    while (close < tokens_.size() && Text(close) != "}}") ++close;
    if (close >= tokens_.size()) {
      return AtText(Fail(ErrorCode::kInvalid, "X0206", "`{{{{` is not closed"), sql_, tokens_[open],
                    "needs `}}`");
    }
    const size_t word = SkipBlank(open + 1);
    const auto known = std::find_if(kWords.begin(), kWords.end(),
                                    [&](const auto& entry) { return entry.first == Text(word); });
    if (known == kWords.end()) return Unknown(open, word, close);
    Placeholder placeholder;
    placeholder.kind = known->second;
    placeholder.offset = tokens_[open].offset;
    placeholder.length = tokens_[close].offset + tokens_[close].length - placeholder.offset;
    size_t at = SkipBlank(word + 1);
    if (TakesName(placeholder.kind)) {
      const size_t name = SkipBlank(at + 1);
      const size_t end = SkipBlank(name + 1);
      const bool shaped = Text(at) == "(" && name < close && Text(end) == ")" &&
                          Text(name).size() > 2 &&
                          (tokens_[name].kind == SqlTokenKind::kText ||
                           tokens_[name].kind == SqlTokenKind::kQuotedName);
      if (!shaped) return Misshapen(open, word, close);
      placeholder.argument = std::string(Text(name).substr(1, Text(name).size() - 2));
      at = SkipBlank(end + 1);
    }
    if (at != close) return Misshapen(open, word, close);
    sql_.placeholders.push_back(std::move(placeholder));
    return close;
  }

  SqlToken Span(size_t open, size_t close) const {
    return {SqlTokenKind::kSymbol, tokens_[open].offset,
            tokens_[close].offset + tokens_[close].length - tokens_[open].offset};
  }

  Error Misshapen(size_t open, size_t word, size_t close) const {
    const bool name = Text(word) != "this" && Text(word) != "partition";
    return AtText(Fail(ErrorCode::kInvalid, "X0206", "cannot read this placeholder"), sql_,
                  Span(open, close),
                  name ? fmt::format("write `{{{{ {}('NAME') }}}}`", Text(word))
                       : fmt::format("write `{{{{ {} }}}}`", Text(word)));
  }

  Error Unknown(size_t open, size_t word, size_t close) const {
    std::vector<std::string> words;
    for (const auto& entry : kWords) words.emplace_back(entry.first);
    std::string label = "not a placeholder";
    if (const auto nearest = Nearest(Lower(Text(word)), words)) {
      label = fmt::format("did you mean `{}`?", *nearest);
    }
    return AtText(Fail(ErrorCode::kInvalid, "X0206", "unknown placeholder `{}`", Text(word))
                      .Note("there are `source('NAME')`, `ref('TABLE')`, `this`, `window('NAME')`, "
                            "`interval('NAME')` and `partition`; no loops, no macros"),
                  sql_, Span(open, close), std::move(label));
  }

  SqlTemplate& sql_;
  std::vector<SqlToken> tokens_;
};

}  // namespace

std::vector<std::string> SqlTemplate::Arguments(PlaceholderKind kind) const {
  std::vector<std::string> names;
  for (const Placeholder& placeholder : placeholders) {
    if (placeholder.kind != kind || placeholder.doubtful) continue;
    if (std::find(names.begin(), names.end(), placeholder.argument) == names.end()) {
      names.push_back(placeholder.argument);
    }
  }
  return names;
}

bool SqlTemplate::Uses(PlaceholderKind kind) const {
  return std::any_of(placeholders.begin(), placeholders.end(),
                     [&](const Placeholder& placeholder) { return placeholder.kind == kind; });
}

bool SqlTemplate::UsesParameter(std::string_view name) const {
  return std::any_of(placeholders.begin(), placeholders.end(), [&](const Placeholder& placeholder) {
    return placeholder.kind == PlaceholderKind::kParameter && placeholder.argument == Lower(name);
  });
}

Origin SqlTemplate::OriginOf(size_t offset, size_t length) const {
  return OriginIn(file, text, offset, length);
}

namespace {

// Where the first byte that is no UTF-8 stands, found by the mark that replaces it.
Error NotUtf8(const std::string& file, const std::string& text) {
  const std::string marked = ToUtf8(text);
  size_t offset = static_cast<size_t>(
      std::mismatch(text.begin(), text.end(), marked.begin(), marked.end()).first - text.begin());
  while (!IsUtf8(std::string_view(text).substr(0, offset))) --offset;
  return Fail(ErrorCode::kInvalid, "X0206", "the SQL is not UTF-8: there is a byte 0x{:02x}",
              static_cast<unsigned char>(text[offset]))
      .At(OriginIn(file, marked, offset, 1))
      .Help("save the file as UTF-8, such as with `iconv -f latin1 -t utf-8`");
}

}  // namespace

Result<SqlTemplate> ParseSqlTemplate(std::string file, std::string text) {
  if (!IsUtf8(text)) return NotUtf8(file, text);
  SqlTemplate sql;
  sql.file = std::move(file);
  sql.text = std::move(text);
  RF_TRY(Parser(sql).Run());
  return sql;
}

std::vector<Allowance> Allowances(std::string_view text) {
  std::vector<Allowance> found;
  for (const SqlToken& token : SqlTokens(text)) {
    if (token.kind != SqlTokenKind::kComment) continue;
    std::string_view comment = token.In(text);
    if (comment.substr(0, 2) != "--") continue;
    comment = Trim(comment.substr(2));
    constexpr std::string_view kStart = "retrofill: allow ";
    if (comment.substr(0, kStart.size()) != kStart) continue;
    comment = Trim(comment.substr(kStart.size()));
    const size_t blank = comment.find(' ');
    if (blank == std::string_view::npos) continue;
    found.push_back({std::string(comment.substr(0, blank)),
                     std::string(Trim(comment.substr(blank))), token.offset});
  }
  return found;
}

}  // namespace retrofill
