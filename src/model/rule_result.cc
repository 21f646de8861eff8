#include "model/rule_result.h"

#include <utility>

namespace retrofill {
namespace {

RuleResult Say(RuleResult result, Verdict verdict, std::string_view id, std::string note) {
  result.verdict = verdict;
  result.id = id;
  result.note = std::move(note);
  return result;
}

// No row on either side: right only if the source was there to be read, in full.
RuleResult Empty(RuleResult result, const RuleInput& input) {
  if (input.expired) {
    return Say(std::move(result), Verdict::kIndeterminate, "R0102",
               "the source no longer keeps this interval");
  }
  if (!input.source_complete) {
    return Say(std::move(result), Verdict::kIndeterminate, "R0102",
               "the source is not known to be complete");
  }
  if (input.had_rows_before && !input.allow_empty) {
    return Say(std::move(result), Verdict::kIndeterminate, "R0303",
               "the result is empty, and the partition has rows now");
  }
  return Say(std::move(result), Verdict::kOk, "", "ok-empty");
}

}  // namespace

RuleResult EvaluateRule(const Rule& rule, const RuleInput& input) {
  RuleResult result;
  result.rule = rule.name;
  result.source = input.source;
  result.target = input.target;
  if (input.source_rows == 0 && input.target_rows == 0) return Empty(std::move(result), input);
  // Rows that the source no longer has, or not yet, cannot be missed on its side.
  if (input.source_rows == 0 && (input.expired || !input.source_complete)) {
    return Empty(std::move(result), input);
  }
  if (input.source_rows == 0) {
    return Say(std::move(result), Verdict::kFailed, "R0301",
               fmt::format("the source has no rows, the result {}", input.target_rows));
  }
  if (input.target_rows == 0) {
    return Say(std::move(result), Verdict::kFailed, "R0301",
               fmt::format("the source has {} rows, the result none", input.source_rows));
  }
  ValueComparison comparison = CompareValues(input.source, input.target, rule.within);
  result.delta = std::move(comparison.delta);
  result.limit = std::move(comparison.limit);
  std::string_view id;
  switch (comparison.verdict) {
    case Verdict::kOk:
      break;
    case Verdict::kFailed:
      id = "R0301";
      break;
    case Verdict::kIndeterminate:
      id = "R0102";
      break;
  }
  return Say(std::move(result), comparison.verdict, id, std::move(comparison.note));
}

RuleResult NotEvaluated(const Rule& rule, std::string why) {
  RuleResult result;
  result.rule = rule.name;
  return Say(std::move(result), Verdict::kIndeterminate, "R0102", std::move(why));
}

}  // namespace retrofill
