#include <gtest/gtest.h>

#include "transform/transform_sides.h"

namespace retrofill {
namespace {

Table ByWeek(const std::string& week_start, const std::string& begin) {
  Table table;
  table.partition = PartitionSpec{};
  table.partition->by = "week";
  table.partition->week_start = week_start;
  table.partition->begin = begin;
  return table;
}

TEST(TableSpace, AWeekStartsOnAnyDayThatTheTableNames) {
  // Of 2026-01-01, which is a Thursday, to 2026-01-07.
  for (const auto& [week_start, begin] :
       std::vector<std::pair<std::string, std::string>>{{"monday", "2026-W02"},
                                                        {"tuesday", "2026-01-06"},
                                                        {"wednesday", "2026-01-07"},
                                                        {"thursday", "2026-01-01"},
                                                        {"friday", "2026-01-02"},
                                                        {"saturday", "2026-01-03"},
                                                        {"sunday", "2026-01-04"}}) {
    const Result<PartitionSpace> space = SpaceOf(ByWeek(week_start, begin), {});
    ASSERT_TRUE(space.ok()) << week_start << ": " << space.error().message();
    const Grid& grid = space->grid();
    EXPECT_EQ(grid.KeyText(grid.Containing(*grid.begin())), begin);
  }
}

TEST(TableSpace, NoDayOfTheWeekIsC0103) {
  const Result<PartitionSpace> space = SpaceOf(ByWeek("Mittwoch", ""), {});
  ASSERT_FALSE(space.ok());
  EXPECT_EQ(space.error().id(), "C0103");
}

}  // namespace
}  // namespace retrofill
