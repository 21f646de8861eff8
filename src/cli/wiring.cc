#include "cli/wiring.h"

#include <utility>

#include "base/db/duckdb.h"
#include "base/file.h"
#include "journal/sqlite_connection.h"
#include "journal/sqlite_journal.h"
#include "warehouse/duckdb_warehouse.h"

namespace retrofill {
namespace {

// Settings of the pools on a connection; several pools of one file share one process.
DuckdbSettings SettingsOf(const Project& project, const std::string& connection) {
  DuckdbSettings settings{.temp_directory = JoinPath(project.state_folder, "tmp")};
  for (const auto& [name, pool] : project.pools) {
    if (pool.connection != connection) continue;
    if (pool.memory_limit) settings.memory_limit = *pool.memory_limit;
    if (pool.threads) settings.threads = *pool.threads;
  }
  return settings;
}

Result<std::unique_ptr<Warehouse>> OpenConnection(const Connection& connection, Access access,
                                                  bool may_be_missing, DuckdbSettings settings) {
  if (access == Access::kReadOnly) settings.temp_directory.clear();  // makes no folder
  if (access == Access::kReadOnly && may_be_missing && !FileExists(connection.path)) {
    return OpenDuckdb(":memory:", Access::kReadWrite, settings);
  }
  Result<std::unique_ptr<Warehouse>> opened = OpenDuckdb(connection.path, access, settings);
  if (opened.ok()) return opened;
  return std::move(opened).error().While(fmt::format("opening connection `{}`", connection.name));
}

}  // namespace

std::unique_ptr<Journal> OpenJournal(const std::string& path, JournalUse use) {
  return OpenSqliteJournal(
      path, use == JournalUse::kWrite ? JournalAccess::kReadWrite : JournalAccess::kReadOnly);
}

WarehouseOpener MakeOpener(const Project* project) {
  return [project](const Connection& connection, Access access, bool may_be_missing) {
    return OpenConnection(
        connection, access, may_be_missing,
        project == nullptr ? DuckdbSettings() : SettingsOf(*project, connection.name));
  };
}

Result<LibraryVersions> AskVersions() {
  RF_ASSIGN(const std::unique_ptr<SqliteConnection> connection,
            SqliteConnection::Open(":memory:", SqliteMode::kCreate));
  RF_ASSIGN(SqliteStatement statement, connection->Prepare("select sqlite_version()"));
  RF_ASSIGN(const bool found, statement.Step());
  return LibraryVersions{.duckdb = DuckdbDatabase::LibraryVersion(),
                         .sqlite = found ? statement.Text(0) : std::string()};
}

}  // namespace retrofill
