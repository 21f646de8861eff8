// relation_digest FILE RELATION [COLUMN...]: rows of a relation of a DuckDB file and a digest of
// their contents that no order changes; of the named columns only, if any are. For scripts that
// compare.

#include <string>
#include <vector>

#include "base/db/duckdb.h"
#include "base/text.h"

namespace {

using namespace retrofill;  // NOLINT: a program of one file

Status PrintDigest(const std::string& file, const std::string& relation,
                   const std::vector<std::string>& columns) {
  RF_ASSIGN(const auto database, DuckdbDatabase::Open(file, DuckdbAccess::kReadOnly));
  RF_ASSIGN(const auto connection, database->Connect());
  const std::string row = columns.empty() ? "t" : Join(columns, ", ");
  RF_ASSIGN(const DuckdbRows rows, connection->Query("select count(*), coalesce(sum(hash(" + row +
                                                     ")), 0) from " + relation + " as t"));
  fmt::print("{} rows {}\n", rows.rows[0][0].value_or(""), rows.rows[0][1].value_or(""));
  return Ok();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: relation_digest FILE RELATION [COLUMN...]\n");
    return 2;
  }
  const Status status = PrintDigest(argv[1], argv[2], {argv + 3, argv + argc});
  if (!status.ok()) fmt::print(stderr, "{}\n", status.error().message());
  return status.ok() ? 0 : 1;
}
