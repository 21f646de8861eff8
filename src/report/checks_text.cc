#include "report/checks_text.h"

#include "base/text.h"
#include "report/backfill_json.h"
#include "report/diff_text.h"
#include "report/printable.h"
#include "report/second_text.h"
#include "report/text_table.h"

namespace retrofill {
namespace {

std::string FailedText(const CheckResult& check) {
  switch (check.verdict) {
    case Verdict::kOk:
      return "0";
    case Verdict::kFailed:
      return GroupDigits(check.failed);
    case Verdict::kIndeterminate:
      return "?";
  }
  return "?";
}

std::string WorstText(const CheckResult& check) {
  std::vector<std::string> parts;
  if (!check.delta.empty()) parts.push_back(ValueText(check.delta));
  const bool moved = check.verdict != Verdict::kOk || (!check.delta.empty() && check.delta != "0");
  if (!check.worst.empty() && moved) parts.push_back(check.worst);
  if (!check.note.empty()) parts.push_back(check.note);
  if (check.verdict != Verdict::kOk && !check.id.empty()) parts.push_back(check.id);
  return Join(parts, "  ");
}

std::string VerdictLine(const CheckResult& check) {
  std::string text(check.verdict == Verdict::kFailed ? "FAILED" : VerdictText(check.verdict));
  if (check.warn_only && check.verdict != Verdict::kOk) text += " (warns only)";
  if (!check.id.empty()) text += "  " + check.id;
  if (!check.note.empty()) {
    text += "  " + check.note;
  } else if (!check.delta.empty()) {
    text += "  difference " + ValueText(check.delta);
  }
  return text;
}

}  // namespace

std::string ValueText(const std::string& value) {
  if (value.empty()) return "-";
  const size_t sign = value.front() == '-' ? 1 : 0;
  const size_t point = std::min(value.find('.'), value.size());
  const std::string digits = value.substr(sign, point - sign);
  const std::string fraction = value.substr(point);
  if (!IsDigits(digits) || (!fraction.empty() && !IsDigits(fraction.substr(1)))) return value;
  std::string grouped;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) grouped += ' ';
    grouped += digits[i];
  }
  return value.substr(0, sign) + grouped + fraction;
}

std::string ChecksText(std::span<const CheckResult> checks) {
  TextTable table("lrrl", 2);
  table.Row({"CHECK", "PARTITIONS", "FAILED", "WORST"});
  for (const CheckResult& check : checks) {
    table.Row({check.name + (check.warn_only ? " (warns only)" : ""), GroupDigits(check.partitions),
               FailedText(check), WorstText(check)});
  }
  return table.Text();
}

std::string PartitionChecksText(std::span<const CheckResult> checks) {
  TextTable table("lrrrl", 2);
  table.Row({"CHECK", "SOURCE", "BEFORE", "AFTER", "VERDICT"});
  for (const CheckResult& check : checks) {
    table.Row({check.name, ValueText(check.source), ValueText(check.before),
               ValueText(check.target), VerdictLine(check)});
  }
  return table.Text();
}

std::string VerifyText(const VerifyResult& result, absl::Time now) {
  std::string text = ChecksText(result.checks);
  int64_t bad = 0;
  for (const CheckResult& check : result.checks) {
    if (check.verdict != Verdict::kOk && !check.warn_only) ++bad;
  }
  if (!result.ok) {
    return text +
           fmt::format("\nnot verified: {} of {} checks did not pass\n", bad, result.checks.size());
  }
  return text +
         fmt::format("\nverified {}; {}\n", SecondText(now),
                     result.after_publish ? "the published rows are right" : "ready to publish");
}

Json VerifyJson(const VerifyResult& result) {
  return Json::Object({{"backfill", BackfillJson(result.state)},
                       {"ok", result.ok},
                       {"after_publish", result.after_publish},
                       {"checks", ChecksJson(result.checks)}});
}

std::string CanaryText(const CanaryResult& result) {
  std::string text = fmt::format("Canary {} ({})     {}, {}\n", OneLine(result.key), result.why,
                                 DurationText(result.elapsed), Plural(result.rows, "row", "rows"));
  text += PartitionChecksText(result.checks);
  if (!result.failure_id.empty() && !result.passed) {
    text += fmt::format("\nfailed: {} {}\n", result.failure_id, OneLine(result.failure));
    return text;
  }
  const DiffResult& diff = result.diff;
  text += fmt::format("  {} before, {} after: {} changed, {} identical, {} added, {} removed\n",
                      Plural(diff.rows_before, "row", "rows"), GroupDigits(diff.rows_after),
                      GroupDigits(diff.changed), GroupDigits(diff.identical),
                      GroupDigits(diff.added), GroupDigits(diff.removed));
  text += DiffSamplesText(diff, 3);
  if (result.to_compute > 1) {
    text += fmt::format("\nNew estimate for {} at {}: {} to {}\n",
                        Plural(result.to_compute, "partition", "partitions"),
                        Plural(result.slots, "slot", "slots"), DurationText(result.estimate_low),
                        DurationText(result.estimate_high));
  }
  return text;
}

Json CanaryJson(const CanaryResult& result) {
  return Json::Object(
      {{"passed", result.passed},
       {"partition", result.key},
       {"why", result.why},
       {"milliseconds", absl::ToInt64Milliseconds(result.elapsed)},
       {"rows", result.rows},
       {"checks", ChecksJson(result.checks)},
       {"failure", Json::Object({{"code", result.failure_id}, {"message", result.failure}})},
       {"diff", DiffCountsJson(result.diff)},
       {"to_compute", result.to_compute},
       {"estimate_milliseconds", Json::Array({absl::ToInt64Milliseconds(result.estimate_low),
                                              absl::ToInt64Milliseconds(result.estimate_high)})}});
}

}  // namespace retrofill
