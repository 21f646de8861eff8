#include "cli/plan_request.h"

#include <cstdio>

#include "base/text.h"
#include "model/plan.h"

namespace retrofill {
namespace {

constexpr size_t kShortestReason = 8;  // characters

// No more than a selection may have.
Result<std::string> ReadStandardInput() {
  std::string text;
  char buffer[65536];
  for (size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, stdin)) > 0;) {
    text.append(buffer, n);
    if (text.size() > kMaxSelectionBytes) return SelectionTooLong();
  }
  return text;
}

}  // namespace

Status CheckReason(const std::string& flag, const std::string& reason) {
  if (reason.empty() || CharacterCount(reason) >= kShortestReason) return Ok();
  return Fail(ErrorCode::kInvalid, "C0103", "the reason of `{}` is too short: `{}`", flag, reason)
      .Help("say why in 8 characters or more; it is stored with your name");
}

std::string PlanNameOfFile(const std::string& path) {
  std::string name = path.substr(path.rfind('/') + 1);
  for (const std::string_view end : {".json", ".plan"}) {
    if (name.ends_with(end)) name.resize(name.size() - end.size());
  }
  return name;
}

Result<SelectionArguments> ReadSelection(SelectionArguments arguments) {
  std::vector<std::string> words;
  for (const std::string& word : arguments.words) {
    if (word != "-") {
      words.push_back(word);
      continue;
    }
    size_t keys = 0;
    RF_ASSIGN(const std::string input, ReadStandardInput());
    for (const std::string& line : Lines(input)) {
      const std::string key(Trim(line));
      if (key.empty()) continue;
      words.push_back(key);
      ++keys;
    }
    if (keys == 0) {
      return Fail(ErrorCode::kInvalid, "P0102",
                  "the selection is empty: standard input holds no key")
          .Help("write one key a line");
    }
  }
  arguments.words = std::move(words);
  return arguments;
}

Result<PlanCommand> MakePlanCommand(const PlanArguments& arguments, const std::string& plan_file) {
  RF_TRY(CheckReason("--reason", arguments.reason));
  PlanCommand command;
  command.table = arguments.target.table;
  RF_ASSIGN(command.selection, ReadSelection(arguments.target.selection));
  command.name = arguments.name;
  if (command.name.empty() && !plan_file.empty() && plan_file != "-") {
    command.name = PlanNameOfFile(plan_file);
  }
  if (!command.name.empty() && !IsPlanName(command.name)) {
    return Fail(ErrorCode::kInvalid, "C0103", "`{}` cannot be the name of a plan", command.name)
        .Help("1 to 63 lower-case letters, digits, `.`, `_` or `-`, the first a letter or digit");
  }
  command.reason = arguments.reason;
  if (!arguments.as_of.empty()) {
    RF_ASSIGN(const absl::Time as_of, ParseInstant(arguments.as_of));
    command.as_of = as_of;
  }
  if (arguments.order == "oldest_first") {
    command.order = Order::kOldestFirst;
  } else if (arguments.order == "newest_first") {
    command.order = Order::kNewestFirst;
  } else if (!arguments.order.empty()) {
    return Fail(ErrorCode::kInvalid, "C0103", "`--order {}` is not oldest_first or newest_first",
                arguments.order);
  }
  command.slots = arguments.slots;
  command.force = arguments.force;
  command.skip_blocked = arguments.skip_blocked;
  return command;
}

}  // namespace retrofill
