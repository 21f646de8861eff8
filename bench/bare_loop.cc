// bare_loop FILE TARGET COLUMN SELECT FIRST DAYS: the peer of `retrofill run`: for each day
//   BEGIN; DELETE the day; INSERT the day; COMMIT
// through the same DuckDB library. SELECT is a statement with `$start` and `$end` for the day.
// bare_loop FILE SQL: runs statements, to make what is measured.

#include <absl/time/civil_time.h>

#include <string>

#include "base/db/duckdb.h"
#include "base/text.h"

namespace {

using namespace retrofill;  // NOLINT: a program of one file

std::string WithDay(std::string sql, const std::string& name, absl::CivilDay day) {
  const std::string text = "timestamp '" + absl::FormatCivilTime(day) + "'";
  for (size_t at = sql.find(name); at != std::string::npos; at = sql.find(name, at)) {
    sql.replace(at, name.size(), text);
  }
  return sql;
}

struct Work {
  std::string file, target, column, select;
  absl::CivilDay first;
  int64_t days = 0;
};

Status Rewrite(const Work& work) {
  RF_ASSIGN(const auto database, DuckdbDatabase::Open(work.file, DuckdbAccess::kReadWrite));
  RF_ASSIGN(const auto connection, database->Connect());
  for (int64_t i = 0; i < work.days; ++i) {
    const absl::CivilDay day = work.first + i;
    RF_TRY(connection->Execute("begin"));
    RF_TRY(connection->Execute("delete from " + work.target + " where " + work.column +
                               " = date '" + absl::FormatCivilTime(day) + "'"));
    RF_TRY(connection->Execute("insert into " + work.target + " by name " +
                               WithDay(WithDay(work.select, "$start", day), "$end", day + 1)));
    RF_TRY(connection->Execute("commit"));
  }
  return Ok();
}

Status RunSql(const std::string& file, const std::string& sql) {
  RF_ASSIGN(const auto database, DuckdbDatabase::Open(file, DuckdbAccess::kReadWrite));
  RF_ASSIGN(const auto connection, database->Connect());
  RF_TRY(connection->Execute(sql));
  return Ok();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) {
    const Status made = RunSql(argv[1], argv[2]);
    if (!made.ok()) fmt::print(stderr, "{}\n", made.error().message());
    return made.ok() ? 0 : 1;
  }
  absl::CivilDay first;
  if (argc != 7 || !absl::ParseCivilTime(argv[5], &first)) {
    fmt::print(stderr, "usage: bare_loop FILE TARGET COLUMN SELECT FIRST DAYS\n");
    return 2;
  }
  const Status status = Rewrite({.file = argv[1],
                                 .target = argv[2],
                                 .column = argv[3],
                                 .select = argv[4],
                                 .first = first,
                                 .days = ParseInteger(argv[6]).value_or(0)});
  if (!status.ok()) fmt::print(stderr, "{}\n", status.error().message());
  return status.ok() ? 0 : 1;
}
