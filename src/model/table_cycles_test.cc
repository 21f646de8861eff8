#include "model/table_cycles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace retrofill {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TableCycles, ReadingInOneDirectionIsNone) {
  EXPECT_THAT(FindTableCycles({}), IsEmpty());
  EXPECT_THAT(FindTableCycles({{"a", {"b", "c", "b"}}, {"b", {"c", "elsewhere"}}, {"c", {}}}),
              IsEmpty());
}

TEST(TableCycles, ReadingItselfIsNone) { EXPECT_THAT(FindTableCycles({{"a", {"a"}}}), IsEmpty()); }

TEST(TableCycles, EachReadThatClosesOneIsReported) {
  EXPECT_THAT(FindTableCycles({{"a", {"c"}}, {"b", {"a"}}, {"c", {"b"}}, {"d", {"c"}}}),
              ElementsAre(ElementsAre("a", "c", "b")));
  EXPECT_THAT(FindTableCycles({{"a", {"b", "c"}}, {"b", {"a"}}, {"c", {"a"}}}),
              ElementsAre(ElementsAre("a", "b"), ElementsAre("a", "c")));
}

}  // namespace
}  // namespace retrofill
