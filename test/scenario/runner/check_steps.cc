// Steps that look at what the last process said.

#include <algorithm>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "scenario_run.h"

namespace retrofill::scenario {
namespace {

// The one object of `--json`, or the last line of a stream.
Result<Json> JsonOf(const std::string& output) {
  Result<Json> whole = Json::Parse(output);
  if (whole.ok()) return whole;
  const std::vector<std::string> lines = Lines(output);
  if (lines.empty()) return whole;
  return Json::Parse(lines.back());
}

std::string Shown(const Json* value) { return value == nullptr ? "nothing" : value->Compact(); }

bool Matches(const Json* value, const std::string& expected) {
  if (value == nullptr) return expected == "nothing";
  if (value->is_text() && value->text_value() == expected) return true;
  Result<Json> parsed = Json::Parse(expected);
  return parsed.ok() && *parsed == *value;
}

// A control character other than newline and tab, as a terminal would obey it.
bool HasControl(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
  });
}

}  // namespace

std::optional<Status> ScenarioRun::CheckStep(const Line& line) {
  const std::string& verb = line.verb;
  if (verb == "exit") return CheckExit(line);
  if (verb == "stdout") return CheckText(line, last_.output);
  if (verb == "stderr") return CheckText(line, last_.errors);
  if (verb == "error" || verb == "warning") return CheckId(line);
  if (verb == "json") return CheckJson(line);
  if (verb == "exists" || verb == "absent") {
    const std::string path = PathOf(line.rest);
    const bool there = FileExists(path) || FolderExists(path);
    if (there != (verb == "exists")) return Failed(line, there ? "it is there" : "it is not there");
    return Ok();
  }
  return std::nullopt;
}

Status ScenarioRun::CheckExit(const Line& line) {
  const std::optional<int64_t> expected = ParseInteger(line.rest);
  if (!expected.has_value()) return Failed(line, "expected a number");
  last_.was_checked = true;
  if (last_.status != *expected) return Failed(line, "ended with another status");
  return Ok();
}

// `stdout contains TEXT`, `stdout lacks TEXT`, `stdout empty`, `stdout printable`.
Status ScenarioRun::CheckText(const Line& line, const std::string& text) const {
  if (line.rest == "empty") {
    return text.empty() ? Ok() : Status(Failed(line, "it is not empty"));
  }
  if (line.rest == "printable") {
    return HasControl(text) ? Status(Failed(line, "it holds control characters")) : Ok();
  }
  const size_t blank = line.rest.find(' ');
  if (blank == std::string::npos) return Failed(line, "expected `contains TEXT` or `lacks TEXT`");
  const std::string_view how = std::string_view(line.rest).substr(0, blank);
  const std::string wanted(Trim(std::string_view(line.rest).substr(blank)));
  const bool found = text.find(wanted) != std::string::npos;
  if (how == "contains" && !found) return Failed(line, "the text is not there");
  if (how == "lacks" && found) return Failed(line, "the text is there");
  if (how != "contains" && how != "lacks") return Failed(line, "expected contains or lacks");
  return Ok();
}

// `error ID`, `warning ID`: drawn on standard error or inside the answer of `--json`.
Status ScenarioRun::CheckId(const Line& line) const {
  const std::string drawn = line.verb + "[" + line.rest + "]";
  if (last_.errors.find(drawn) != std::string::npos) return Ok();
  if (last_.output.find(drawn) != std::string::npos) return Ok();
  const Result<Json> answer = JsonOf(last_.output);
  if (answer.ok()) {
    const Json* error = answer->Find("error");
    if (error != nullptr && error->Compact().find(line.rest) != std::string::npos) return Ok();
  }
  return Failed(line, "no such diagnostic");
}

// `json .data.items[0].state == done`; also `!=`, `contains`, and `.list size 3`.
Status ScenarioRun::CheckJson(const Line& line) const {
  Result<Json> answer = JsonOf(last_.output);
  if (!answer.ok()) return Failed(line, "no JSON: " + answer.error().message());
  const size_t first = line.rest.find(' ');
  const size_t second = first == std::string::npos ? first : line.rest.find(' ', first + 1);
  if (second == std::string::npos) return Failed(line, "expected `json PATH == VALUE`");
  std::string path = line.rest.substr(0, first);
  if (path.starts_with('.')) path.erase(0, 1);
  const std::string how = line.rest.substr(first + 1, second - first - 1);
  const std::string expected(Trim(std::string_view(line.rest).substr(second)));
  const Json* value = path.empty() ? &*answer : answer->FindPath(path);
  bool good = false;
  if (how == "==") {
    good = Matches(value, expected);
  } else if (how == "!=") {
    good = value != nullptr && !Matches(value, expected);
  } else if (how == "contains") {
    good = value != nullptr && value->Compact().find(expected) != std::string::npos;
  } else if (how == "size") {
    good = value != nullptr && fmt::format("{}", value->size()) == expected;
  } else {
    return Failed(line, "expected ==, !=, contains or size");
  }
  if (!good) return Failed(line, "it is " + Shown(value));
  return Ok();
}

}  // namespace retrofill::scenario
