#include "cli/demo_past.h"

#include <memory>

#include "base/check.h"
#include "base/file.h"
#include "cli/build_info.h"
#include "cli/demo_shop.h"
#include "cli/wiring.h"
#include "config/load_config.h"
#include "engine/plan_operation.h"
#include "engine/run_operation.h"

namespace retrofill {
namespace {

// The past needs no proof of its own: what is loaded then is what the demo finds wrong.
constexpr char kReason[] = "the past of the demo";

Status WriteFiles(const std::string& folder, const std::vector<EmbeddedFile>& files) {
  for (const EmbeddedFile& file : files) {
    const std::string path = JoinPath(folder, file.path);
    RF_TRY(MakeFolders(FolderOf(path)));
    RF_TRY(WriteFileAtomically(path, file.text));
  }
  return Ok();
}

// The project as it was when the tables were loaded, with its database and state where those of
// today are.
Result<Project> LoadPast(const DemoRequest& request, const std::string& past) {
  LoadOptions options;
  options.config_file = JoinPath(past, kConfigFileName);
  options.environment = [](std::string_view) { return std::nullopt; };
  Checked<Project> loaded = LoadProject(options);
  if (!loaded.ok()) return std::move(loaded.errors.front());
  Project project = std::move(loaded.value);
  for (auto& [name, connection] : project.connections) {
    connection.path = JoinPath(request.folder, kDemoDatabase);
  }
  project.state_folder = JoinPath(request.folder, ".retrofill");
  project.journal_path = JoinPath(project.state_folder, "journal.db");
  return project;
}

Status Load(const EngineContext& engine, const DemoLoad& load) {
  PlanCommand command;
  command.table = load.table;
  command.selection.words = {load.selection};
  command.name = load.name;
  command.reason = "first load";
  RF_ASSIGN(const PlanResult planned, PlanTable(engine, command));
  RF_CHECK(planned.plan.has_value(), "nothing to load into {}", load.table);
  RF_TRY(SavePlan(engine, planned));
  Runner runner(engine);
  RunRequest run;
  run.backfill = load.name;
  run.publish = true;
  run.override_proof = kReason;
  run.skip_canary = kReason;
  RF_ASSIGN(const RunResult result, runner.Run(run));
  RF_CHECK(result.state.phase == BackfillPhase::kDone, "{} ended as {}: {}", load.name,
           PhaseText(result.state.phase), result.state.attention);
  RF_CHECK(result.state.Counts().published == load.partitions, "{} loaded {} partitions", load.name,
           result.state.Counts().published);
  return Ok();
}

Status BuildPast(const DemoRequest& request, const std::string& past) {
  RF_TRY(WriteFiles(past, DemoPastFiles()));
  RF_ASSIGN(const Project project, LoadPast(request, past));
  const std::unique_ptr<Journal> journal = OpenJournal(project.journal_path, JournalUse::kWrite);
  BackfillStore store(journal.get(), request.clock, request.actor);
  EngineContext engine;
  engine.project = &project;
  engine.store = &store;
  engine.clock = request.clock;
  engine.open = request.open;
  engine.actor = request.actor;
  engine.owner = request.owner;
  engine.version = ThisBuild().version;
  for (const DemoLoad& load : DemoLoads()) RF_TRY(Load(engine, load));
  return Ok();
}

}  // namespace

Status BuildDemo(const DemoRequest& request) {
  const std::string database = JoinPath(request.folder, kDemoDatabase);
  const std::string past = JoinPath(request.folder, ".retrofill/tmp/past");
  RF_TRY(MakeFolders(request.folder));
  RF_TRY(request.execute(database, std::string(DemoSourcesSql())));
  RF_TRY(BuildPast(request, past));
  RF_TRY(RemoveFolder(past));
  RF_TRY(request.execute(database, std::string(DemoAfterLoadSql())));
  return WriteFiles(request.folder, DemoProjectFiles());
}

}  // namespace retrofill
