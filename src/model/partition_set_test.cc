#include "model/partition_set.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace retrofill {
namespace {

absl::Time Day(int day) {
  return absl::FromCivil(absl::CivilDay(2026, 1, day), absl::UTCTimeZone());
}
Interval Days(int first, int end) { return {Day(first), Day(end)}; }

Dimension Texts(std::string name, std::vector<std::string> values) {
  Dimension dimension{.name = std::move(name), .type = DimensionType::kText, .values = {}};
  for (std::string& value : values) dimension.values.push_back({std::move(value)});
  return dimension;
}

PartitionSpace MakeSpace(std::string_view by, std::vector<Dimension> dimensions) {
  Result<Grid> grid = Grid::Make({.by = std::string(by),
                                  .zone = Zone(),
                                  .week_start = absl::Weekday::monday,
                                  .begin = "",
                                  .end = ""});
  EXPECT_TRUE(grid.ok());
  return PartitionSpace(std::move(*grid), std::move(dimensions), false);
}

PartitionSet Runs(std::vector<Interval> runs) {
  return PartitionSet::Rectangle(std::move(runs), {{0, 1}});
}

TEST(PartitionSet, TouchingRunsBecomeOne) {
  const PartitionSet set = Union(Runs({Days(1, 3)}), Runs({Days(3, 5)}));
  EXPECT_EQ(set, Runs({Days(1, 5)}));
  ASSERT_EQ(set.blocks().size(), 1U);
  EXPECT_EQ(set.blocks()[0].runs, std::vector<Interval>{Days(1, 5)});
}

TEST(PartitionSet, DifferenceLeavesTwoRuns) {
  EXPECT_EQ(Difference(Runs({Days(1, 10)}), Runs({Days(4, 6)})), Runs({Days(1, 4), Days(6, 10)}));
  EXPECT_TRUE(Difference(Runs({Days(1, 10)}), Runs({Days(1, 10)})).empty());
}

TEST(PartitionSet, TwoCellsOfAGridAreNeverFour) {  // P09
  const PartitionSpace space =
      MakeSpace("day", {Texts("sea", {"arctic", "atlantic"}), Texts("ship", {"a", "b"})});
  const PartitionSet set =
      PartitionSet::Of(space, {{Days(1, 2), *space.CellOf({{"arctic"}, {"a"}})},
                               {Days(1, 2), *space.CellOf({{"atlantic"}, {"b"}})}});
  EXPECT_EQ(set.Count(space), 2);
  ASSERT_EQ(set.blocks().size(), 1U);
  EXPECT_EQ(set.blocks()[0].cells, (std::vector<CellRange>{{0, 1}, {3, 4}}));
}

TEST(PartitionSet, CellsWithDifferentRunsAreTwoBlocks) {
  const PartitionSpace space = MakeSpace("day", {Texts("region", {"eu", "us"})});
  const PartitionSet set = Difference(PartitionSet::All(space, Days(1, 5)),
                                      PartitionSet::Rectangle({Days(2, 3)}, {{1, 2}}));
  EXPECT_EQ(set.Count(space), 7);
  ASSERT_EQ(set.blocks().size(), 2U);
  EXPECT_EQ(set.blocks()[0].runs, std::vector<Interval>{Days(1, 5)});
  EXPECT_EQ(set.blocks()[1].runs, (std::vector<Interval>{Days(1, 2), Days(3, 5)}));
  EXPECT_FALSE(set.Contains({Days(2, 3), 1}));
  EXPECT_TRUE(set.Contains({Days(2, 3), 0}));
  EXPECT_FALSE(set.Contains({Days(5, 6), 0}));
  EXPECT_EQ(Union(set, PartitionSet::Rectangle({Days(2, 3)}, {{1, 2}})),
            PartitionSet::All(space, Days(1, 5)));
}

TEST(PartitionSet, PartitionsAreTimeMajorAndNumbered) {
  const PartitionSpace space = MakeSpace("day", {Texts("region", {"eu", "us"})});
  const PartitionSet set = Difference(PartitionSet::All(space, Days(1, 5)),
                                      PartitionSet::Rectangle({Days(2, 3)}, {{1, 2}}));
  const std::vector<Partition> expected = {{Days(1, 2), 0}, {Days(1, 2), 1}, {Days(2, 3), 0},
                                           {Days(3, 4), 0}, {Days(3, 4), 1}, {Days(4, 5), 0},
                                           {Days(4, 5), 1}};
  EXPECT_EQ(set.Partitions(space), expected);
  for (size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(set.At(space, static_cast<int64_t>(k)), expected[k]);
  }
  EXPECT_EQ(PartitionSet::Of(space, expected), set);
  EXPECT_EQ(set.Hull(), Days(1, 5));
}

TEST(PartitionSet, MillionPartitionsAreOneRun) {  // S01
  const PartitionSpace hours = MakeSpace("hour", {});
  const Interval years{absl::FromCivil(absl::CivilYear(2016), absl::UTCTimeZone()),
                       absl::FromCivil(absl::CivilYear(2026), absl::UTCTimeZone())};
  EXPECT_EQ(PartitionSet::All(hours, years).Count(hours), 87672);
  std::vector<std::string> regions;
  for (int i = 0; i < 12; ++i) regions.push_back("r" + std::to_string(i));
  const PartitionSpace space = MakeSpace("hour", {Texts("region", regions)});
  const PartitionSet set = PartitionSet::All(space, years);
  EXPECT_EQ(set.Count(space), 1052064);
  EXPECT_EQ(set.blocks().size(), 1U);
  EXPECT_EQ(space.KeyText(set.At(space, 0)), "2016-01-01T00/r0");
  EXPECT_EQ(space.KeyText(set.At(space, 1052063)), "2025-12-31T23/r11");
  EXPECT_EQ(space.KeyText(set.At(space, 499'999)), "2020-10-02T02/r7");
}

TEST(PartitionSet, OverlapIsAnIntersectionOnTime) {  // O07
  const PartitionSpace space = MakeSpace("day", {});
  const PartitionSet overlap = Intersection(Runs({Days(1, 10)}), Runs({Days(8, 15)}));
  EXPECT_EQ(overlap, Runs({Days(8, 10)}));
  EXPECT_TRUE(Intersection(Runs({Days(1, 10)}), Runs({Days(10, 15)})).empty());
  EXPECT_EQ(Difference(Runs({Days(8, 15)}), overlap).Count(space), 5);
}

TEST(PartitionSet, WithoutTimeEachCellIsOnePartition) {
  const PartitionSpace space(std::nullopt, {Texts("region", {"eu", "us", "apac"})}, false);
  const PartitionSet all = PartitionSet::All(space, PartitionSpace::AllTime());
  EXPECT_EQ(all.Count(space), 3);
  EXPECT_EQ(all.Partitions(space).size(), 3U);
  EXPECT_EQ(space.KeyText(all.At(space, 2)), "apac");
  const PartitionSet one = PartitionSet::Of(space, {{PartitionSpace::AllTime(), 1}});
  EXPECT_EQ(Difference(all, one).Count(space), 2);
  EXPECT_TRUE(IsSubset(one, all));
  EXPECT_FALSE(IsSubset(all, one));
}

}  // namespace
}  // namespace retrofill
