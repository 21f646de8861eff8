#include "cli/workspace.h"

#include <utility>

#include "base/file.h"
#include "base/process.h"
#include "cli/build_info.h"
#include "cli/wiring.h"
#include "engine/table_references.h"
#include "journal/lease_owner.h"

namespace retrofill {
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
  journal_ = OpenJournal(configuration_.project.journal_path,
                         use == Use::kChange ? JournalUse::kWrite : JournalUse::kRead);
  store_ = std::make_unique<BackfillStore>(journal_.get(), context_.clock.get(), context_.Actor());
  const Project* project = &configuration_.project;
  engine_ = {.project = project,
             .store = store_.get(),
             .clock = context_.clock.get(),
             .open = MakeOpener(project),
             .actor = context_.Actor(),
             .owner = LeaseOwnerOfThisProcess(OperatorOf(context_.environment).host),
             .version = ThisBuild().version};
}

Result<std::unique_ptr<Workspace>> Workspace::Open(Context& context, Use use) {
  RF_ASSIGN(Checked<Configuration> checked, ReadConfiguration(context));
  context.warnings.insert(context.warnings.end(), checked.warnings.begin(), checked.warnings.end());
  // What only the SQL of the tables tells.
  if (checked.ok()) checked.errors = FindReferenceCycles(checked.value.project);
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
