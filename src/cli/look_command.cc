// `status`, `history`, `show`, `logs`, `report`: what the journal knows. Nothing is changed.

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/drive.h"
#include "cli/workspace.h"
#include "report/backfill_json.h"
#include "report/plan_text.h"
#include "report/status_text.h"
#include "report/story_text.h"

namespace retrofill {
namespace {

Json ListJson(const std::vector<BackfillState>& states) {
  Json list = Json::Array();
  for (const BackfillState& state : states) list.Append(BackfillJson(state));
  return Json::Object({{"backfills", list}});
}

Result<std::unique_ptr<Workspace>> OpenToLook(Context& context) {
  return Workspace::Open(context, Workspace::Use::kReadOnly);
}

}  // namespace

Result<Answer> Execute(Context& context, const StatusArguments& arguments) {
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace, OpenToLook(context));
  Answer answer;
  answer.type = "status";
  if (!arguments.id.empty()) {
    RF_ASSIGN(const BackfillState state, workspace->store().Load(arguments.id));
    answer.data = ListJson({state});
    answer.data["partitions"] = PartitionsJson(state);
    answer.text = BackfillText(state);
    Describe(answer, state);
    return answer;
  }
  RF_ASSIGN(LoadedBackfills loaded, workspace->store().LoadAll());
  answer.warnings = std::move(loaded.warnings);
  std::vector<BackfillState>& states = loaded.states;
  // What is over stands in `history`; of those only the newest is worth a line.
  std::vector<BackfillState> shown;
  for (size_t i = 0; i < states.size(); ++i) {
    if (!IsFinal(states[i].phase) || i + 1 == states.size()) shown.push_back(std::move(states[i]));
  }
  answer.data = ListJson(shown);
  answer.text = StatusText(shown);
  RF_ASSIGN(answer.seq, workspace->store().journal().LastSeq());
  return answer;
}

Result<Answer> Execute(Context& context, const HistoryArguments& arguments) {
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace, OpenToLook(context));
  if (!arguments.table.empty()) {
    RF_ASSIGN(const Table* table, FindTable(workspace->project(), arguments.table));
    static_cast<void>(table);
  }
  RF_ASSIGN(LoadedBackfills loaded, workspace->store().LoadAll(arguments.table));
  Answer answer;
  answer.type = "history";
  answer.data = ListJson(loaded.states);
  answer.text = HistoryText(loaded.states);
  answer.warnings = std::move(loaded.warnings);
  RF_ASSIGN(answer.seq, workspace->store().journal().LastSeq());
  return answer;
}

Result<Answer> Execute(Context& context, const ShowArguments& arguments) {
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace, OpenToLook(context));
  Answer answer;
  answer.type = "shown";
  if (FileExists(arguments.subject)) {
    RF_ASSIGN(const std::string text, ReadFile(arguments.subject));
    RF_ASSIGN(const Plan plan, ParsePlan(text));
    answer.plan = plan.hash;
    answer.data = PlanJson(plan);
    answer.text = PlanText(plan, {.all = true});
    if (arguments.sql) answer.text += "\n" + plan.pin.sql;
    return answer;
  }
  RF_ASSIGN(const BackfillState state, workspace->store().Load(arguments.subject));
  RF_ASSIGN(const std::vector<Event> events, workspace->store().Events(state.id, 0));
  answer.data = PlanJson(*state.plan);
  answer.data["backfill"] = BackfillJson(state);
  const bool whole = !arguments.sql && !arguments.steps && !arguments.partitions;
  if (whole) answer.text = BackfillText(state) + "\n" + PlanText(*state.plan, {.all = true});
  if (arguments.sql) answer.text += state.plan->pin.sql + "\n";
  if (arguments.steps) {
    answer.text += StepsText(events, state);
    answer.data["steps"] = StepsJson(events, state);
  }
  if (arguments.partitions) {
    answer.text += PartitionsText(state);
    answer.data["partitions"] = PartitionsJson(state);
  }
  Describe(answer, state);
  return answer;
}

Result<Answer> Execute(Context& context, const LogsArguments& arguments) {
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace, OpenToLook(context));
  RF_ASSIGN(const BackfillState state, workspace->store().Load(arguments.id));
  std::string key;
  if (!arguments.key.empty()) {
    RF_ASSIGN(const Partition partition, state.plan->space->ParseKey(arguments.key));
    key = state.plan->space->KeyText(partition);
  }
  RF_ASSIGN(const std::vector<Event> events, workspace->store().Events(state.id, 0));
  Answer answer;
  answer.type = "logs";
  answer.text = LogsText(events, state, key);
  answer.data = LogsJson(events, state, key);
  Describe(answer, state);
  answer.next.clear();
  return answer;
}

Result<Answer> Execute(Context& context, const ReportArguments& arguments) {
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace, OpenToLook(context));
  RF_ASSIGN(const BackfillState state, workspace->store().Load(arguments.id));
  RF_ASSIGN(const std::vector<Event> events, workspace->store().Events(state.id, 0));
  Answer answer;
  answer.type = "report";
  answer.text = ReportText(state, events);
  answer.data = ReportJson(state, events);
  Describe(answer, state);
  answer.next.clear();
  for (const PlanDownstream& each : state.plan->downstream) {
    if (!each.stale()) continue;
    answer.warnings.push_back(Diagnostic{
        .level = Level::kNote,
        .id = "L0101",
        .message = fmt::format("{} of `{}` {} stale: {}{}",
                               Plural(each.partitions, "partition", "partitions"), each.table,
                               each.partitions == 1 ? "is" : "are", each.keys,
                               each.refresh == "never" ? "; refresh declined by policy" : "")});
  }
  return answer;
}

}  // namespace retrofill
