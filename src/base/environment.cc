#include "base/environment.h"

#include <unistd.h>

#include <algorithm>
#include <span>

#include "base/text.h"

namespace retrofill {

namespace {

const std::vector<std::string>& SettingNames() {
  static const auto* names = new std::vector<std::string>{
      "RETROFILL_CALLER",      "RETROFILL_COLOR",    "RETROFILL_CONFIG",
      "RETROFILL_DIRECTORY",   "RETROFILL_FORMAT",   "RETROFILL_NO_INPUT",
      "RETROFILL_NO_PROGRESS", "RETROFILL_READONLY", "RETROFILL_TEST"};
  return *names;
}

const std::vector<std::string>& HookNames() {
  static const auto* names =
      new std::vector<std::string>{"RETROFILL_CLOCK", "RETROFILL_HOST", "RETROFILL_POINTS",
                                   "RETROFILL_POINTS_LOG", "RETROFILL_USER"};
  return *names;
}

// What a transform's command is given; it may call retrofill itself.
const std::vector<std::string>& ChildNames() {
  static const auto* names = new std::vector<std::string>{
      "RETROFILL_AS_OF",          "RETROFILL_ATTEMPT",     "RETROFILL_INTERVAL_END",
      "RETROFILL_INTERVAL_START", "RETROFILL_OUTPUT",      "RETROFILL_PARTITION",
      "RETROFILL_PLAN",           "RETROFILL_REPORT_FILE", "RETROFILL_TARGET"};
  return *names;
}

bool IsOneOf(std::string_view name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Environment Environment::OfProcess() {
  Variables variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const size_t mark = text.find('=');
    if (mark == std::string_view::npos) continue;
    variables.emplace(text.substr(0, mark), text.substr(mark + 1));
  }
  return Environment(std::move(variables));
}

std::optional<std::string> Environment::Find(std::string_view name) const {
  const auto found = variables_.find(name);
  if (found == variables_.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

std::vector<Error> Environment::Problems() const {
  std::vector<Error> problems;
  for (const auto& [name, value] : variables_) {
    if (!name.starts_with("RETROFILL_")) continue;
    if (IsOneOf(name, SettingNames()) || IsOneOf(name, ChildNames())) continue;
    if (IsOneOf(name, HookNames())) {
      if (hooks_on()) continue;
      problems.push_back(Fail(ErrorCode::kInvalid, "C0205",
                              "variable `{}` is a hook of tests and `RETROFILL_TEST` is not `1`",
                              name)
                             .Help(fmt::format("unset `{}`", name)));
      continue;
    }
    Error problem = Fail(ErrorCode::kInvalid, "C0205", "unknown variable `{}`", name);
    if (const std::optional<std::string> nearest = Nearest(name, SettingNames())) {
      problems.push_back(std::move(problem).Help(fmt::format("did you mean `{}`?", *nearest)));
    } else {
      problems.push_back(std::move(problem).Help(fmt::format("unset `{}`", name)));
    }
  }
  return problems;
}

}  // namespace retrofill
