#include "cli/output_guard.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "base/file.h"

namespace retrofill {
namespace {

// A database of DuckDB has its mark behind a checksum, one of SQLite at the start.
bool IsDatabase(std::string_view head) {
  return head.substr(0, 15) == "SQLite format 3" ||
         (head.size() >= 12 && head.substr(8, 4) == "DUCK");
}

// Nothing is done whose answer could not be written.
Status CheckFolder(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  if (access(folder.c_str(), W_OK) == 0) return Ok();
  return Fail(ErrorCode::kUnavailable, "W0109", "cannot write the answer to `{}`: {}", path,
              std::generic_category().message(errno))
      .Note("nothing was done")
      .Help("name a file in a folder that is there and may be written");
}

}  // namespace

Status CheckOutput(const std::string& path) {
  const std::optional<FileFacts> facts = FactsOfFile(path);
  if (!facts) return CheckFolder(path);
  if (facts->size == 0) return Ok();
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
