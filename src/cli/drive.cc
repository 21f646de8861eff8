#include "cli/drive.h"

#include <utility>

#include "base/text.h"
#include "cli/exit_status.h"
#include "cli/run_view.h"
#include "cli/signal_watch.h"
#include "engine/plan_operation.h"
#include "report/backfill_json.h"
#include "report/checks_text.h"
#include "report/printable.h"
#include "report/proof_text.h"
#include "report/status_text.h"

namespace retrofill {
namespace {

std::string PublishQuestion(const BackfillState& state) {
  return fmt::format(
      "\nAll {} staged and verified.  Publish to {}?  Previous rows are kept for undo.\n"
      "Type the plan name to publish, anything else to stop here: ",
      Plural(state.Counts().to_compute, "partition", "partitions"), state.plan->relation);
}

std::string BlockedQuestion(const Plan& plan) {
  int64_t blocked = 0;
  for (const PlanRun& run : plan.runs) {
    if (run.action == Action::kBlocked) blocked += run.set.Count(*plan.space);
  }
  return fmt::format("{} cannot be computed and keep their rows. Go on without them? (yes) ",
                     Plural(blocked, "partition", "partitions"));
}

// What was asked for, and what a person typed when asked for the plan's name.
struct Wish {
  bool no_publish = false;
  bool may_publish = true;
  std::optional<std::string> typed;  // none: nobody was asked
};

// Why what is verified was left unpublished.
std::string NotPublishedWhy(const Plan& plan, const Wish& wish) {
  if (wish.no_publish) return "--no-publish";
  if (!wish.may_publish) return "a program calls, and a person has to publish";
  if (plan.settings.publish == PublishMode::kManual) return "the table's publish mode is manual";
  if (!wish.typed) return "no --publish";
  if (wish.typed->empty()) return "no name was typed";
  return fmt::format("`{}` is not the plan's name `{}`", OneLine(*wish.typed), plan.name);
}

// How the run ended, in one line for people.
std::string EndText(const RunResult& result, const Wish& wish) {
  const BackfillState& state = result.state;
  if (result.nothing_to_do) return fmt::format("{}: nothing to do\n", state.id);
  switch (result.end.outcome) {
    case RunOutcome::kDone: {
      std::string text = fmt::format("done: {} published and verified",
                                     Plural(state.Counts().published, "partition", "partitions"));
      if (state.undo_until) {
        text += "   undo until " + FormatInstant(*state.undo_until).substr(0, 10);
      }
      return text + "\n";
    }
    case RunOutcome::kVerified:
      return fmt::format("verified  {}; not published: {}\n", DoneText(state),
                         NotPublishedWhy(*state.plan, wish));
    case RunOutcome::kPaused:
      return fmt::format("paused at {}.  Continue with: retrofill resume {}\n", DoneText(state),
                         state.id);
    case RunOutcome::kAttention:
      return fmt::format("stopped at {}: {} {}\n", DoneText(state), state.attention_id,
                         OneLine(state.attention));
    case RunOutcome::kCancelled:
      return fmt::format("cancelled at {}; published partitions stay\n", DoneText(state));
  }
  return "";
}

int EndStatus(const RunResult& result, bool verified_is_the_end) {
  switch (result.end.outcome) {
    case RunOutcome::kDone:
      return kExitDone;
    case RunOutcome::kVerified:
      return verified_is_the_end ? kExitDone : kExitStoppedEarly;
    case RunOutcome::kAttention:
      return result.end.error ? ExitStatusOf(*result.end.error) : kExitBadAnswer;
    case RunOutcome::kPaused:
      return result.end.error ? ExitStatusOf(*result.end.error) : kExitStoppedEarly;
    case RunOutcome::kCancelled:
      return kExitStoppedEarly;
  }
  return kExitBug;
}

RunRequest WithCallbacks(RunRequest request, const Context& context, RunView& view,
                         SignalWatch& watch, Wish& wish, bool may_ask) {
  if (may_ask && context.terminal.can_ask() && !context.is_agent()) {
    request.ask_blocked = [&context](const Plan& plan) {
      const auto answer = context.terminal.Ask(BlockedQuestion(plan));
      return answer && Trim(*answer) == "yes";
    };
    request.ask_publish = [&context, &view, &wish](const BackfillState& state) {
      view.Finish();
      wish.typed = Trim(context.terminal.Ask(PublishQuestion(state)).value_or(""));
      return *wish.typed == state.id;
    };
  }
  request.on_step = [&view](const std::string& doing) { view.OnStep(doing); };
  request.on_proof = [&view, &context](const ProofReport& report) {
    view.Print(ProofText(report, {.color = context.is_text() && context.terminal.color_output()}));
  };
  request.on_canary = [&view](const CanaryResult& canary) { view.Print(CanaryText(canary)); };
  request.on_events = [&view, &watch](const std::vector<Event>& events,
                                      const BackfillState& state) {
    view.OnEvents(events, state);
    if (watch.TakeProgressRequest()) view.ShowProgress(state);
  };
  request.on_idle = [&view, &watch](const BackfillState& state) {
    view.OnIdle(state);
    if (watch.TakeProgressRequest()) view.ShowProgress(state);
  };
  return request;
}

}  // namespace

void Describe(Answer& answer, const BackfillState& state) {
  answer.seq = state.last_seq;
  answer.plan = state.plan->hash;
  answer.next = NextSteps(state);
}

Result<BackfillState> LoadBackfill(Workspace& workspace, const std::string& id) {
  return workspace.use() == Workspace::Use::kReadOnly ? PreviewBackfill(workspace.engine(), id)
                                                      : FindBackfill(workspace.engine(), id);
}

Result<Answer> Drive(Context& context, Workspace& workspace, DriveOptions options) {
  absl::Duration grace = absl::Seconds(90);
  if (!options.grace.empty()) {
    RF_ASSIGN(grace, ParseDuration(options.grace));
  }
  Runner runner(workspace.engine());
  RunView view(context);
  SignalWatch watch({.grace = grace,
                     .ask = [&runner](const StopAsked& stop) { return runner.Ask(stop); },
                     .say = [&view](const std::string& text) { view.Say(text); },
                     .clock = context.clock.get()});
  if (!options.intro.empty()) view.Print(options.intro + "\n");
  Wish wish{.no_publish = options.request.no_publish,
            .may_publish = options.request.may_publish,
            .typed = std::nullopt};
  Result<RunResult> run = runner.Run(
      WithCallbacks(std::move(options.request), context, view, watch, wish, options.may_ask));
  watch.Stop();
  if (run.ok() && watch.TakeProgressRequest()) view.ShowProgress(run->state);
  view.Finish();
  if (!run.ok()) {
    Error error = std::move(run).error();
    if (watch.exit_status() == 0) return error;
    Answer answer;
    answer.type = "backfill.stopped";
    answer.exit = watch.exit_status();
    answer.error = std::move(error);
    return answer;
  }
  const RunResult& result = *run;
  Answer answer;
  answer.type = fmt::format("backfill.{}", PhaseText(result.state.phase));
  answer.data = Json::Object(
      {{"backfill", BackfillJson(result.state)}, {"nothing_to_do", result.nothing_to_do}});
  answer.text = EndText(result, wish);
  const bool manual = result.state.plan->settings.publish == PublishMode::kManual;
  answer.exit = EndStatus(result, wish.no_publish || manual);
  if (watch.exit_status() != 0 && answer.exit != kExitDone) answer.exit = watch.exit_status();
  answer.error = result.end.error;
  Describe(answer, result.state);
  return answer;
}

}  // namespace retrofill
