#include "engine/pool_slots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace retrofill {
namespace {

using ::testing::HasSubstr;

TEST(PoolSlots, AreWhatThePoolDeclaresElseOne) {
  Project project;
  project.pools["small"].slots = 4;
  EXPECT_EQ(SlotsOfPool(project, "small"), 4);
  EXPECT_EQ(SlotsOfPool(project, "default@warehouse"), 1);
  EXPECT_EQ(*ChooseSlots(project, "small", std::nullopt), 4);
  EXPECT_EQ(*ChooseSlots(project, "small", 2), 2);
}

TEST(PoolSlots, MoreThanThePoolHasNamesRangeAndPool) {
  Project project;
  project.pools["small"].slots = 4;
  for (const int asked : {0, -1, 5}) {
    const Result<int> slots = ChooseSlots(project, "small", asked);
    ASSERT_FALSE(slots.ok());
    EXPECT_EQ(slots.error().id(), "C0103");
    EXPECT_THAT(slots.error().message(), HasSubstr("from 1 to 4, the slots of pool `small`"));
  }
  EXPECT_THAT(ChooseSlots(project, "small", 5).error().diagnostic().helps.at(0),
              HasSubstr("`pools: {small: {slots: 5}}`"));
}

}  // namespace
}  // namespace retrofill
