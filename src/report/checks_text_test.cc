#include "report/checks_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/diff_text.h"
#include "report/gaps_text.h"
#include "report/sample_backfill_test.h"
#include "report/story_text.h"

namespace retrofill {
namespace {

using ::testing::HasSubstr;

CheckResult Check(const std::string& name, Verdict verdict) {
  CheckResult check;
  check.name = name;
  check.verdict = verdict;
  return check;
}

TEST(ChecksText, ValuesAreGroupedByThree) {
  EXPECT_EQ(ValueText("912440.10"), "912 440.10");
  EXPECT_EQ(ValueText("-2194856559"), "-2 194 856 559");
  EXPECT_EQ(ValueText("57"), "57");
  EXPECT_EQ(ValueText(""), "-");
  EXPECT_EQ(ValueText("NaN"), "NaN");
  EXPECT_EQ(ValueText("2026-01-01"), "2026-01-01");
}

TEST(ChecksText, UnknownIsShownAsNeitherFailedNorPassed) {
  const std::vector<CheckResult> checks = {Check("a", Verdict::kOk),
                                           Check("b", Verdict::kIndeterminate)};
  EXPECT_EQ(ChecksText(checks),
            "  CHECK   PARTITIONS   FAILED   WORST\n"
            "  a                1        0\n"
            "  b                1        ?\n");
}

TEST(ChecksText, VerifySaysHowManyDidNotPass) {
  VerifyResult result;
  result.state = SampleState();
  result.checks = {Check("a", Verdict::kFailed)};
  EXPECT_THAT(VerifyText(result, At("2026-02-10T21:41:00Z")),
              HasSubstr("not verified: 1 of 1 checks did not pass"));
  result.ok = true;
  result.checks = {Check("a", Verdict::kOk)};
  EXPECT_THAT(VerifyText(result, At("2026-02-10T21:41:00Z")),
              HasSubstr("verified 2026-02-10T21:41:00Z; ready to publish\n"));
}

TEST(ChecksText, CanaryShowsSourceBeforeAndAfter) {
  CanaryResult canary;
  canary.passed = true;
  canary.key = "2026-01-03/eu";
  canary.why = "median size";
  canary.elapsed = absl::Seconds(61);
  canary.rows = 212;
  CheckResult check = Check("orders counted once", Verdict::kOk);
  check.source = check.target = "14203";
  check.delta = "0";
  canary.checks = {check};
  canary.diff.rows_before = canary.diff.rows_after = 212;
  canary.diff.changed = 187;
  canary.diff.identical = 25;
  const std::string text = CanaryText(canary);
  EXPECT_THAT(text, HasSubstr("Canary 2026-01-03/eu (median size)"));
  EXPECT_THAT(text, HasSubstr("orders counted once   14 203        -   14 203   ok  difference 0"));
  EXPECT_THAT(text, HasSubstr("212 rows before, 212 after: 187 changed, 25 identical, 0 added"));
}

DiffAnswer SampleDiff() {
  DiffAnswer answer;
  answer.state = SampleState();
  answer.grain = {"order_date", "region"};
  answer.partitions_changed = 1;
  answer.partitions_new = 1;
  answer.diff.rows_before = 214;
  answer.diff.rows_after = 426;
  answer.diff.changed = 214;
  answer.diff.added = 212;
  answer.diff.columns = {
      {.name = "net", .changed = 214, .sum_before = "4120551", .sum_after = "3836233"},
      {.name = "region", .changed = 0, .sum_before = "", .sum_after = ""}};
  DiffPartition changed;
  changed.rows_before = changed.rows_after = changed.changed = 214;
  changed.sums["net"] = {"4120551", "3836233"};
  answer.diff.partitions[*answer.state.plan->space->ParseKey("2026-01-03/us")] = changed;
  return answer;
}

TEST(DiffText, TotalsColumnsAndPartitions) {
  const std::string text = DiffText(SampleDiff(), 3, false);
  EXPECT_THAT(text, HasSubstr("before analytics.revenue_daily   after plan 9f3c1ad2"));
  EXPECT_THAT(text, HasSubstr("  partitions   2: 1 changed, 1 new, 0 identical\n"));
  EXPECT_THAT(text,
              HasSubstr("  rows         214 -> 426   +212 added   -0 removed   ~214 changed"));
  EXPECT_THAT(text, HasSubstr("net          4 120 551 -> 3 836 233   -6.90 %"));
  EXPECT_THAT(text, HasSubstr("2026-01-03/us   214 -> 214       214    4 120 551   3 836 233"));
}

TEST(DiffText, EqualHasNoDifferences) {
  DiffAnswer answer;
  answer.state = SampleState();
  EXPECT_FALSE(HasDifferences(answer));
  EXPECT_TRUE(HasDifferences(SampleDiff()));
  EXPECT_EQ(DiffJson(answer, 3).FindBool("equal"), true);
}

GapsResult SampleGaps() {
  GapsResult gaps;
  gaps.table = "revenue_daily";
  gaps.space = SampleSpace();
  gaps.echo = {"Range     2026-01-01 .. 2026-01-02"};
  for (const char* key : {"2026-01-01/eu", "2026-01-01/us", "2026-01-02/eu", "2026-01-02/us"}) {
    PartitionHealth health;
    health.partition = *gaps.space->ParseKey(key);
    health.health = std::string(key).starts_with("2026-01-01") ? Health::kMissing : Health::kStale;
    if (health.health == Health::kStale) health.reasons = {"code"};
    if (health.health == Health::kMissing) health.source_rows = 100;
    gaps.health.push_back(health);
    ++gaps.counts[health.health];
  }
  return gaps;
}

TEST(GapsText, GroupsByWhatIsWrong) {
  const std::string text = GapsText(SampleGaps(), false);
  EXPECT_THAT(text, HasSubstr("revenue_daily   4 partitions: 2 missing, 2 stale\n"));
  EXPECT_THAT(text, HasSubstr("  missing       2   2026-01-01: 0 rows in target, 200 in source\n"));
  EXPECT_THAT(text, HasSubstr("stale: code   2   2026-01-02\n"));
  EXPECT_TRUE(HasGaps(SampleGaps()));
  EXPECT_THAT(text, testing::Not(HasSubstr("unassigned")));
  EXPECT_FALSE(HasGaps(GapsResult{}));
}

TEST(GapsText, RowsInNoPartitionAreCounted) {
  GapsResult gaps = SampleGaps();
  gaps.unassigned = {.sources = {{"raw.items", 0}, {"raw.orders", 11}}, .target = 2};
  const std::string text = GapsText(gaps, false);
  EXPECT_THAT(text, HasSubstr("  unassigned   11   in raw.orders without a time"));
  EXPECT_THAT(text, HasSubstr("  unassigned    2   in the target"));
  EXPECT_THAT(text, testing::Not(HasSubstr("raw.items")));
  const Json json = GapsJson(gaps, false);
  EXPECT_EQ(json.Find("unassigned")->Find("target")->Compact(), "2");
}

TEST(StoryText, LogsHaveTheAttemptsOfOnePartition) {
  const BackfillState state = SampleState();
  PartitionFailed failed;
  failed.part = state.plan->space->IdentityText(*state.plan->space->ParseKey("2026-01-03/us"));
  failed.id = "R0301";
  failed.message = "gross amount differs";
  failed.attempt = 2;
  const std::vector<Event> events = {
      {.seq = 1, .backfill = "fin-812", .at = state.created, .actor = "a@b", .body = failed}};
  EXPECT_THAT(LogsText(events, state, "2026-01-03/us"),
              HasSubstr("2026-01-03/us   attempt 2 failed\n  R0301 gross amount differs\n"));
  EXPECT_EQ(LogsText(events, state, "2026-01-03/eu"), "no attempt yet\n");
}

TEST(StoryText, ReportHoldsGatesAndUndo) {
  BackfillState state = SampleState();
  state.phase = BackfillPhase::kDone;
  state.published = true;
  state.undo_until = At("2026-03-12T00:00:00Z");
  const std::vector<Event> events = {{.seq = 1,
                                      .backfill = "fin-812",
                                      .at = state.created,
                                      .actor = "ana@build-1",
                                      .body = ProofOverridden{.reason = "known to be safe"}}};
  const std::string text = ReportText(state, events);
  EXPECT_THAT(text, HasSubstr("known to be safe   by ana@build-1"));
  EXPECT_THAT(text, HasSubstr("Undo      retrofill undo fin-812   until 2026-03-12T00:00:00Z"));
}

}  // namespace
}  // namespace retrofill
