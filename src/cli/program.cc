#include "cli/program.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "base/file.h"
#include "base/point.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/envelope.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/output_guard.h"
#include "cli/settings.h"
#include "cli/verb_flags.h"
#include "report/diagnostic_text.h"
#include "report/printable.h"

namespace retrofill {
namespace {

Status ArmHooks(const Environment& environment) {
  return ArmPoints(environment.Find("RETROFILL_POINTS").value_or(""),
                   environment.Find("RETROFILL_POINTS_LOG").value_or(""));
}

Status ChangeFolder(const std::string& folder) {
  if (folder.empty() || chdir(folder.c_str()) == 0) return Ok();
  return Fail(ErrorCode::kInvalid, "C0111", "cannot work in folder `{}`: {}", folder,
              FolderExists(folder) ? "no right to enter it" : "it is not there");
}

// What a command must not do when nothing may change. A dry run changes nothing.
Status CheckReadOnly(const Invocation& invocation) {
  const VerbSpec* verb = FindVerb(invocation.verb);
  const auto* verify = std::get_if<VerifyArguments>(&invocation.arguments);
  const bool adopts = verify != nullptr && !verify->adopt.empty();
  if (!invocation.global.readonly || verb == nullptr || !(verb->changes || adopts)) return Ok();
  const bool dry_run = std::visit(
      [](const auto& arguments) {
        if constexpr (requires { arguments.dry_run; }) return arguments.dry_run;
        if constexpr (requires { arguments.plan.dry_run; }) return arguments.plan.dry_run;
        return false;
      },
      invocation.arguments);
  if (dry_run) return Ok();
  return Fail(ErrorCode::kRefused, "A0104",
              "`retrofill {}` changes something, and this is read-only", invocation.verb)
      .Help("leave out --readonly, or unset RETROFILL_READONLY");
}

// A program may not override a gate; a person has to.
Status CheckCaller(const Context& context, const Invocation& invocation) {
  if (!context.is_agent()) return Ok();
  const auto* run = std::get_if<RunArguments>(&invocation.arguments);
  const bool overrides = run != nullptr && (!run->override_proof.empty() ||
                                            !run->skip_canary.empty() || !run->allow_stale.empty());
  if (!overrides && invocation.verb != "undo" && invocation.verb != "clean") return Ok();
  return Fail(ErrorCode::kRefused, "A0103", "`retrofill {}` {} only a person may do this",
              invocation.verb,
              overrides ? "with an override of a gate:" : "was called by a program:")
      .Help("give the command to a person; RETROFILL_CALLER=agent says who calls");
}

Status Deliver(const Context& context, const Answer& answer, bool to_file) {
  const DiagnosticStyle style{.color = context.terminal.color_error()};
  if (answer.error) WriteError(ErrorText(*answer.error, style));
  for (const Error& further : answer.further_errors) WriteError("\n" + ErrorText(further, style));
  for (const Diagnostic& warning : answer.warnings) {
    WriteError(DiagnosticText(warning, style));
  }
  const std::string text =
      context.is_text() ? Printable(answer.text) : EnvelopeText(answer, context.clock->Now());
  if (to_file) {
    RF_TRY(WriteFileAtomically(context.global.output, text));
  } else {
    WriteData(text);
  }
  if (context.is_text() && !context.global.quiet && !answer.next.empty()) {
    const NextStep& step = answer.next.front();
    WriteError(fmt::format("next: {}{}\n", CommandLine(step.argv),
                           step.why.empty() ? "" : "   " + step.why));
  }
  return Ok();
}

int Refuse(Error error, bool as_json) {
  WriteError(ErrorText(error));
  const Answer answer = AnswerOf(std::move(error));
  if (as_json) WriteData(EnvelopeText(answer, MakeSystemClock()->Now()));
  return answer.exit;
}

template <typename Arguments>
Result<Answer> Dispatch(Context& context, const std::string& verb, const Arguments& arguments) {
  if constexpr (requires { Execute(context, arguments); }) {
    return Execute(context, arguments);
  } else {
    return Fail(ErrorCode::kInvalid, "C0201", "command `{}` is not available in this version",
                verb);
  }
}

Result<Context> Prepare(Invocation& invocation, const Environment& environment) {
  for (Error& problem : environment.Problems()) return std::move(problem);
  RF_ASSIGN(invocation.global, MergeSettings(std::move(invocation.global), environment));
  RF_ASSIGN(std::unique_ptr<Clock> clock, ClockOf(environment));
  RF_TRY(ArmHooks(environment));
  Context context(invocation.global, environment, std::move(clock));
  if (std::holds_alternative<HelpArguments>(invocation.arguments)) {
    // Explains a command and does nothing of it.
    if (invocation.global.format == "json") context.format = Format::kJson;
    return context;
  }
  if (const VerbSpec* verb = FindVerb(invocation.verb)) {
    RF_ASSIGN(context.format, ChooseFormat(verb->name, verb->formats, invocation.global.format));
  }
  RF_TRY(CheckReadOnly(invocation));
  RF_TRY(CheckCaller(context, invocation));
  RF_TRY(ChangeFolder(invocation.global.directory));
  return context;
}

}  // namespace

int RunProgram(const std::vector<std::string>& arguments, const Environment& environment) {
  std::signal(SIGPIPE, SIG_IGN);
  const bool as_json = AsksForJson(arguments);
  Result<Invocation> invocation = ParseArguments(arguments);
  if (!invocation.ok()) return Refuse(std::move(invocation).error(), as_json);
  Result<Context> context = Prepare(*invocation, environment);
  if (!context.ok()) return Refuse(std::move(context).error(), as_json);
  const std::string& output = invocation->global.output;
  if (!output.empty() && output != "-") {
    Status free = CheckOutput(output);
    if (!free.ok()) return Refuse(std::move(free).error(), as_json);
  }

  Result<Answer> result =
      std::visit([&](const auto& each) { return Dispatch(*context, invocation->verb, each); },
                 invocation->arguments);
  Answer answer = result.ok() ? std::move(result).value() : AnswerOf(result.error());
  std::move(context->further_problems.begin(), context->further_problems.end(),
            std::back_inserter(answer.further_errors));
  answer.warnings.insert(answer.warnings.begin(), context->warnings.begin(),
                         context->warnings.end());
  // The plan itself goes to the file that `plan -o` names; its answer is for the screen.
  const bool to_file =
      !output.empty() && output != "-" && invocation->verb != "plan" && result.ok();
  const Status delivered = Deliver(*context, answer, to_file);
  if (!delivered.ok()) return Refuse(delivered.error(), false);
  const Status taken = OutputStatus();
  if (!taken.ok()) return WorstExitStatus({answer.exit, Refuse(taken.error(), false)});
  return answer.exit;
}

Result<Answer> Execute(Context&, const HelpArguments& arguments) {
  Answer answer;
  answer.type = "help";
  answer.text = arguments.text;
  answer.data = Json::Object({{"text", arguments.text}});
  return answer;
}

}  // namespace retrofill
