// Steps that run the program on a terminal and look at its screen.

#include "base/text.h"
#include "scenario_run.h"

namespace retrofill::scenario {
namespace {

const absl::Duration kLimit = absl::Seconds(60);
const absl::Duration kPollPeriod = absl::Milliseconds(20);

// `120x40`.
std::optional<ScreenSize> SizeOf(const std::string& text) {
  const std::vector<std::string> sides = Split(text, 'x');
  if (sides.size() != 2) return std::nullopt;
  const std::optional<int64_t> columns = ParseInteger(sides[0]);
  const std::optional<int64_t> rows = ParseInteger(sides[1]);
  if (!columns || !rows) return std::nullopt;
  return ScreenSize{.columns = static_cast<size_t>(*columns), .rows = static_cast<size_t>(*rows)};
}

// What keys a person presses: a text and Enter, or one key by its name.
std::string KeysOf(const Line& line) {
  if (line.verb == "type") return Join(std::span(line.words).subspan(1), " ") + "\n";
  return line.words.size() == 2 && line.words[1] == "ctrl-c" ? "\x03" : "";
}

}  // namespace

std::optional<Status> ScenarioRun::TerminalStep(const Line& line) {
  const std::string& verb = line.verb;
  if (verb == "terminal") return StartOnTerminal(line);
  if (verb != "type" && verb != "press" && verb != "see" && verb != "leave") return std::nullopt;
  const auto found = line.words.empty() ? terminals_.end() : terminals_.find(line.words[0]);
  if (found == terminals_.end()) return Failed(line, "no such terminal");
  if (verb == "see") return SeeOnScreen(line, found->second);
  if (verb == "leave") return LeaveTerminal(line, found);
  const std::string keys = KeysOf(line);
  if (keys.empty()) return Failed(line, "expected `press NAME ctrl-c`");
  found->second.Type(keys);
  return Ok();
}

// `terminal NAME COLUMNSxROWS retrofill ARGS`.
Status ScenarioRun::StartOnTerminal(const Line& line) {
  RF_TRY(CheckNothingUnchecked());
  last_.was_checked = true;
  const std::vector<std::string>& words = line.words;
  const std::optional<ScreenSize> size = words.size() < 4 ? std::nullopt : SizeOf(words[1]);
  if (!size || words[2] != "retrofill") {
    return Failed(line, "expected `terminal NAME COLUMNSxROWS retrofill ARGS`");
  }
  const std::vector<std::string> arguments(words.begin() + 3, words.end());
  TerminalOptions options{.folder = project_, .variables = Variables(), .size = *size};
  options.variables["TERM"] = "xterm";
  RF_ASSIGN(TerminalChild child, TerminalChild::Start(CommandOf(arguments), options));
  rules_.clear();
  terminals_.erase(words[0]);
  terminals_.emplace(words[0], std::move(child));
  last_.arguments = arguments;
  return Ok();
}

// `see NAME TEXT`: until the screen shows it.
Status ScenarioRun::SeeOnScreen(const Line& line, TerminalChild& terminal) {
  const std::string wanted = Join(std::span(line.words).subspan(1), " ");
  for (absl::Duration waited; waited < kLimit; waited += kPollPeriod) {
    terminal.Watch(kPollPeriod);
    if (terminal.screen().Text().find(wanted) != std::string::npos) return Ok();
  }
  last_.output = terminal.screen().Text();
  return Failed(line, "not seen within 60 s");
}

// `leave NAME`: to the end of the program. Its screen is the standard output that later lines speak
// of.
Status ScenarioRun::LeaveTerminal(const Line& line,
                                  std::map<std::string, TerminalChild>::iterator terminal) {
  const std::optional<int> status = terminal->second.Wait(2 * kLimit);
  const Screen screen = terminal->second.screen();
  terminals_.erase(terminal);
  last_.status = status.value_or(-1);
  last_.output = screen.Text();
  last_.errors.clear();
  said_.push_back(last_.output);
  if (!status.has_value()) return Failed(line, "did not end within 120 s");
  if (screen.has_torn_line()) return Failed(line, "a drawn line was wider than the terminal");
  if (!screen.unknown().empty()) return Failed(line, "the screen was sent " + screen.unknown());
  last_.was_checked = false;
  return Ok();
}

}  // namespace retrofill::scenario
