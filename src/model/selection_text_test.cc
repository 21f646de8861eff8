#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/selection.h"

namespace retrofill {
namespace {

using testing::ElementsAre;

Dimension Texts(std::string name, std::vector<std::string> values) {
  Dimension dimension{.name = std::move(name), .type = DimensionType::kText, .values = {}};
  for (std::string& value : values) dimension.values.push_back({std::move(value)});
  return dimension;
}

PartitionSpace Space(std::string_view by, std::string_view zone,
                     std::vector<Dimension> dimensions = {}) {
  Result<Zone> loaded = Zone::Load(zone);
  EXPECT_TRUE(loaded.ok());
  Result<Grid> grid = Grid::Make({.by = std::string(by),
                                  .zone = *loaded,
                                  .week_start = absl::Weekday::monday,
                                  .begin = "2015",
                                  .end = ""});
  EXPECT_TRUE(grid.ok());
  return PartitionSpace(std::move(*grid), std::move(dimensions), false);
}

PartitionSet Select(const PartitionSpace& space, std::vector<std::string> words) {
  const SelectionContext context{.space = &space,
                                 .table = "t",
                                 .as_of = absl::FromUnixSeconds(1'800'000'000),
                                 .watermark = absl::FromUnixSeconds(1'800'000'000),
                                 .state = nullptr};
  Result<Selection> selection = ResolveSelection(
      {.words = std::move(words), .start = {}, .end = {}, .except = {}, .align = Align::kNone},
      context);
  EXPECT_TRUE(selection.ok()) << (selection.ok() ? "" : selection.error().message());
  return selection.ok() ? selection->set : PartitionSet();
}

std::vector<std::string> Echo(const PartitionSpace& space, std::vector<std::string> words) {
  return EchoLines(Select(space, std::move(words)), space);
}

TEST(EchoLines, AreThoseOfTheProductDocument) {
  const PartitionSpace space = Space("day", "UTC", {Texts("region", {"eu", "us", "apac"})});
  EXPECT_THAT(
      Echo(space, {"2025-11..2026-01"}),
      ElementsAre(
          "Range     2025-11-01 .. 2026-01-31   92 days x 3 regions = 276 partitions",
          "Interval  [2025-11-01T00:00Z, 2026-02-01T00:00Z)   end not included; last partition "
          "2026-01-31"));
}

TEST(EchoLines, CountPlainlyWithoutDimensions) {
  const PartitionSpace space = Space("day", "UTC");
  EXPECT_EQ(Echo(space, {"2026-01"})[0],
            "Range     2026-01-01 .. 2026-01-31   31 days = 31 partitions");
  EXPECT_EQ(Echo(space, {"2026-01-05"})[0], "Range     2026-01-05   1 day = 1 partition");
  EXPECT_EQ(Echo(Space("15m", "UTC"), {"2026-01-05"})[0],
            "Range     2026-01-05T00 .. 2026-01-05T23:45   96 slots of 15m = 96 partitions");
  EXPECT_EQ(Echo(Space("hour", "UTC"), {"2026-01-05T03"}),
            (std::vector<std::string>{
                "Range     2026-01-05T03   1 hour = 1 partition",
                "Interval  [2026-01-05T03:00Z, 2026-01-05T04:00Z)   end not included; last "
                "partition 2026-01-05T03"}));
}

TEST(EchoLines, GroupLargeCounts) {
  const PartitionSpace space = Space("day", "UTC", {Texts("region", {"eu", "us", "apac"})});
  EXPECT_EQ(Echo(space, {"2020-01-01..2026-02-09"})[0],
            "Range     2020-01-01 .. 2026-02-09   2 232 days x 3 regions = 6 696 partitions");
}

TEST(EchoLines, PrintUpToFivePiecesThenACount) {
  const PartitionSpace space = Space("day", "UTC", {Texts("region", {"eu", "us", "apac"})});
  EXPECT_THAT(
      Echo(space, {"2026-01,!2026-01-15"}),
      ElementsAre("Range     2026-01-01 .. 2026-01-14, 2026-01-16 .. 2026-01-31   30 days x 3 "
                  "regions = 90 partitions",
                  "Interval  [2026-01-01T00:00Z, 2026-01-15T00:00Z), [2026-01-16T00:00Z, "
                  "2026-02-01T00:00Z)   end not included; last partition 2026-01-31"));
  EXPECT_EQ(Echo(space, {"2026-01-01,2026-01-03,2026-01-05,2026-01-07,2026-01-09,2026-01-11,"
                         "2026-01-13..2026-01-14"})[0],
            "Range     2026-01-01, 2026-01-03, 2026-01-05, 2026-01-07, 2026-01-09, ... 2 more "
            "pieces   8 days x 3 regions = 24 partitions");
}

TEST(EchoLines, NameCellsThatAreNotAll) {
  const PartitionSpace space = Space("day", "UTC", {Texts("region", {"eu", "us", "apac"})});
  EXPECT_EQ(Echo(space, {"2026-01", "region=eu,us"})[0],
            "Range     2026-01-01 .. 2026-01-31   31 days x 2 regions (eu, us) = 62 partitions");
  EXPECT_EQ(Echo(space, {"2026-01-05/eu"})[0],
            "Range     2026-01-05   1 day x 1 region (eu) = 1 partition");
  EXPECT_EQ(Echo(space, {"2026-01,!2026-01-02/us"})[0],
            "Range     2026-01-01, 2026-01-02/{eu,apac}, 2026-01-03 .. 2026-01-31   92 partitions");
  const PartitionSpace two =
      Space("day", "UTC", {Texts("country", {"de", "fr"}), Texts("sales", {"a", "b"})});
  EXPECT_EQ(Echo(two, {"2026-01-05"})[0],
            "Range     2026-01-05   1 day x 2 countries x 2 sales = 4 partitions");
  EXPECT_EQ(Echo(two, {"2026-01-05/de/a,2026-01-05/fr/b"})[0],
            "Range     2026-01-05   1 day x 2 of 4 cells (de/a, fr/b) = 2 partitions");
}

TEST(EchoLines, SayZoneAndOddLengthsOutsideUtc) {
  const PartitionSpace space = Space("day", "America/New_York");
  EXPECT_EQ(Echo(space, {"2026-03-07..2026-03-09"})[1],
            "Interval  [2026-03-07T05:00Z, 2026-03-10T04:00Z)   end not included; last partition "
            "2026-03-09; America/New_York, 2026-03-08 has 23 h");
  EXPECT_EQ(Echo(space, {"2026-03-10"})[1],
            "Interval  [2026-03-10T04:00Z, 2026-03-11T04:00Z)   end not included; last partition "
            "2026-03-10; America/New_York");
  EXPECT_EQ(Echo(space, {"2024..2025"})[1],
            "Interval  [2024-01-01T05:00Z, 2026-01-01T05:00Z)   end not included; last partition "
            "2025-12-31; America/New_York, 2024-03-10 has 23 h, 2024-11-03 has 25 h, 2025-03-09 "
            "has 23 h and 1 more");
  EXPECT_EQ(Echo(Space("hour", "Australia/Lord_Howe"), {"2025-10-05"})[1],
            "Interval  [2025-10-04T13:30Z, 2025-10-05T13:00Z)   end not included; last partition "
            "2025-10-05T23+1100; Australia/Lord_Howe, 2025-10-05T02:30+1100 has 30 min");
  EXPECT_EQ(Echo(Space("month", "Europe/Berlin"), {"2026-02..2026-04"})[1],
            "Interval  [2026-01-31T23:00Z, 2026-04-30T22:00Z)   end not included; last partition "
            "2026-04; Europe/Berlin, 2026-03 has 743 h");
}

TEST(EchoLines, WithoutTimeThereIsNoInterval) {
  const PartitionSpace keys(std::nullopt, {Texts("region", {"eu", "us", "apac"})}, false);
  EXPECT_THAT(Echo(keys, {}), ElementsAre("Range     3 regions   3 regions = 3 partitions"));
  EXPECT_THAT(Echo(keys, {"eu,us"}),
              ElementsAre("Range     eu, us   2 regions (eu, us) = 2 partitions"));
  const PartitionSpace whole(std::nullopt, {}, false);
  EXPECT_THAT(Echo(whole, {}), ElementsAre("Range     all   whole table = 1 partition"));
}

TEST(SetText, IsCompact) {
  const PartitionSpace space = Space("day", "UTC", {Texts("region", {"eu", "us", "apac"})});
  const auto text = [&](std::vector<std::string> words, int most) {
    return SetText(Select(space, std::move(words)), space, most);
  };
  EXPECT_EQ(text({"2025-11-02..2025-12-24"}, 3), "2025-11-02..2025-12-24");
  EXPECT_EQ(text({"2025-12-25,2025-12-27/eu"}, 3), "2025-12-25, 2025-12-27/eu");
  EXPECT_EQ(text({"2025-12-25/eu,2025-12-25/us"}, 3), "2025-12-25/{eu,us}");
  EXPECT_EQ(text({"2026-01", "region=us"}, 3), "2026-01-01..2026-01-31 x us");
  EXPECT_EQ(text({"2026-01-01,2026-01-03,2026-01-05,2026-01-07"}, 2),
            "2026-01-01, 2026-01-03, ... 2 more");
  EXPECT_EQ(SetText(PartitionSet(), space, 3), "nothing");
}

}  // namespace
}  // namespace retrofill
