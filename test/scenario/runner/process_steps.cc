// Steps that run the program, kill it, and wait for it.

#include <csignal>
#include <map>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "child_limits.h"
#include "journal/sqlite_journal.h"
#include "scenario_run.h"

namespace retrofill::scenario {
namespace {

constexpr int kKilled = 128 + SIGKILL;
const absl::Duration kLimit = absl::Seconds(60);
const absl::Duration kPollPeriod = absl::Milliseconds(10);

std::optional<int> SignalNumber(std::string_view name) {
  static const std::map<std::string, int, std::less<>> kSignals = {
      {"INT", SIGINT},   {"TERM", SIGTERM}, {"KILL", SIGKILL}, {"STOP", SIGSTOP},
      {"CONT", SIGCONT}, {"HUP", SIGHUP},   {"USR1", SIGUSR1}};
  const auto found = kSignals.find(name);
  if (found == kSignals.end()) return std::nullopt;
  return found->second;
}

// Whether a stop signal, such as that of a `stop:` point, holds the process.
bool IsStopped(int64_t pid) {
  const Result<std::string> stat = ReadFile(fmt::format("/proc/{}/stat", pid));
  if (!stat.ok()) return false;
  const size_t name_end = stat->rfind(')');
  return name_end != std::string::npos && stat->substr(name_end + 1).starts_with(" T");
}

std::vector<std::pair<std::string, int>> CountLines(const std::string& text) {
  std::vector<std::pair<std::string, int>> counts;
  for (const std::string& name : Lines(text)) {
    auto place = counts.begin();
    while (place != counts.end() && place->first != name) ++place;
    if (place == counts.end()) place = counts.insert(place, {name, 0});
    ++place->second;
  }
  return counts;
}

}  // namespace

std::optional<Status> ScenarioRun::ProcessStep(const Line& line) {
  const std::string& verb = line.verb;
  if (verb == "kill" || verb == "fail") return Arm(line);
  if (verb == "output") return RedirectOutput(line);
  if (verb == "input") return TakeInput(line);
  if (verb == "retrofill") return RunProgram(line, line.words);
  if (verb == "restart") {
    if (restartable_.empty()) return Failed(line, "nothing ran before");
    operator_ = restartable_operator_;
    operator_.host = fmt::format("{}-again{}", operator_.host, ++restarts_);
    const std::vector<std::string> arguments = restartable_;
    return RunProgram(line, arguments);
  }
  if (verb == "start") return StartProgram(line);
  if (verb == "await") return Await(line);
  if (verb == "signal") return SendSignal(line);
  if (verb == "wait") return WaitFor(line);
  return std::nullopt;
}

std::map<std::string, std::string> ScenarioRun::Variables() const {
  std::map<std::string, std::string> variables = {
      {"PATH", "/usr/bin:/bin"},
      {"HOME", options_.folder + "/home"},
      {"LANG", "C.UTF-8"},
      {"TZ", "UTC"},
      {"TERM", "dumb"},
      {"RETROFILL_TEST", "1"},
      {"RETROFILL_USER", operator_.user},
      {"RETROFILL_HOST", operator_.host},
      {"RETROFILL_POINTS_LOG", options_.folder + "/points.log"},
  };
  if (clock_.has_value()) variables["RETROFILL_CLOCK"] = FormatInstant(*clock_);
  if (!rules_.empty()) variables["RETROFILL_POINTS"] = Join(rules_, ",");
  for (const auto& [name, value] : extra_variables_) variables[name] = value;
  return variables;
}

ChildOptions ScenarioRun::ProgramOptions() const {
  return {.folder = project_, .variables = Variables(), .input = {}, .timeout = 2 * kLimit};
}

// `kill at POINT [nth N]`, `fail at POINT [nth N] with CODE[/ID] [always]`.
Status ScenarioRun::Arm(const Line& line) {
  const std::vector<std::string>& words = line.words;
  if (words.size() < 2 || words[0] != "at") return Failed(line, "expected `at POINT`");
  if (options_.count_points) {
    rules_ = {"count"};
    return Ok();
  }
  std::string rule = fmt::format("{}:{}", line.verb, words[1]);
  std::string code;
  bool always = false;
  for (size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "always") {
      always = true;
    } else if (words[i] == "nth" && i + 1 < words.size()) {
      rule += "@" + words[++i];
    } else if (words[i] == "with" && i + 1 < words.size()) {
      code = words[++i];
    } else {
      return Failed(line, "expected nth N, with CODE or always");
    }
  }
  if (line.verb == "fail") rule += "=" + code + (always ? "+" : "");
  rules_.push_back(rule);
  kill_expected_ = kill_expected_ || line.verb == "kill";
  armed_points_.push_back(words[1]);
  return Ok();
}

// `input FILE`: what standard input of the next process holds.
Status ScenarioRun::TakeInput(const Line& line) {
  RF_ASSIGN(input_, ReadFile(PathOf(line.rest)));
  return Ok();
}

// `output full`, `output closed`: what standard output of the next process is.
Status ScenarioRun::RedirectOutput(const Line& line) {
  if (line.rest != "full" && line.rest != "closed") return Failed(line, "expected full or closed");
  redirection_ = line.rest == "full" ? "> /dev/full" : ">&-";
  return Ok();
}

