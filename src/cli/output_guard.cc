#include "cli/output_guard.h"

#include <array>
#include <string_view>

#include "base/file.h"

namespace retrofill {
namespace {

// A database of DuckDB has its mark behind a checksum, one of SQLite at the start.
bool IsDatabase(std::string_view head) {
  return head.substr(0, 15) == "SQLite format 3" ||
         (head.size() >= 12 && head.substr(8, 4) == "DUCK");
}

}  // namespace

Status CheckOutput(const std::string& path) {
  const std::optional<FileFacts> facts = FactsOfFile(path);
  if (!facts || facts->size == 0) return Ok();
  constexpr std::array<std::string_view, 6> kOwned = {".sql",    ".yml", ".yaml",
                                                      ".duckdb", ".db",  ".parquet"};
  bool owned = false;
  for (const std::string_view ending : kOwned) owned |= path.ends_with(ending);
  if (!owned) {
    RF_ASSIGN(const std::string head, ReadFile(path));
    owned = IsDatabase(head);
  }
  if (!owned) return Ok();
  return Fail(ErrorCode::kRefused, "C0204", "`{}` is there already and is no answer of retrofill",
              path)
      .Note("it would be replaced")
      .Help("name another file for the answer");
}

}  // namespace retrofill
