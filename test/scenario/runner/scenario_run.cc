#include "scenario_run.h"

#include "base/file.h"
#include "base/text.h"

namespace retrofill::scenario {
namespace {

constexpr size_t kShown = 4000;  // bytes of each output in a failure

std::string Tail(const std::string& text) {
  return text.size() <= kShown ? text : "..." + text.substr(text.size() - kShown);
}

}  // namespace

ScenarioRun::ScenarioRun(RunOptions options)
    : options_(std::move(options)), project_(options_.folder + "/project") {}

std::string ScenarioRun::PathOf(const std::string& name) const { return JoinPath(project_, name); }

Error ScenarioRun::Failed(const Line& line, std::string_view why) const {
  return Fail(ErrorCode::kFailed, "X0199",
              "line {}: `{} {}`: {}\n  last process: {}\n  status {}\n{}{}", line.number, line.verb,
              line.rest, why, Join(last_.arguments, " "), last_.status,
              last_.output.empty() ? "" : "--- output\n" + Tail(last_.output),
              last_.errors.empty() ? "" : "--- errors\n" + Tail(last_.errors));
}

Status ScenarioRun::CheckNothingUnchecked() const {
  if (last_.was_checked || last_.status == 0) return Ok();
  return Fail(ErrorCode::kFailed, "X0199",
              "`{}` ended with {} and no `exit` line expects it\n--- output\n{}--- errors\n{}",
              Join(last_.arguments, " "), last_.status, Tail(last_.output), Tail(last_.errors));
}

Status ScenarioRun::Step(const Line& line) {
  for (const auto step :
       {&ScenarioRun::FileStep, &ScenarioRun::ProcessStep, &ScenarioRun::TerminalStep,
        &ScenarioRun::CheckStep, &ScenarioRun::DataStep}) {
    std::optional<Status> done = (this->*step)(line);
    if (done.has_value()) return std::move(*done);
  }
  return Failed(line, "unknown word");
}

Status ScenarioRun::Run(const Script& script) {
  RF_TRY(MakeFolders(project_));
  RF_TRY(MakeFolders(options_.folder + "/home"));
  RF_TRY(MakeFolders(options_.folder + "/said"));
  for (const Line& line : script.lines) {
    RF_TRY(Step(line));
    if (stop_) return Ok();
  }
  return CheckEnd();
}

Status ScenarioRun::CheckEnd() {
  RF_TRY(CheckNothingUnchecked());
  if (!rules_.empty()) {
    return Fail(ErrorCode::kFailed, "X0199", "no process followed `{}`", Join(rules_, ","));
  }
  for (auto& [name, background] : background_) {
    return Fail(ErrorCode::kFailed, "X0199", "`{}` was started and nobody waited for it", name);
  }
  for (const auto& [name, terminal] : terminals_) {
    return Fail(ErrorCode::kFailed, "X0199", "nobody left the terminal `{}`", name);
  }
  RF_TRY(CheckSecrets());
  return CheckJournal();
}

}  // namespace retrofill::scenario
