#pragma once

// The text of a SQL transform or rule: one `select` with the few placeholders of the product
// document, 9.1. Nothing here knows a database.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace retrofill {

enum class PlaceholderKind {
  kSource,     // {{ source('raw.orders') }}
  kRef,        // {{ ref('revenue_daily') }}
  kThis,       // {{ this }}
  kWindow,     // {{ window('raw.orders') }}
  kInterval,   // {{ interval('raw.orders') }}
  kPartition,  // {{ partition }}
  kParameter,  // :interval_start, :as_of, :region
};

struct Placeholder {
  PlaceholderKind kind = PlaceholderKind::kParameter;
  std::string argument;  // name of the source, table or parameter; empty for {{ this }} and
                         // {{ partition }}
  size_t offset = 0;     // in bytes of the text
  size_t length = 0;
  bool doubtful = false;  // may be a slice `[a:b]` or a struct `{'a':b}`: kept as written unless
                          // the name is known
};

struct SqlTemplate {
  std::string file;  // as the user would name it
  std::string text;  // as read
  size_t end = 0;    // where the statement ends: before a `;` and what follows it
  std::vector<Placeholder> placeholders;  // by offset

  // Names, each once, in order of first use.
  std::vector<std::string> Arguments(PlaceholderKind kind) const;
  bool Uses(PlaceholderKind kind) const;
  bool UsesParameter(std::string_view name) const;  // in any letter case
  Origin OriginOf(size_t offset, size_t length) const;
};

// Reads the placeholders. kInvalid C0111 if there is nothing but space and comments, X0205 if it is
// not one `select`, X0206 for anything in {{ }} that is not listed above or a quote or comment that
// does not end; all with their place.
Result<SqlTemplate> ParseSqlTemplate(std::string file, std::string text);

// Reads a transform file. `folder` is absolute, `file` relative to it. kInvalid C0111 if it is
// missing or unreadable, else as ParseSqlTemplate.
Result<SqlTemplate> LoadSqlTemplate(const std::string& folder, const std::string& file);

// What stands for each placeholder. An absent one is an X0206 with its place; `why` may say more
// about it.
struct RenderContext {
  std::map<std::string, std::string, std::less<>> sources;  // name -> what may stand after FROM
  std::map<std::string, std::string, std::less<>> refs;
  std::map<std::string, std::string, std::less<>> windows;     // name -> condition
  std::map<std::string, std::string, std::less<>> intervals;   // name -> condition
  std::map<std::string, std::string, std::less<>> parameters;  // name without `:` -> literal
  std::optional<std::string> self;
  std::optional<std::string> partition;  // condition
  std::function<std::optional<std::string>(const Placeholder&)> why;
};

// A statement to run, which remembers where its bytes come from. It ends in a newline, so that a
// comment at its end hides nothing that is put behind it.
struct RenderedSql {
  struct Piece {
    size_t rendered = 0;    // where the piece starts in `sql`
    size_t written = 0;     // where it starts in the text
    size_t length = 0;      // in the text
    bool replaced = false;  // a placeholder: every byte of it comes from the whole placeholder
  };
  std::string sql;
  std::vector<Piece> pieces;

  // Byte of the text that byte `offset` of `sql` comes from, and how many bytes to mark.
  std::pair<size_t, size_t> Written(size_t offset) const;
};

Result<RenderedSql> Render(const SqlTemplate& sql, const RenderContext& context);

// The same error with its place moved from the rendered statement to the user's file. An origin
// counts lines and columns of the rendered text; an error without origin stays as it is.
Error InTemplate(Error error, const SqlTemplate& sql, const RenderedSql& rendered);

// SHA-256, in hex, of the text without comments and with white space outside quotes made one
// blank: a reformatted file makes nothing stale (intervals document, 11).
std::string TransformDigest(std::string_view text);

// A `-- retrofill: allow I0117 REASON` comment, which settles a warning.
struct Allowance {
  std::string id;
  std::string reason;  // never empty
  size_t offset = 0;
};
std::vector<Allowance> Allowances(std::string_view text);

}  // namespace retrofill
