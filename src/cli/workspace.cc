#include "cli/workspace.h"

#include <utility>

#include "base/file.h"
#include "base/process.h"
#include "cli/build_info.h"
#include "journal/lease_owner.h"
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

Result<std::unique_ptr<Warehouse>> OpenConnection(const Project& project,
                                                  const Connection& connection, Access access,
                                                  bool may_be_missing) {
  DuckdbSettings settings = SettingsOf(project, connection.name);
  if (access == Access::kReadOnly) settings.temp_directory.clear();  // makes no folder
  if (access == Access::kReadOnly && may_be_missing && !FileExists(connection.path)) {
    return OpenDuckdb(":memory:", Access::kReadWrite, settings);
  }
  Result<std::unique_ptr<Warehouse>> opened = OpenDuckdb(connection.path, access, settings);
  if (opened.ok()) return opened;
  return std::move(opened).error().While(fmt::format("opening connection `{}`", connection.name));
}

}  // namespace

Result<std::string> ConfigFileOf(const Context& context) {
  if (!context.global.config.empty()) return AbsolutePath(context.global.config);
  return FindConfigFile(CurrentFolder());
}

Result<Checked<Configuration>> ReadConfiguration(const Context& context) {
  RF_ASSIGN(const std::string file, ConfigFileOf(context));
  const VariableReader read = [&context](std::string_view name) {
    return context.environment.Find(name);
  };
  return LoadConfiguration(
      {.config_file = file, .environment = read, .setting_files = SettingFiles(read)});
}

Workspace::Workspace(Context& context, Configuration configuration, Use use)
    : context_(context), configuration_(std::move(configuration)), use_(use) {
  const JournalAccess access =
      use == Use::kChange ? JournalAccess::kReadWrite : JournalAccess::kReadOnly;
  journal_ = OpenSqliteJournal(configuration_.project.journal_path, access);
  store_ = std::make_unique<BackfillStore>(journal_.get(), context_.clock.get(), context_.Actor());
  const Project* project = &configuration_.project;
  engine_ = {.project = project,
             .store = store_.get(),
             .clock = context_.clock.get(),
             .open =
                 [project](const Connection& connection, Access opened, bool may_be_missing) {
                   return OpenConnection(*project, connection, opened, may_be_missing);
                 },
             .actor = context_.Actor(),
             .owner = LeaseOwnerOfThisProcess(OperatorOf(context_.environment).host),
             .version = ThisBuild().version};
}

Result<std::unique_ptr<Workspace>> Workspace::Open(Context& context, Use use) {
  RF_ASSIGN(Checked<Configuration> checked, ReadConfiguration(context));
  context.warnings.insert(context.warnings.end(), checked.warnings.begin(), checked.warnings.end());
  if (!checked.ok()) {
    context.further_problems.assign(checked.errors.begin() + 1, checked.errors.end());
    return std::move(checked.errors.front());
  }
  return std::unique_ptr<Workspace>(new Workspace(context, std::move(checked.value), use));
}

std::string Workspace::StateFile(std::string_view name) const {
  return JoinPath(project().state_folder, name);
}

}  // namespace retrofill
