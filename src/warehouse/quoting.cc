#include <array>
#include <vector>

#include "base/text.h"
#include "warehouse/bounds.h"

namespace retrofill {
namespace {

std::string Quoted(std::string_view text, char quote) {
  std::string result(1, quote);
  for (char c : text) {
    if (c == quote) result.push_back(quote);
    result.push_back(c);
  }
  result.push_back(quote);
  return result;
}

// Splits `a."b.c"` at the dots outside quotes and takes the quotes off.
std::vector<std::string> NameParts(std::string_view relation) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (size_t i = 0; i < relation.size(); ++i) {
    const char c = relation[i];
    if (c == '"' && quoted && i + 1 < relation.size() && relation[i + 1] == '"') {
      parts.back().push_back('"');
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == '.' && !quoted) {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  return parts;
}

}  // namespace

std::string QuoteName(std::string_view name) { return Quoted(name, '"'); }

std::string QuoteText(std::string_view text) { return Quoted(text, '\''); }

std::string QuoteValue(const Dimension& dimension, const DimensionValue& value) {
  if (!value.text) return "NULL";
  return dimension.type == DimensionType::kText ? QuoteText(*value.text) : *value.text;
}

std::string QuoteRelation(std::string_view relation) {
  std::string result;
  for (const std::string& part : NameParts(relation)) {
    if (!result.empty()) result += ".";
    result += QuoteName(part);
  }
  return result;
}

Result<std::string> FilesRelation(const std::string& glob) {
  std::string path = Lower(glob);
  for (std::string_view packed : {".gz", ".zst"}) {
    if (path.ends_with(packed)) path.resize(path.size() - packed.size());
  }
  if (path.ends_with(".parquet")) return fmt::format("read_parquet({})", QuoteText(glob));
  if (path.ends_with(".csv")) return fmt::format("read_csv({})", QuoteText(glob));
  for (std::string_view lines : {".json", ".jsonl", ".ndjson"}) {
    if (path.ends_with(lines)) {
      return fmt::format("read_json({}, format='newline_delimited')", QuoteText(glob));
    }
  }
  return Fail(ErrorCode::kInvalid, "C0103", "files `{}` are of no known format", glob)
      .Help("name Parquet (`*.parquet`), CSV (`*.csv`) or JSON Lines (`*.jsonl`) files");
}

}  // namespace retrofill
