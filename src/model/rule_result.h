#pragma once

// The verdict of a count or sum rule on one partition, from what was read back (verification
// document, 7.2 to 7.4). Pure.

#include <cstdint>
#include <optional>
#include <string>

#include "model/rule.h"
#include "model/verdict.h"

namespace retrofill {

// What the rule's two sides gave, and what is known about the partition.
struct RuleInput {
  int64_t source_rows = 0;            // of the partition, before the rule's own filter
  int64_t target_rows = 0;            // of the stage, or of the live table
  std::optional<std::string> source;  // value of the aggregate; none = NULL
  std::optional<std::string> target;
  bool had_rows_before = false;  // the live partition has rows now
  bool source_complete = true;   // the source says that the interval is complete
  bool expired = false;          // the interval is older than the source keeps
  bool allow_empty = false;      // the table's setting
};

struct RuleResult {
  std::string rule;  // its name
  Verdict verdict = Verdict::kIndeterminate;
  std::string id;                     // R0301, R0102 or R0303; empty if ok
  std::optional<std::string> source;  // values as read; none = NULL
  std::optional<std::string> target;
  std::string delta;  // target - source; empty where there is none
  std::string limit;
  std::string note;  // "ok-empty", "all NULL"; why, where the values do not say it
};

RuleResult EvaluateRule(const Rule& rule, const RuleInput& input);

// Of a rule whose statement failed, timed out or was cancelled: indeterminate, never a pass.
RuleResult NotEvaluated(const Rule& rule, std::string why);

}  // namespace retrofill
