#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "transform/sql_template.h"
#include "transform/sql_tokens.h"

namespace retrofill {
namespace {

using Names = std::map<std::string, std::string, std::less<>>;

const std::string* Lookup(const Names& names, const std::string& name) {
  const auto found = names.find(name);
  return found == names.end() ? nullptr : &found->second;
}

const std::string* TextOf(const Placeholder& placeholder, const RenderContext& context) {
  switch (placeholder.kind) {
    case PlaceholderKind::kSource:
      return Lookup(context.sources, placeholder.argument);
    case PlaceholderKind::kRef:
      return Lookup(context.refs, placeholder.argument);
    case PlaceholderKind::kWindow:
      return Lookup(context.windows, placeholder.argument);
    case PlaceholderKind::kInterval:
      return Lookup(context.intervals, placeholder.argument);
    case PlaceholderKind::kParameter:
      return Lookup(context.parameters, placeholder.argument);
    case PlaceholderKind::kThis:
      return context.self ? &*context.self : nullptr;
    case PlaceholderKind::kPartition:
      return context.partition ? &*context.partition : nullptr;
  }
  return nullptr;
}

std::vector<std::string> KnownNames(PlaceholderKind kind, const RenderContext& context) {
  const Names& names = kind == PlaceholderKind::kSource     ? context.sources
                       : kind == PlaceholderKind::kRef      ? context.refs
                       : kind == PlaceholderKind::kWindow   ? context.windows
                       : kind == PlaceholderKind::kInterval ? context.intervals
                                                            : context.parameters;
  std::vector<std::string> known;
  for (const auto& [name, text] : names) known.push_back(name);
  return known;
}

Error Missing(const SqlTemplate& sql, const Placeholder& placeholder,
              const RenderContext& context) {
  const std::string written = sql.text.substr(placeholder.offset, placeholder.length);
  Origin origin = sql.OriginOf(placeholder.offset, placeholder.length);
  const auto nearest = Nearest(placeholder.argument, KnownNames(placeholder.kind, context));
  const bool parameter = placeholder.kind == PlaceholderKind::kParameter;
  if (nearest) origin.label = fmt::format("did you mean `{}{}`?", parameter ? ":" : "", *nearest);
  Error error = Fail(ErrorCode::kInvalid, "X0206", "nothing stands for `{}` here", written);
  if (context.why) {
    if (const auto why = context.why(placeholder)) error = std::move(error).Note(*why);
  }
  if (parameter && !nearest) {
    error = std::move(error).Help(
        "there are `:interval_start`, `:interval_end`, `:as_of`, `:partition` and one for each "
        "dimension of the table");
  }
  return std::move(error).At(std::move(origin));
}

// Byte offset of a line and column (in characters, from 1) of a text.
size_t OffsetOf(std::string_view text, int line, int column) {
  size_t at = 0;
  for (int i = 1; i < line && at < text.size(); ++i) {
    const size_t newline = text.find('\n', at);
    at = newline == std::string_view::npos ? text.size() : newline + 1;
  }
  for (int i = 1; i < column && at < text.size() && text[at] != '\n'; ++i) {
    do ++at;
    while (at < text.size() && (text[at] & 0xC0) == 0x80);
  }
  return at;
}

}  // namespace

Result<RenderedSql> Render(const SqlTemplate& sql, const RenderContext& context) {
  RenderedSql rendered;
  size_t at = 0;
  const auto copy = [&](size_t until) {
    if (until <= at) return;
    rendered.pieces.push_back({rendered.sql.size(), at, until - at, false});
    rendered.sql.append(sql.text, at, until - at);
    at = until;
  };
  for (const Placeholder& placeholder : sql.placeholders) {
    const std::string* text = TextOf(placeholder, context);
    if (text == nullptr && placeholder.doubtful) continue;
    if (text == nullptr) return Missing(sql, placeholder, context);
    copy(placeholder.offset);
    rendered.pieces.push_back({rendered.sql.size(), at, placeholder.length, true});
    rendered.sql += *text;
    at = placeholder.offset + placeholder.length;
  }
  copy(sql.end);
  rendered.sql += '\n';
  return rendered;
}

std::pair<size_t, size_t> RenderedSql::Written(size_t offset) const {
  auto after = std::upper_bound(pieces.begin(), pieces.end(), offset,
                                [](size_t o, const Piece& piece) { return o < piece.rendered; });
  if (after == pieces.begin()) return {0, 1};
  const Piece& piece = *--after;
  if (piece.replaced) return {piece.written, piece.length};
  return {piece.written + std::min(offset - piece.rendered, piece.length), 1};
}

Error InTemplate(Error error, const SqlTemplate& sql, const RenderedSql& rendered) {
  const auto& origin = error.diagnostic().origin;
  if (!origin || origin->line == 0) return error;
  const size_t offset = OffsetOf(rendered.sql, origin->line, origin->column);
  const auto [written, length] = rendered.Written(offset);
  Origin moved = sql.OriginOf(written, std::max<size_t>(length, origin->length));
  moved.label = origin->label;
  return std::move(error).At(std::move(moved));
}

namespace {

// The text without comments, and with blanks outside quotes made one.
std::string Normalised(std::string_view text) {
  std::string normal;
  bool blank = false;
  for (const SqlToken& token : SqlTokens(text)) {
    if (token.kind == SqlTokenKind::kSpace || token.kind == SqlTokenKind::kComment) {
      blank = true;
      continue;
    }
    if (blank && !normal.empty()) normal += ' ';
    blank = false;
    normal += token.In(text);
  }
  return normal;
}

}  // namespace

std::string TransformDigest(std::string_view text) { return Sha256Hex(Normalised(text)); }

Result<SqlTemplate> LoadSqlTemplate(const std::string& folder, const std::string& file) {
  RF_ASSIGN(std::string text, ReadFile(JoinPath(folder, file)));
  return ParseSqlTemplate(file, std::move(text));
}

}  // namespace retrofill
