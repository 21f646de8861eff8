// `pause`, `cancel`, `retry`, `clean`: live control, from any process on the same journal.

#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/consent.h"
#include "cli/drive.h"
#include "cli/exit_status.h"
#include "cli/plan_request.h"
#include "cli/signal_watch.h"
#include "cli/workspace.h"
#include "engine/clean_operation.h"
#include "engine/control_operation.h"
#include "report/backfill_json.h"
#include "report/status_text.h"
#include "report/text_table.h"

namespace retrofill {
namespace {

Result<std::unique_ptr<Workspace>> OpenFor(Context& context, bool dry_run) {
  return Workspace::Open(context, dry_run ? Workspace::Use::kReadOnly : Workspace::Use::kChange);
}

Answer Preview(const BackfillState& state, const std::string& text) {
  Answer answer;
  answer.type = "previewed";
  answer.text = text + "\nNothing was changed.\n";
  answer.data = Json::Object({{"backfill", BackfillJson(state)}, {"dry_run", true}});
  Describe(answer, state);
  return answer;
}

Result<Answer> After(Workspace& workspace, const std::string& id, std::string type,
                     std::string text) {
  RF_ASSIGN(const BackfillState state, workspace.store().Load(id));
  Answer answer;
  answer.type = std::move(type);
  answer.text = std::move(text);
  answer.data = Json::Object({{"backfill", BackfillJson(state)}});
  Describe(answer, state);
  return answer;
}

Answer Declined() {
  Answer answer;
  answer.type = "declined";
  answer.exit = kExitStoppedEarly;
  answer.text = "Nothing was changed.\n";
  return answer;
}

}  // namespace

Result<Answer> Execute(Context& context, const PauseArguments& arguments) {
  RF_TRY(CheckReason("--reason", arguments.reason));
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace, OpenFor(context, arguments.dry_run));
  RF_ASSIGN(const BackfillState state, LoadBackfill(*workspace, arguments.id));
  if (arguments.dry_run) return Preview(state, "Would pause " + state.id + ".");
  RF_ASSIGN(const Driven driven, PauseBackfill(workspace->engine(), state.id, arguments.reason));
  return After(
      *workspace, state.id, "backfill.paused",
      driven == Driven::kByOther
          ? fmt::format("{} is asked to pause; running partitions finish first\n", state.id)
          : fmt::format("{} is paused\n", state.id));
}

Result<Answer> Execute(Context& context, const CancelArguments& arguments) {
  RF_TRY(CheckReason("--reason", arguments.reason));
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace, OpenFor(context, arguments.dry_run));
  RF_ASSIGN(const BackfillState state, LoadBackfill(*workspace, arguments.id));
  if (arguments.dry_run) {
    return Preview(state, fmt::format("Would cancel {} for good: {} staged would be dropped, {} "
                                      "published stay.",
                                      state.id, state.Counts().staged, state.Counts().published));
  }
  RF_ASSIGN(const bool agreed,
            AskConsent(context,
                       {.what = "cancel",
                        .question = fmt::format("Cancel {} for good?  Published partitions stay, "
                                                "staged ones are dropped.  (yes) ",
                                                state.id),
                        .expected = "yes",
                        .given = arguments.yes ? "yes" : "",
                        .flag = "--yes"}));
  if (!agreed) return Declined();
  RF_ASSIGN(const Driven driven, CancelBackfill(workspace->engine(), state.id, arguments.reason));
  return After(*workspace, state.id, "backfill.cancelled",
               driven == Driven::kByOther ? state.id + " is asked to cancel\n"
                                          : state.id + " is cancelled\n");
}

Result<Answer> Execute(Context& context, const RetryArguments& arguments) {
  SignalWatch::Block();
  RF_TRY(CheckReason("--reason", arguments.reason));
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace, OpenFor(context, arguments.dry_run));
  RF_ASSIGN(const BackfillState state, LoadBackfill(*workspace, arguments.id));
  RF_ASSIGN(const SelectionArguments selection, ReadSelection(arguments.selection));
  RF_ASSIGN(const RetryChoice choice, ChooseRetry(workspace->engine(), state.id, selection));
  context.warnings.insert(context.warnings.end(), choice.warnings.begin(), choice.warnings.end());
  std::string echo;
  for (const std::string& line : choice.echo) echo += line + "\n";
  const auto count = static_cast<int64_t>(choice.parts.size());
  if (arguments.dry_run) {
    return Preview(state, fmt::format("{}Would try {} again.", echo,
                                      Plural(count, "failed partition", "failed partitions")));
  }
  RF_TRY(RetryPartitions(workspace->engine(), state.id, choice));
  RunRequest request;
  request.backfill = state.id;
  request.resumed = true;
  request.may_publish = !context.is_agent();
  return Drive(
      context, *workspace,
      {.request = std::move(request),
       .intro = fmt::format("{}trying {} again", echo, Plural(count, "partition", "partitions"))});
}

Result<Answer> Execute(Context& context, const CleanArguments& arguments) {
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace, OpenFor(context, arguments.dry_run));
  RF_ASSIGN(const std::vector<CleanEntry> entries, ListCleanable(workspace->engine()));
  Answer answer;
  answer.type = "clean.result";
  TextTable table("lrll");
  table.Row({"OBJECT", "ROWS", "", "WHY"});
  Json list = Json::Array();
  int64_t expired = 0;
  for (const CleanEntry& entry : entries) {
    if (entry.expired) ++expired;
    const std::string name = entry.file.empty()
                                 ? entry.object.schema + "." + entry.object.table
                                 : RelativePath(entry.file, workspace->project().folder);
    table.Row({name, GroupDigits(entry.object.rows), entry.expired ? "drop" : "keep", entry.why});
    list.Append(Json::Object({{"connection", entry.connection},
                              {"object", name},
                              {"rows", entry.object.rows},
                              {"backfill", entry.backfill},
                              {"why", entry.why},
                              {"expired", entry.expired}}));
  }
  answer.data = Json::Object({{"objects", list}, {"expired", expired}});
  answer.text = entries.empty() ? "nothing of ours is there\n" : table.Text();
  if (expired == 0 || arguments.dry_run) {
    answer.text += expired == 0 ? "nothing to drop\n" : "Nothing was changed.\n";
    return answer;
  }
  const std::string question =
      answer.text + fmt::format("Drop {}?  (yes) ", Plural(expired, "object", "objects"));
  Result<bool> agreed = AskConsent(context, {.what = "clean",
                                             .question = question,
                                             .expected = "yes",
                                             .given = arguments.yes ? "yes" : "",
                                             .flag = "--yes"});
  if (!agreed.ok()) {
    // What would be dropped is listed all the same.
    answer.exit = ExitStatusOf(agreed.error());
    answer.error = std::move(agreed).error();
    return answer;
  }
  if (!*agreed) return Declined();
  RF_ASSIGN(const CleanResult result, Clean(workspace->engine(), entries));
  answer.text += fmt::format("dropped {}\n", Plural(result.dropped, "object", "objects"));
  answer.data["dropped"] = result.dropped;
  for (const std::string& failed : result.failed) {
    answer.exit = kExitUnavailable;
    answer.text += "not dropped: " + failed + "\n";
  }
  return answer;
}

}  // namespace retrofill
