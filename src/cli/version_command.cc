#include "base/db/duckdb.h"
#include "base/text.h"
#include "base/zone.h"
#include "cli/build_info.h"
#include "cli/command.h"
#include "journal/sqlite_connection.h"

namespace retrofill {
namespace {

// Asked of the library itself, which may be another one than at build time.
Result<std::string> SqliteVersion() {
  RF_ASSIGN(const std::unique_ptr<SqliteConnection> connection,
            SqliteConnection::Open(":memory:", SqliteMode::kCreate));
  RF_ASSIGN(SqliteStatement statement, connection->Prepare("select sqlite_version()"));
  RF_ASSIGN(const bool found, statement.Step());
  return found ? statement.Text(0) : std::string();
}

}  // namespace

Result<Answer> Execute(Context& context, const VersionArguments&) {
  const BuildInfo build = ThisBuild();
  RF_ASSIGN(const std::string sqlite, SqliteVersion());
  const std::string duckdb = DuckdbDatabase::LibraryVersion();

  Answer answer;
  answer.type = "version";
  answer.data = Json::Object({{"version", build.version},
                              {"commit", build.commit},
                              {"build_type", build.build_type},
                              {"compiler", build.compiler},
                              {"duckdb", duckdb},
                              {"sqlite", sqlite},
                              {"test_hooks", context.environment.hooks_on()}});
  answer.text = fmt::format("retrofill {}{}\n", build.version,
                            build.commit.empty() ? "" : "   git " + build.commit);
  answer.text += fmt::format("build     {}, {}\n", build.build_type, build.compiler);
  answer.text += fmt::format("duckdb    {}\nsqlite    {}\n", duckdb, sqlite);
  if (context.environment.hooks_on()) {
    answer.text += "hooks     on: RETROFILL_TEST=1, this is not a run for production\n";
  }
  return answer;
}

}  // namespace retrofill
