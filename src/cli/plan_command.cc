#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/nothing_to_do.h"
#include "cli/plan_request.h"
#include "cli/workspace.h"
#include "report/plan_text.h"
#include "report/unassigned_text.h"

namespace retrofill {

Answer NothingToDo(const PlanResult& result) {
  Answer answer;
  answer.type = "plan.nothing_to_do";
  for (const std::string& line : result.echo) answer.text += line + "\n";
  answer.text += "nothing to do\n";
  answer.data = Json::Object({{"nothing_to_do", true}});
  answer.warnings = result.warnings;
  return answer;
}

Result<Answer> Execute(Context& context, const PlanArguments& arguments) {
  const std::string& file = context.global.output;
  RF_ASSIGN(const PlanCommand command, MakePlanCommand(arguments, file));
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(
                context, arguments.dry_run ? Workspace::Use::kReadOnly : Workspace::Use::kChange));
  RF_ASSIGN(const PlanResult result, PlanTable(workspace->engine(), command));
  if (!result.plan) return NothingToDo(result);
  const Plan& plan = *result.plan;
  Answer answer;
  answer.type = "plan.created";
  answer.data = PlanJson(plan);
  answer.data["dry_run"] = arguments.dry_run;
  answer.data["unassigned"] = UnassignedJson(result.unassigned);
  answer.plan = plan.hash;
  answer.warnings = result.warnings;
  answer.text =
      PlanText(plan, {.all = arguments.all, .unassigned = UnassignedText(result.unassigned)});
  if (!arguments.dry_run) {
    RF_TRY(SavePlan(workspace->engine(), result));
    RF_ASSIGN(answer.seq, workspace->store().journal().LastSeq());
  }
  if (file == "-") {
    answer.text = plan.text;
  } else if (!file.empty() && !arguments.dry_run) {
    RF_TRY(WriteFileAtomically(file, plan.text));
    answer.text += fmt::format("\nSaved plan to {}\n", file);
  }
  if (arguments.dry_run) {
    answer.text += "\nNothing was saved.\n";
  } else {
    const std::string name = file.empty() || file == "-" ? plan.name : file;
    answer.next.push_back({{"retrofill", "run", name}, "runs exactly this plan"});
  }
  const bool something = !plan.ToCompute().empty();
  if (arguments.detailed_exitcode && something) answer.exit = kExitSomethingToDo;
  return answer;
}

}  // namespace retrofill
