#include "cli/envelope.h"

#include <string_view>
#include <utility>

#include "base/text.h"
#include "cli/exit_status.h"
#include "report/diagnostic_json.h"

namespace retrofill {
namespace {

Json NextJson(const std::vector<NextStep>& steps) {
  Json next = Json::Array();
  for (const NextStep& step : steps) {
    Json argv = Json::Array();
    for (const std::string& word : step.argv) argv.Append(word);
    next.Append(Json::Object({{"argv", argv}, {"why", step.why}, {"human_only", step.human_only}}));
  }
  return next;
}

std::string Quoted(const std::string& word) {
  constexpr std::string_view kPlain = "-_./,:=+@%";
  bool plain = !word.empty();
  for (const char c : word) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    plain = plain && (letter || kPlain.find(c) != std::string_view::npos);
  }
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string EnvelopeText(const Answer& answer, absl::Time now) {
  Json envelope =
      Json::Object({{"v", 1},
                    {"ts", FormatInstant(absl::FromUnixSeconds(absl::ToUnixSeconds(now)))},
                    {"type", answer.type},
                    {"ok", answer.exit == kExitDone},
                    {"exit", answer.exit},
                    {"data", answer.data},
                    {"error", nullptr},
                    {"next", NextJson(answer.next)}});
  if (answer.error) {
    Json& problem = envelope["error"] = ProblemJson(*answer.error, answer.exit);
    for (const Error& further : answer.further_errors) {
      problem["errors"].Append(ProblemJson(further, ExitStatusOf(further)));
    }
  }
  if (answer.seq) envelope["seq"] = *answer.seq;
  if (!answer.plan.empty()) envelope["plan"] = answer.plan;
  Json warnings = Json::Array();
  for (const Diagnostic& warning : answer.warnings) warnings.Append(DiagnosticJson(warning));
  envelope["warnings"] = warnings;
  return envelope.Compact() + "\n";
}

Answer AnswerOf(Error error) {
  Answer answer;
  answer.type = "error";
  answer.exit = ExitStatusOf(error);
  answer.error = std::move(error);
  return answer;
}

std::string CommandLine(const std::vector<std::string>& argv) {
  std::vector<std::string> words;
  words.reserve(argv.size());
  for (const std::string& word : argv) words.push_back(Quoted(word));
  return Join(words, " ");
}

}  // namespace retrofill