std::vector<std::string> ScenarioRun::CommandOf(const std::vector<std::string>& arguments) {
  std::vector<std::string> command;
  const std::string redirection = std::exchange(redirection_, "");
  if (!redirection.empty()) command = {"/bin/sh", "-c", "exec \"$@\" " + redirection, "sh"};
  command.push_back(options_.program);
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

Status ScenarioRun::RunProgram(const Line& line, const std::vector<std::string>& arguments) {
  RF_TRY(CheckNothingUnchecked());
  const bool counting = options_.count_points && !rules_.empty();
  if (counting) rules_.clear();
  const std::string log = options_.folder + "/points.log";
  RF_TRY(RemoveFile(log));
  const FileSizeLimit limit(file_limit_);
  ChildOptions child_options = ProgramOptions();
  child_options.input = std::exchange(input_, "");
  RF_ASSIGN(ChildResult result, RunChild(CommandOf(arguments), child_options));
  last_ = {.arguments = arguments,
           .status = result.exit_status,
           .output = std::move(result.output),
           .errors = std::move(result.errors),
           .was_checked = false};
  // Other commands may look on before the one that was killed is started again.
  if (kill_expected_ || !restart_pending_) {
    restartable_ = arguments;
    restartable_operator_ = operator_;
  }
  restart_pending_ = kill_expected_ || (restart_pending_ && line.verb != "restart");
  said_.push_back(last_.output);
  said_.push_back(last_.errors);
  if (result.is_timed_out) return Failed(line, "did not end within 120 s");
  std::string points;
  if (FileExists(log)) {
    RF_ASSIGN(points, ReadFile(log));
  }
  if (counting) {
    reached_ = CountLines(points);
    stop_ = true;
    return Ok();
  }
  rules_.clear();
  const std::vector<std::string> reached = Lines(points);
  for (const std::string& point : std::exchange(armed_points_, {})) {
    if (std::find(reached.begin(), reached.end(), point) == reached.end()) {
      return Failed(line, "the point `" + point + "` was never reached");
    }
  }
  if (!std::exchange(kill_expected_, false)) return Ok();
  if (last_.status != kKilled) return Failed(line, "it was to be killed and was not");
  last_.was_checked = true;
  return Ok();
}

Status ScenarioRun::StartProgram(const Line& line) {
  RF_TRY(CheckNothingUnchecked());
  last_.was_checked = true;
  if (line.words.size() < 3 || line.words[1] != "retrofill") {
    return Failed(line, "expected `start NAME retrofill ARGS`");
  }
  const std::string& name = line.words[0];
  std::vector<std::string> arguments(line.words.begin() + 2, line.words.end());
  const std::string said = options_.folder + "/said/" + name;
  ChildOptions child_options = ProgramOptions();
  child_options.timeout = absl::InfiniteDuration();
  const FileSizeLimit limit(file_limit_);
  RF_ASSIGN(BackgroundChild child, BackgroundChild::Start(CommandOf(arguments), child_options,
                                                          said + ".out", said + ".err"));
  rules_.clear();
  armed_points_.clear();
  kill_expected_ = false;
  background_.erase(name);
  background_.emplace(
      name, Background{std::move(child), std::move(arguments), said + ".out", said + ".err"});
  return Ok();
}

// `await NAME EVENT [KEY]`: until the journal holds such an event. KEY is any text of its body.
// `await NAME stopped`: until a signal holds the process. `await NAME stderr TEXT`: until it said
// so.
Status ScenarioRun::Await(const Line& line) {
  const std::vector<std::string>& words = line.words;
  if (words.size() < 2) return Failed(line, "expected `await NAME EVENT [KEY]`");
  const auto found = background_.find(words[0]);
  if (found == background_.end()) return Failed(line, "no such process");
  for (absl::Duration waited; waited < kLimit; waited += kPollPeriod) {
    if (words[1] == "stopped" && IsStopped(found->second.child.pid())) return Ok();
    if (words[1] == "stderr") {
      RF_ASSIGN(const std::string said, ReadFile(found->second.errors_path));
      if (words.size() == 3 && said.find(words[2]) != std::string::npos) return Ok();
    }
    const auto journal =
        OpenSqliteJournal(PathOf(".retrofill/journal.db"), JournalAccess::kReadOnly);
    RF_ASSIGN(const std::vector<Record> records, journal->Read("", 0, INT64_MAX));
    for (const Record& record : records) {
      if (record.type != words[1]) continue;
      if (words.size() < 3 || record.body.find(words[2]) != std::string::npos) return Ok();
    }
    if (found->second.child.Wait(kPollPeriod).has_value()) {
      RF_TRY(WaitFor({.number = line.number,
                      .verb = "wait",
                      .rest = words[0],
                      .words = {words[0]},
                      .block = {},
                      .rows = {}}));
      return Failed(line, "it ended before");
    }
  }
  return Failed(line, "not seen within 60 s");
}

Status ScenarioRun::SendSignal(const Line& line) {
  if (line.words.size() != 2) return Failed(line, "expected `signal NAME SIGNAL`");
  const auto found = background_.find(line.words[0]);
  const std::optional<int> number = SignalNumber(line.words[1]);
  if (found == background_.end() || !number.has_value()) return Failed(line, "no such process");
  found->second.child.Signal(*number);
  return Ok();
}

// Afterwards the process is the last one: `exit`, `stdout` and so on speak of it.
Status ScenarioRun::WaitFor(const Line& line) {
  const auto found = background_.find(line.rest);
  if (found == background_.end()) return Failed(line, "no such process");
  Background& background = found->second;
  const std::optional<int> status = background.child.Wait(2 * kLimit);
  last_ = Process();
  last_.arguments = background.arguments;
  last_.status = status.value_or(-1);
  RF_ASSIGN(last_.output, ReadFile(background.output_path));
  RF_ASSIGN(last_.errors, ReadFile(background.errors_path));
  said_.push_back(last_.output);
  said_.push_back(last_.errors);
  if (!status.has_value()) return Failed(line, "did not end within 120 s");
  background_.erase(found);
  // A process that a signal ended says so by its status; everything else wants an `exit` line.
  last_.was_checked = *status == kKilled;
  return Ok();
}

}  // namespace retrofill::scenario
