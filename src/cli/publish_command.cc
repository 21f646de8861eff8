#include <utility>

#include "base/text.h"
#include "cli/command.h"
#include "cli/consent.h"
#include "cli/drive.h"
#include "cli/envelope.h"
#include "cli/exit_status.h"
#include "cli/plan_request.h"
#include "cli/signal_watch.h"
#include "cli/workspace.h"
#include "engine/undo_operation.h"
#include "report/plan_text.h"

namespace retrofill {
namespace {

Answer Declined() {
  Answer answer;
  answer.type = "backfill.declined";
  answer.exit = kExitStoppedEarly;
  answer.text = "Nothing was changed.\n";
  return answer;
}

Status CheckPublishable(const BackfillState& state) {
  const bool can = state.phase == BackfillPhase::kVerified || state.verified || state.published ||
                   state.publish_intended;
  if (can && !IsFinal(state.phase)) return Ok();
  if (state.phase == BackfillPhase::kDone) return Ok();  // nothing to do
  Error error =
      Fail(ErrorCode::kRefused, "X0105", "backfill `{}` is {}: only verified ones are published",
           state.id, PhaseText(state.phase));
  const std::vector<NextStep> steps = NextSteps(state);
  if (steps.empty()) return std::move(error).Help("plan again");  // cancelled or undone
  return std::move(error).Help(CommandLine(steps.front().argv) + "   " + steps.front().why);
}

std::string PublishQuestion(const BackfillState& state) {
  return fmt::format(
      "Publishing {} of {} (previous rows are kept for undo).\n"
      "Readers see the old rows until the last moment.\nType the plan name to publish: ",
      Plural(state.Counts().staged, "partition", "partitions"), state.plan->relation);
}

Json UndoJson(const UndoPlan& undo) {
  Json stale = Json::Array();
  for (const PlanDownstream& each : undo.stale_again) {
    stale.Append(Json::Object({{"table", each.table}, {"keys", each.keys}}));
  }
  return Json::Object({{"undone", undo.undone},
                       {"name", undo.plan.plan ? undo.plan.plan->name : std::string()},
                       {"partitions", undo.partitions},
                       {"of", undo.of},
                       {"rows", undo.rows},
                       {"stale_again", stale}});
}

std::string UndoText(const UndoPlan& undo, std::string_view verb) {
  std::string text =
      fmt::format("{} {} of {} ({}, digest ok).", verb, GroupDigits(undo.partitions),
                  Plural(undo.of, "partition", "partitions"), Plural(undo.rows, "row", "rows"));
  if (!undo.stale_again.empty()) {
    std::vector<std::string> stale;
    for (const PlanDownstream& each : undo.stale_again)
      stale.push_back(each.table + " " + each.keys);
    text += "  Stale again: " + Join(stale, ", ") + ".";
  }
  return text + "\n";
}

}  // namespace

Result<Answer> Execute(Context& context, const PublishArguments& arguments) {
  SignalWatch::Block();
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(
                context, arguments.dry_run ? Workspace::Use::kReadOnly : Workspace::Use::kChange));
  RF_ASSIGN(const BackfillState state, LoadBackfill(*workspace, arguments.id));
  RF_TRY(CheckPublishable(state));
  if (arguments.dry_run) {
    Answer answer;
    answer.type = "publish.previewed";
    answer.text =
        fmt::format("Would publish {} of {}.\nNothing was changed.\n",
                    Plural(state.Counts().staged, "partition", "partitions"), state.plan->relation);
    answer.data = Json::Object({{"partitions", state.Counts().staged}, {"dry_run", true}});
    Describe(answer, state);
    return answer;
  }
  if (state.phase != BackfillPhase::kDone) {
    RF_ASSIGN(const bool agreed, AskConsent(context, {.what = "publishing",
                                                      .question = PublishQuestion(state),
                                                      .expected = state.id,
                                                      .given = arguments.confirm,
                                                      .flag = "--confirm " + state.id}));
    if (!agreed) return Declined();
  }
  RunRequest request;
  request.backfill = state.id;
  request.publish = true;
  request.skip_blocked = true;  // agreed when it was run
  return Drive(context, *workspace, {.request = std::move(request), .may_ask = false});
}

Result<Answer> Execute(Context& context, const UndoArguments& arguments) {
  SignalWatch::Block();
  RF_TRY(CheckReason("--reason", arguments.reason));
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(
                context, arguments.dry_run ? Workspace::Use::kReadOnly : Workspace::Use::kChange));
  RF_ASSIGN(const BackfillState state, LoadBackfill(*workspace, arguments.id));
  RF_ASSIGN(const SelectionArguments selection, ReadSelection(arguments.selection));
  RF_ASSIGN(const UndoPlan undo,
            PlanUndo(workspace->engine(), state.id, selection, arguments.reason));
  context.warnings.insert(context.warnings.end(), undo.plan.warnings.begin(),
                          undo.plan.warnings.end());
  std::string echo;
  if (!selection.empty()) {
    for (const std::string& line : undo.plan.echo) echo += line + "\n";
  }
  if (arguments.dry_run) {
    Answer answer;
    answer.type = "undo.previewed";
    answer.text = echo + UndoText(undo, "Would restore") + "Nothing was changed.\n";
    answer.data = UndoJson(undo);
    answer.data["dry_run"] = true;
    Describe(answer, state);
    return answer;
  }
  const std::string intro = echo + UndoText(undo, "Restores");
  RF_ASSIGN(const bool agreed,
            AskConsent(context, {.what = "undo",
                                 .question = intro + "Type the backfill's name to undo it: ",
                                 .expected = state.id,
                                 .given = arguments.confirm,
                                 .flag = "--confirm " + state.id}));
  if (!agreed) return Declined();
  RF_TRY(SaveUndo(workspace->engine(), undo));
  RunRequest request;
  request.backfill = undo.plan.plan->name;
  request.publish = true;
  Result<Answer> answer =
      Drive(context, *workspace, {.request = std::move(request), .may_ask = false, .intro = intro});
  if (answer.ok()) answer->data["undo"] = UndoJson(undo);
  return answer;
}

}  // namespace retrofill
