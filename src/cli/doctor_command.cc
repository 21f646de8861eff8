#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/doctor_places.h"
#include "cli/exit_status.h"
#include "cli/workspace.h"
#include "report/text_table.h"
#include "warehouse/day_bounds.h"

namespace retrofill {
namespace {

Finding Bad(std::string about, const Error& error, const std::string& fix = "") {
  std::vector<std::string> fixes = error.diagnostic().helps;
  if (fixes.empty() && !fix.empty()) fixes.push_back(fix);
  if (fixes.empty()) fixes.push_back("retrofill explain " + error.id());
  return {"FAIL", std::move(about), error.id() + " " + error.message(), std::move(fixes)};
}

Finding CheckConnection(const EngineContext& engine, const Connection& connection) {
  const std::string about = "connection " + connection.name;
  Result<std::unique_ptr<Warehouse>> warehouse = engine.open(connection, Access::kReadOnly, false);
  if (!warehouse.ok()) return Bad(about, warehouse.error());
  Result<std::unique_ptr<Session>> session = (*warehouse)->Connect();
  if (!session.ok()) return Bad(about, session.error());
  return Good(about, fmt::format("{}, {}, {}", connection.path, (*warehouse)->EngineName(),
                                 (*warehouse)->StrengthText()));
}

Finding CheckTable(const EngineContext& engine, const Table& table) {
  const std::string about = "table " + table.name;
  Result<OpenedTable> opened =
      OpenTable(engine, table.name, std::nullopt, Access::kReadOnly, engine.AsOf());
  if (!opened.ok()) return Bad(about, opened.error());
  bool tied = table.unreconciled.has_value();
  for (const Rule& rule : table.rules) tied = tied || rule.reads_source();
  if (!tied) {
    return {"warn",
            about,
            "R0101 no reconcile rule reads its source; `plan` refuses it",
            {"add a rule of kind count, sum or sql, or `unreconciled: REASON`"}};
  }
  return Good(about, opened->context->target_exists ? table.relation
                                                    : table.relation + ", does not exist yet");
}

// Whether SQL of a user that truncates in the table's zone would cut dates as the plan does: a
// warning, since our own statements never do. From ten years before today, or `begin`, to two years
// after.
std::vector<Finding> CheckDates(const EngineContext& engine, const Table& table) {
  Result<OpenedTable> opened =
      OpenTable(engine, table.name, std::nullopt, Access::kReadOnly, engine.AsOf());
  if (!opened.ok() || !opened->context->space->has_time()) return {};  // said by CheckTable
  const Grid& grid = opened->context->space->grid();
  if (grid.zone().utc()) return {};
  const absl::CivilDay today(grid.zone().CivilAt(engine.AsOf()));
  absl::CivilDay first = today - 3653;
  if (grid.begin()) first = std::max(first, absl::CivilDay(grid.zone().CivilAt(*grid.begin())));
  const auto elsewhere = DatesCutElsewhere(*opened->session, grid.zone(), first, today + 731);
  const std::string about = fmt::format("dates of {}", table.name);
  if (!elsewhere.ok()) return {Bad(about, elsewhere.error())};
  if (elsewhere->empty()) {
    return {Good(about, fmt::format("{} begins them where {} does", opened->warehouse->EngineName(),
                                    grid.zone().name()))};
  }
  return {
      {"warn",
       about,
       fmt::format("{} of them in {} begin elsewhere by the zone rules of {}, the first {}",
                   elsewhere->size(), grid.zone().name(), opened->warehouse->EngineName(),
                   absl::FormatCivilTime(elsewhere->front())),
       {"cut by `{{ window(...) }}` and `:interval_start`, not by a truncation in the zone; bring "
        "the zone rules of the system and of the engine to one version"}}};
}

Finding CheckJournal(Workspace& workspace) {
  const Result<int64_t> last = workspace.store().journal().LastSeq();
  if (!last.ok()) return Bad("journal", last.error());
  return Good("journal",
              fmt::format("{}, {}", workspace.project().journal_path,
                          *last == 0 ? std::string("empty") : Plural(*last, "event", "events")));
}

bool IsIgnored(const std::string& folder) {
  const Result<std::string> text = ReadFile(JoinPath(folder, ".gitignore"));
  if (!text.ok()) return false;
  for (const std::string& line : Lines(*text)) {
    if (Trim(line).starts_with(".retrofill")) return true;
  }
  return false;
}

std::vector<Finding> Examine(Context& context, Workspace& workspace) {
  const Project& project = workspace.project();
  std::vector<Finding> findings = {Good("configuration", project.config_file)};
  for (const auto& [name, connection] : project.connections) {
    findings.push_back(CheckConnection(workspace.engine(), connection));
  }
  for (const auto& [name, table] : project.tables) {
    findings.push_back(CheckTable(workspace.engine(), table));
    for (Finding& finding : CheckDates(workspace.engine(), table)) {
      findings.push_back(std::move(finding));
    }
  }
  findings.push_back(CheckJournal(workspace));
  findings.push_back(CheckFolder("state folder", project.state_folder));
  const Finding journal =
      CheckFiles("journal", {project.journal_path, project.journal_path + "-wal"});
  if (journal.level != "ok") findings.push_back(journal);
  for (const auto& [name, connection] : project.connections) {
    findings.push_back(CheckFolder("data of " + name, FolderOf(connection.path)));
    const Finding files =
        CheckFiles("data of " + name, {connection.path, connection.path + ".wal"});
    if (files.level != "ok") findings.push_back(files);
  }
  if (FolderExists(JoinPath(project.folder, ".git")) && !IsIgnored(project.folder)) {
    findings.push_back({"warn",
                        "git",
                        ".retrofill/ is not ignored",
                        {"add the line `.retrofill/` to .gitignore"}});
  }
  if (FileExists(workspace.engine().StopFile())) {
    findings.push_back({"warn",
                        "STOP file",
                        "X0103 nothing new starts while it is there",
                        {"rm " + workspace.engine().StopFile()}});
  }
  if (context.environment.hooks_on()) {
    findings.push_back(
        {"warn", "test hooks", "RETROFILL_TEST=1: not for production", {"unset RETROFILL_TEST"}});
  }
  return findings;
}

}  // namespace

Result<Answer> Execute(Context& context, const DoctorArguments&) {
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(context, Workspace::Use::kReadOnly));
  const std::vector<Finding> findings = Examine(context, *workspace);
  Answer answer;
  answer.type = "doctor.result";
  TextTable table("lll");
  Json list = Json::Array();
  int64_t bad = 0;
  for (const Finding& finding : findings) {
    table.Row({finding.level, finding.about, finding.text});
    Json fixes = Json::Array();
    for (const std::string& fix : finding.fixes) {
      table.Row({"", "", "fix: " + fix});
      fixes.Append(fix);
    }
    if (finding.level == "FAIL") ++bad;
    list.Append(Json::Object({{"level", Lower(finding.level)},
                              {"about", finding.about},
                              {"text", finding.text},
                              {"fixes", fixes}}));
  }
  answer.text = table.Text();
  answer.text += bad == 0 ? "ready\n" : Plural(bad, "problem", "problems") + "\n";
  answer.data = Json::Object({{"findings", list}, {"problems", bad}});
  answer.exit = bad == 0 ? kExitDone : kExitBadAnswer;
  return answer;
}

}  // namespace retrofill
