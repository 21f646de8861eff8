#include <algorithm>
#include <utility>

#include "base/text.h"
#include "cli/command.h"
#include "cli/consent.h"
#include "cli/drive.h"
#include "cli/exit_status.h"
#include "cli/nothing_to_do.h"
#include "cli/output.h"
#include "cli/plan_request.h"
#include "cli/signal_watch.h"
#include "cli/workspace.h"
#include "report/diagnostic_text.h"
#include "report/plan_text.h"

namespace retrofill {
namespace {

Status CheckFlags(const RunArguments& arguments) {
  if (arguments.publish && arguments.no_publish) {
    return Fail(ErrorCode::kInvalid, "C0103", "`--publish` and `--no-publish` exclude each other");
  }
  if (arguments.detach) {
    return Fail(ErrorCode::kRefused, "X0104",
                "`--detach` hands the work to a worker, and none is alive")
        .Help("leave out --detach");
  }
  if (!arguments.hold.empty()) {
    return Fail(ErrorCode::kInvalid, "C0109", "there is no schedule `{}`", arguments.hold.front())
        .Help("leave out --hold: this project declares no schedules");
  }
  RF_TRY(CheckReason("--override-proof", arguments.override_proof));
  RF_TRY(CheckReason("--skip-canary", arguments.skip_canary));
  return CheckReason("--allow-stale", arguments.allow_stale);
}

RunRequest RequestOf(const Context& context, const RunArguments& arguments) {
  RunRequest request;
  request.publish = arguments.publish;
  request.may_publish = !context.is_agent();  // `run` of a program always ends at `verified`
  request.no_publish = arguments.no_publish;
  request.skip_blocked = arguments.plan.skip_blocked;
  request.override_proof = arguments.override_proof;
  request.skip_canary = arguments.skip_canary;
  request.allow_stale = arguments.allow_stale;
  request.slots = arguments.plan.slots;
  return request;
}

// `--confirm NAME` agrees to the publish of that plan and no other.
Status TakeConfirm(const RunArguments& arguments, const std::string& name, RunRequest& request) {
  if (arguments.confirm.empty()) return Ok();
  if (arguments.confirm != name) {
    return Fail(ErrorCode::kRefused, "C0204", "publishing needs `{}`, and `{}` was given", name,
                arguments.confirm)
        .Help("--confirm " + name);
  }
  request.publish = true;
  return Ok();
}

// What the table's publish mode makes of what was asked for.
void FollowMode(const Plan& plan, RunRequest& request) {
  switch (plan.settings.publish) {
    case PublishMode::kAtEnd:
      break;
    case PublishMode::kPerPartition:
      // The mode is the consent; a run that goes on has kept it.
      if (!request.no_publish && !request.resumed) request.publish = true;
      break;
    case PublishMode::kManual:
      request.publish = false;  // `run` ends at `verified`, and `publish` is the next command
      break;
  }
}

std::string StartQuestion(const Plan& plan, int64_t blocked) {
  std::string text = fmt::format(
      "Compute {} of {}?  Nothing is published without the plan's name.\n",
      Plural(plan.ToCompute().Count(*plan.space), "partition", "partitions"), plan.relation);
  if (blocked > 0) {
    text += fmt::format("This also agrees to leave out {} that {} blocked.\n",
                        Plural(blocked, "partition", "partitions"), blocked == 1 ? "is" : "are");
  }
  return text + "Type yes to start: ";
}

Answer Declined() {
  Answer answer;
  answer.type = "backfill.declined";
  answer.exit = kExitStoppedEarly;
  answer.text = "Nothing was changed.\n";
  return answer;
}

Result<Answer> RunNew(Context& context, Workspace& workspace, const RunArguments& arguments) {
  RF_ASSIGN(const PlanCommand command, MakePlanCommand(arguments.plan, ""));
  RF_ASSIGN(const PlanResult result, PlanTable(workspace.engine(), command));
  if (!result.plan) return NothingToDo(result);
  const Plan& plan = *result.plan;
  std::string intro = PlanText(plan);
  for (const Diagnostic& warning : result.warnings) {
    // Before anything runs: whoever agrees has to see them.
    if (context.is_text()) {
      intro += "\n" + DiagnosticText(warning, {.color = context.terminal.color_output()});
    } else {
      context.warnings.push_back(warning);
    }
  }
  if (arguments.plan.dry_run) {
    Answer answer;
    answer.type = "plan.created";
    answer.data = PlanJson(plan);
    answer.data["dry_run"] = true;
    answer.text = intro + "\nNothing was saved, nothing runs.\n";
    return answer;
  }
  RunRequest request = RequestOf(context, arguments);
  RF_TRY(TakeConfirm(arguments, plan.name, request));
  const auto blocked = static_cast<int64_t>(result.blocked.size());
  if (!arguments.yes && !arguments.publish && context.terminal.can_ask()) {
    WriteError(intro + "\n");
    intro.clear();
  }
  RF_ASSIGN(const bool agreed,
            AskConsent(context, {.what = "starting a run",
                                 .question = StartQuestion(plan, blocked),
                                 .expected = "yes",
                                 .given = arguments.yes || arguments.publish ? "yes" : "",
                                 .flag = "--yes to start, --publish to publish as well"}));
  if (!agreed) return Declined();
  if (!arguments.yes && !arguments.publish) request.skip_blocked = true;
  RF_TRY(SavePlan(workspace.engine(), result));
  request.backfill = plan.name;
  FollowMode(plan, request);
  return Drive(context, workspace,
               {.request = std::move(request), .grace = arguments.grace, .intro = intro});
}

Result<Answer> RunPlanned(Context& context, Workspace& workspace, const RunArguments& arguments) {
  const std::string& named = arguments.plan.target.table;
  if (workspace.project().tables.contains(named)) {
    RF_ASSIGN(const std::vector<std::string> ids, workspace.store().Ids());
    if (std::find(ids.begin(), ids.end(), named) == ids.end()) {
      return Fail(ErrorCode::kInvalid, "C0202", "`retrofill run {}` needs partitions", named)
          .Help("for example `2026-01`, or `..` for all up to the watermark");
    }
  }
  RF_ASSIGN(const BackfillState state, LoadBackfill(workspace, named));
  RunRequest request = RequestOf(context, arguments);
  request.backfill = state.id;
  RF_TRY(TakeConfirm(arguments, state.id, request));
  if (arguments.plan.dry_run) {
    Answer answer;
    answer.type = "plan.shown";
    answer.data = PlanJson(*state.plan);
    answer.text = PlanText(*state.plan) + "\nNothing runs.\n";
    Describe(answer, state);
    return answer;
  }
  FollowMode(*state.plan, request);
  return Drive(context, workspace, {.request = std::move(request), .grace = arguments.grace});
}

}  // namespace

Result<Answer> Execute(Context& context, const RunArguments& arguments) {
  SignalWatch::Block();
  RF_TRY(CheckFlags(arguments));
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(context, arguments.plan.dry_run ? Workspace::Use::kReadOnly
                                                            : Workspace::Use::kChange));
  return arguments.plan.target.selection.empty() ? RunPlanned(context, *workspace, arguments)
                                                 : RunNew(context, *workspace, arguments);
}

Result<Answer> Execute(Context& context, const ResumeArguments& arguments) {
  SignalWatch::Block();
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(
                context, arguments.dry_run ? Workspace::Use::kReadOnly : Workspace::Use::kChange));
  RF_ASSIGN(const BackfillState state, LoadBackfill(*workspace, arguments.id));
  RunArguments run;
  run.publish = arguments.publish;
  run.confirm = arguments.confirm;
  RunRequest request = RequestOf(context, run);
  request.backfill = state.id;
  request.resumed = true;
  RF_TRY(TakeConfirm(run, state.id, request));
  if (arguments.dry_run) {
    Answer answer;
    answer.type = "plan.shown";
    answer.data = PlanJson(*state.plan);
    answer.text = PlanText(*state.plan) + "\nNothing runs.\n";
    Describe(answer, state);
    return answer;
  }
  FollowMode(*state.plan, request);
  return Drive(context, *workspace, {.request = std::move(request), .grace = arguments.grace});
}

}  // namespace retrofill
