#include "model/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace retrofill {
namespace {

using testing::ElementsAre;

absl::Time Day(int day) {
  return absl::FromCivil(absl::CivilDay(2026, 1, 1), absl::UTCTimeZone()) +
         absl::Hours(24 * (day - 1));
}

Dimension Texts(std::string name, std::vector<std::string> values) {
  Dimension dimension{.name = std::move(name), .type = DimensionType::kText, .values = {}};
  for (std::string& value : values) dimension.values.push_back({std::move(value)});
  return dimension;
}

PartitionSpace Space(std::vector<Dimension> dimensions = {}) {
  Result<Grid> grid = Grid::Make(
      {.by = "day", .zone = Zone(), .week_start = absl::Weekday::monday, .begin = {}, .end = {}});
  EXPECT_TRUE(grid.ok());
  return PartitionSpace(std::move(*grid), std::move(dimensions), false);
}

std::vector<size_t> Sizes(const std::vector<Batch>& batches) {
  std::vector<size_t> sizes;
  for (const Batch& batch : batches) sizes.push_back(batch.partitions.size());
  return sizes;
}

std::vector<Batch> CutDays(int days, int64_t limit) {
  const PartitionSpace space = Space();
  return CutIntoBatches(
      PartitionSet::All(space, {Day(1), Day(1 + days)}), space,
      {.partitions = limit, .cells_together = false, .order = Order::kOldestFirst});
}

TEST(CutIntoBatches, HoldsNothingThatWasNotSelected) {  // P09
  const PartitionSpace space = Space();
  const PartitionSet set = PartitionSet::Rectangle({{Day(1), Day(3)}, {Day(5), Day(6)}}, {{0, 1}});
  const std::vector<Batch> batches = CutIntoBatches(
      set, space, {.partitions = 10, .cells_together = true, .order = Order::kOldestFirst});
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_EQ(batches[0].run, (Interval{Day(1), Day(3)}));
  EXPECT_EQ(batches[1].run, (Interval{Day(5), Day(6)}));
}

TEST(CutIntoBatches, TwoCellsAreATupleListAndNoCrossProduct) {  // P09
  const PartitionSpace space =
      Space({Texts("sea", {"arctic", "atlantic"}), Texts("ship", {"a", "b"})});
  const PartitionSet set = PartitionSet::Of(space, {{{Day(1), Day(2)}, 0}, {{Day(1), Day(2)}, 3}});
  const std::vector<Batch> batches = CutIntoBatches(
      set, space, {.partitions = 10, .cells_together = true, .order = Order::kOldestFirst});
  ASSERT_EQ(batches.size(), 1U);
  EXPECT_EQ(batches[0].partitions.size(), 2U);
  EXPECT_EQ(batches[0].cells, (std::vector<CellRange>{{0, 1}, {3, 4}}));
}

TEST(CutIntoBatches, RemainderIsTheLastBatch) {  // P10
  EXPECT_THAT(Sizes(CutDays(100, 11)), ElementsAre(11, 11, 11, 11, 11, 11, 11, 11, 11, 1));
  EXPECT_EQ(Sizes(CutDays(100, 10)), std::vector<size_t>(10, 10));
  EXPECT_THAT(Sizes(CutDays(100, 100)), ElementsAre(100));
  EXPECT_THAT(Sizes(CutDays(100, 101)), ElementsAre(100));
}

TEST(CutIntoBatches, KeepsTheLimitOfAStatement) {  // S03
  EXPECT_THAT(Sizes(CutDays(4272, 4000)), ElementsAre(4000, 272));
  EXPECT_THAT(Sizes(CutDays(366, 100)), ElementsAre(100, 100, 100, 66));
}

TEST(CutIntoBatches, NewestFirstTurnsTheOrderAround) {
  const PartitionSpace space = Space({Texts("region", {"eu", "us"})});
  const PartitionSet set = PartitionSet::All(space, {Day(1), Day(4)});
  const std::vector<Batch> batches = CutIntoBatches(
      set, space, {.partitions = 4, .cells_together = true, .order = Order::kNewestFirst});
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_THAT(batches[0].partitions,
              ElementsAre(Partition{{Day(3), Day(4)}, 0}, Partition{{Day(3), Day(4)}, 1},
                          Partition{{Day(2), Day(3)}, 0}, Partition{{Day(2), Day(3)}, 1}));
  EXPECT_EQ(batches[1].run, (Interval{Day(1), Day(2)}));
}

TEST(CutIntoBatches, CellsApartKeepTheirOwnRuns) {
  const PartitionSpace space = Space({Texts("region", {"eu", "us"})});
  const PartitionSet set = Difference(PartitionSet::All(space, {Day(1), Day(5)}),
                                      PartitionSet::Rectangle({{Day(2), Day(3)}}, {{1, 2}}));
  const std::vector<Batch> batches = CutIntoBatches(
      set, space, {.partitions = 10, .cells_together = false, .order = Order::kOldestFirst});
  ASSERT_EQ(batches.size(), 3U);
  EXPECT_EQ(batches[0].run, (Interval{Day(1), Day(5)}));
  EXPECT_EQ(batches[1].run, (Interval{Day(1), Day(2)}));
  EXPECT_EQ(batches[1].cells, (std::vector<CellRange>{{1, 2}}));
  EXPECT_EQ(batches[2].run, (Interval{Day(3), Day(5)}));
}

TEST(CutIntoBatches, ManyCellsOfOneDayAreCutByCells) {
  const PartitionSpace space = Space({Texts("region", {"a", "b", "c", "d", "e"})});
  const PartitionSet set = PartitionSet::All(space, {Day(1), Day(3)});
  EXPECT_THAT(
      Sizes(CutIntoBatches(
          set, space, {.partitions = 2, .cells_together = true, .order = Order::kOldestFirst})),
      ElementsAre(2, 2, 1, 2, 2, 1));
}

TEST(CutIntoBatches, WithoutTimeCellsAreGrouped) {
  const PartitionSpace space(std::nullopt, {Texts("region", {"a", "b", "c"})}, false);
  const PartitionSet set = PartitionSet::All(space, PartitionSpace::AllTime());
  EXPECT_THAT(
      Sizes(CutIntoBatches(
          set, space, {.partitions = 2, .cells_together = true, .order = Order::kOldestFirst})),
      ElementsAre(2, 1));
}

}  // namespace
}  // namespace retrofill
