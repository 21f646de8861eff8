#include "model/rule_result.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

Rule SumRule() {
  Rule rule;
  rule.kind = RuleKind::kSum;
  rule.name = "gross amount";
  rule.within.abs = *Decimal::Parse("0.01");
  return rule;
}

RuleInput Full() {
  RuleInput input;
  input.source_rows = 10;
  input.target_rows = 2;
  input.source = "100.00";
  input.target = "100.01";
  input.had_rows_before = true;
  return input;
}

RuleInput Empty() { return RuleInput{}; }

void ExpectVerdict(const RuleInput& input, Verdict verdict, std::string_view id) {
  const RuleResult result = EvaluateRule(SumRule(), input);
  EXPECT_EQ(result.verdict, verdict) << result.note;
  EXPECT_EQ(result.id, id) << result.note;
}

TEST(EvaluateRule, ComparesTheValuesOfBothSides) {
  const RuleResult result = EvaluateRule(SumRule(), Full());
  EXPECT_EQ(result.rule, "gross amount");
  EXPECT_EQ(result.verdict, Verdict::kOk);
  EXPECT_EQ(result.delta, "0.01");
  EXPECT_EQ(result.limit, "0.01");
  RuleInput input = Full();
  input.target = "100.011";
  ExpectVerdict(input, Verdict::kFailed, "R0301");
}

TEST(EvaluateRule, EmptyOnBothSidesAgreesIfThePartitionWasEmpty) {
  ExpectVerdict(Empty(), Verdict::kOk, "");
  EXPECT_EQ(EvaluateRule(SumRule(), Empty()).note, "ok-empty");
}

TEST(EvaluateRule, AnEmptyResultForAPartitionWithRowsNeedsConsent) {
  RuleInput input = Empty();
  input.had_rows_before = true;
  ExpectVerdict(input, Verdict::kIndeterminate, "R0303");
  input.allow_empty = true;
  ExpectVerdict(input, Verdict::kOk, "");
}

TEST(EvaluateRule, AnEmptySourceThatIsIncompleteOrExpiredSaysNothing) {
  RuleInput incomplete = Empty();
  incomplete.source_complete = false;
  ExpectVerdict(incomplete, Verdict::kIndeterminate, "R0102");
  incomplete.allow_empty = true;  // consent to an empty result is no proof that it is right
  ExpectVerdict(incomplete, Verdict::kIndeterminate, "R0102");
  RuleInput expired = Empty();
  expired.expired = true;
  ExpectVerdict(expired, Verdict::kIndeterminate, "R0102");
  expired.target_rows = 5;
  ExpectVerdict(expired, Verdict::kIndeterminate, "R0102");
}

TEST(EvaluateRule, RowsOnOneSideOnlyFail) {
  RuleInput input = Full();
  input.source_rows = 0;
  input.source.reset();
  ExpectVerdict(input, Verdict::kFailed, "R0301");
  input = Full();
  input.target_rows = 0;
  input.target.reset();
  ExpectVerdict(input, Verdict::kFailed, "R0301");
}

TEST(EvaluateRule, AllNullAgreesAndOneNullFails) {
  RuleInput input = Full();
  input.target.reset();
  ExpectVerdict(input, Verdict::kFailed, "R0301");
  input.source.reset();
  ExpectVerdict(input, Verdict::kOk, "");
  EXPECT_EQ(EvaluateRule(SumRule(), input).note, "all NULL");
}

TEST(EvaluateRule, NaNInfinityAndOverflowAreIndeterminate) {
  for (const char* value : {"NaN", "inf", "-inf", "1e300"}) {
    RuleInput input = Full();
    input.source = input.target = value;
    ExpectVerdict(input, Verdict::kIndeterminate, "R0102");
  }
}

TEST(EvaluateRule, AStatementThatFailedIsIndeterminate) {
  const RuleResult result = NotEvaluated(SumRule(), "the statement was cancelled");
  EXPECT_EQ(result.verdict, Verdict::kIndeterminate);
  EXPECT_EQ(result.id, "R0102");
  EXPECT_EQ(result.note, "the statement was cancelled");
}

}  // namespace
}  // namespace retrofill
