#include "report/run_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/map_text.h"
#include "report/sample_backfill_test.h"

namespace retrofill {
namespace {

using ::testing::HasSubstr;

Event Staged(const BackfillState& state, const std::string& key) {
  PartitionStaged body;
  body.part = state.plan->space->IdentityText(*state.plan->space->ParseKey(key));
  body.rows = 212;
  body.milliseconds = 61000;
  return {.seq = 7,
          .backfill = "fin-812",
          .at = At("2026-02-10T20:15:09.120Z"),
          .actor = "a@b",
          .body = body};
}

TEST(RunLines, AStagedPartitionIsOneLine) {
  BackfillState state = SampleState();
  Place(state, "2026-01-03/eu").phase = PartitionPhase::kStaged;
  const std::vector<Event> events = {Staged(state, "2026-01-03/eu")};
  EXPECT_EQ(EventLines(events, state),
            "2026-02-10T20:15:09Z staged    2026-01-03/eu rows=212 seconds=61.0 1/6\n");
}

TEST(RunLines, SeveralEventsCountUp) {
  BackfillState state = SampleState();
  Place(state, "2026-01-03/eu").phase = PartitionPhase::kStaged;
  Place(state, "2026-01-03/us").phase = PartitionPhase::kStaged;
  const std::vector<Event> events = {Staged(state, "2026-01-03/eu"),
                                     Staged(state, "2026-01-03/us")};
  const std::string text = EventLines(events, state);
  EXPECT_THAT(text, HasSubstr("2026-01-03/eu rows=212 seconds=61.0 1/6\n"));
  EXPECT_THAT(text, HasSubstr("2026-01-03/us rows=212 seconds=61.0 2/6\n"));
}

TEST(RunLines, JsonLinesNameThePartitionByItsKey) {
  const BackfillState state = SampleState();
  const std::vector<Event> events = {Staged(state, "2026-01-03/eu")};
  const std::string text = EventJsonLines(events, state);
  const Result<Json> json = Json::Parse(text);
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(json->FindInteger("v"), 1);
  EXPECT_EQ(json->FindText("type"), "partition.staged");
  EXPECT_EQ(json->FindText("partition"), "2026-01-03/eu");
  EXPECT_EQ(json->FindText("ts"), "2026-02-10T20:15:09.120Z");
  EXPECT_EQ(json->FindText("backfill"), "fin-812");
}

TEST(RunLines, NoEndIsPromisedBeforeTwoPartitions) {
  BackfillState state = SampleState();
  const Progress progress{.now = At("2026-02-10T20:48:10Z"), .elapsed = absl::Minutes(10)};
  Place(state, "2026-01-03/eu").phase = PartitionPhase::kStaged;
  EXPECT_FALSE(EstimateEnd(state, progress).has_value());
  EXPECT_EQ(ProgressLine(state, progress), "2026-02-10T20:48:10Z progress  1/6 16% failed=0\n");
  Place(state, "2026-01-03/us").phase = PartitionPhase::kStaged;
  ASSERT_TRUE(EstimateEnd(state, progress).has_value());
  EXPECT_LT(EstimateEnd(state, progress)->earliest, EstimateEnd(state, progress)->latest);
  EXPECT_THAT(ProgressLine(state, progress), HasSubstr("2/6 33% failed=0 eta=2026-02-10T21:"));
}

BackfillState HalfDone() {
  BackfillState state = SampleState();
  state.phase = BackfillPhase::kRunning;
  Place(state, "2026-01-02/eu").phase = PartitionPhase::kStaged;
  Place(state, "2026-01-03/eu").phase = PartitionPhase::kRunning;
  Place(state, "2026-01-03/us").phase = PartitionPhase::kFailed;
  Place(state, "2026-01-03/us").failure_id = "R0301";
  return state;
}

TEST(MapText, OneLetterADayOnAWideTerminal) {
  const std::vector<std::string> lines =
      MapLines(HalfDone(), {.width = 120, .height = 40, .progress = {}});
  EXPECT_EQ(lines[0], "fin-812  revenue_daily  RUNNING");
  EXPECT_THAT(lines[1], HasSubstr("2026-01"));
  EXPECT_THAT(lines[2], HasSubstr("  eu    !#>."));
  EXPECT_THAT(lines[3], HasSubstr("  us    !.x."));
  EXPECT_THAT(lines[4], HasSubstr("# staged 1"));
  EXPECT_THAT(lines.back(), HasSubstr("x 2026-01-03/us"));
}

TEST(MapText, OneLineAMonthOnANarrowOne) {
  const std::vector<std::string> lines =
      MapLines(HalfDone(), {.width = 80, .height = 24, .progress = {}});
  EXPECT_EQ(lines[1], "  2026-01   # 1  > 1  . 3  x 1  ! 2");
}

TEST(MapText, ColourChangesNoWidth) {
  MapView view{.width = 120, .height = 40, .color = true, .progress = {}};
  std::string colored = MapLines(HalfDone(), view)[2];
  view.color = false;
  for (size_t start = colored.find('\x1b'); start != std::string::npos;
       start = colored.find('\x1b')) {
    colored.erase(start, colored.find('m', start) - start + 1);
  }
  EXPECT_EQ(colored, MapLines(HalfDone(), view)[2]);
}

TEST(MapText, NoLineIsWiderThanTheTerminal) {
  BackfillState state = HalfDone();
  Place(state, "2026-01-03/us").failure = std::string(300, 'x');
  for (const std::string& line : MapLines(state, {.width = 80, .height = 24, .progress = {}})) {
    EXPECT_LE(CharacterCount(line), 80U) << line;
  }
}

}  // namespace
}  // namespace retrofill
