#include "base/point.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/file.h"
#include "base/guarded.h"
#include "base/text.h"

namespace retrofill {

std::atomic<bool> points_are_armed = false;

namespace {

struct Rule {
  std::string action;  // kill, stop, bug or fail
  std::string point;
  int64_t nth = 1;
  bool is_always = false;
  ErrorCode code = ErrorCode::kInternal;
  std::string id;
};

struct Armed {
  std::vector<Rule> rules;
  std::map<std::string, int64_t, std::less<>> reached;
  std::string log_path;
};

Guarded<Armed>& State() {
  static auto* state = new Guarded<Armed>();
  return *state;
}

struct NamedCode {
  std::string_view name;
  ErrorCode code;
  std::string_view id;  // unless the rule names another
};

constexpr std::array<NamedCode, 9> kCodes = {{
    {"kInvalid", ErrorCode::kInvalid, "C0103"},
    {"kRefused", ErrorCode::kRefused, "P0304"},
    {"kFailed", ErrorCode::kFailed, "X0206"},
    {"kConflict", ErrorCode::kConflict, "X0302"},
    {"kUnavailable", ErrorCode::kUnavailable, "W0101"},
    {"kIndeterminate", ErrorCode::kIndeterminate, "X0303"},
    {"kCancelled", ErrorCode::kCancelled, "X0105"},
    {"kCorrupt", ErrorCode::kCorrupt, "W0108"},
    {"kInternal", ErrorCode::kInternal, "X0199"},
}};

// Splits at the last `mark`; the second part is empty without one.
std::pair<std::string_view, std::string_view> SplitLast(std::string_view text, char mark) {
  const size_t at = text.rfind(mark);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

std::optional<Rule> ParseRule(std::string_view text) {
  Rule rule;
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  rule.action = text.substr(0, colon);
  text.remove_prefix(colon + 1);
  if (rule.action == "fail") {
    rule.is_always = text.ends_with('+');
    if (rule.is_always) text.remove_suffix(1);
    const auto [place, code_and_id] = SplitLast(text, '=');
    const auto [code, id] = SplitLast(code_and_id, '/');
    text = place;
    for (const NamedCode& known : kCodes) {
      if (known.name != code) continue;
      rule.code = known.code;
      rule.id = id.empty() ? known.id : id;
    }
    if (rule.id.empty()) return std::nullopt;
  } else if (rule.action != "kill" && rule.action != "stop" && rule.action != "bug") {
    return std::nullopt;
  }
  const auto [point, nth] = SplitLast(text, '@');
  rule.point = point;
  if (text.find('@') != std::string_view::npos) rule.nth = ParseInteger(nth).value_or(0);
  if (rule.point.empty() || rule.nth < 1) return std::nullopt;
  return rule;
}

}  // namespace

Status ArmPoints(std::string_view rules, std::string log_path) {
  Armed armed;
  armed.log_path = std::move(log_path);
  if (!rules.empty()) {
    for (const std::string& text : Split(rules, ',')) {
      std::optional<Rule> rule = ParseRule(Trim(text));
      if (!rule.has_value()) {
        return Fail(ErrorCode::kInvalid, "C0205", "`RETROFILL_POINTS` has no rule `{}`", text)
            .Help("write `kill:NAME@N`, `stop:NAME@N`, `bug:NAME@N` or `fail:NAME@N=CODE`");
      }
      armed.rules.push_back(std::move(*rule));
    }
  }
  const bool is_on = !armed.rules.empty() || !armed.log_path.empty();
  State().Set(std::move(armed));
  points_are_armed.store(is_on, std::memory_order_relaxed);
  return Ok();
}

void DisarmPoints() {
  points_are_armed.store(false, std::memory_order_relaxed);
  State().Set({});
}

Status ReachArmed(const char* name) {
  std::string log_path;
  std::optional<Rule> due;
  State().With([&](Armed& armed) {
    log_path = armed.log_path;
    const int64_t count = ++armed.reached[name];
    for (const Rule& rule : armed.rules) {
      if (rule.point != name) continue;
      if (rule.nth == count || (rule.is_always && rule.nth < count)) due = rule;
    }
  });
  if (!log_path.empty()) RF_TRY(AppendToFile(log_path, fmt::format("{}\n", name)));
  if (!due.has_value()) return Ok();
  if (due->action == "fail") {
    return Fail(due->code, due->id, "the test asked point `{}` to fail", name);
  }
  RF_CHECK(due->action != "bug", "the test asked for it at point {}", name);
  kill(getpid(), due->action == "kill" ? SIGKILL : SIGSTOP);
  return Ok();
}

}  // namespace retrofill
