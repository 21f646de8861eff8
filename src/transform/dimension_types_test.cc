#include "transform/dimension_types.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

Result<std::vector<Dimension>> Typed(const std::string& type,
                                     const std::vector<DimensionValue>& values) {
  const RelationShape target{.columns = {{.name = "Code", .type = type}}};
  return TypedDimensions({{.name = "code", .values = values}}, target, {});
}

void ExpectValues(const std::string& type, const std::vector<DimensionValue>& values,
                  DimensionType expected, const std::vector<DimensionValue>& canonical) {
  const auto typed = Typed(type, values);
  ASSERT_TRUE(typed.ok()) << typed.error().message();
  EXPECT_EQ((*typed)[0].type, expected);
  EXPECT_EQ((*typed)[0].values, canonical);
}

TEST(DimensionTypes, ValuesOfIntegersAreCanonical) {
  ExpectValues("SMALLINT", {{"007"}, {"-3"}, {"+4"}, {"-0"}, {}}, DimensionType::kInt,
               {{"7"}, {"-3"}, {"4"}, {"0"}, {}});
  ExpectValues("HUGEINT", {{"170141183460469231731687303715884105727"}}, DimensionType::kInt,
               {{"170141183460469231731687303715884105727"}});
}

TEST(DimensionTypes, ValuesOfBooleansAreWords) {
  ExpectValues("BOOLEAN", {{"TRUE"}, {"false"}}, DimensionType::kBool, {{"true"}, {"false"}});
}

TEST(DimensionTypes, TextStaysAsItIs) {
  ExpectValues("VARCHAR", {{"007"}, {"7"}, {"TRUE"}, {""}}, DimensionType::kText,
               {{"007"}, {"7"}, {"TRUE"}, {""}});
}

TEST(DimensionTypes, ColumnsThatTheTargetLacksAreText) {
  const auto typed = TypedDimensions({{.name = "other", .values = {{"01"}}}},
                                     {.columns = {{.name = "code", .type = "INTEGER"}}}, {});
  ASSERT_TRUE(typed.ok());
  EXPECT_EQ((*typed)[0].values[0].text, "01");
}

TEST(DimensionTypes, WhatIsNoValueOfTheColumnIsRefused) {
  for (const char* text : {"x", "", "-", "1.0", "0x1", "1 "}) {
    const auto typed = Typed("INTEGER", {{text}});
    ASSERT_FALSE(typed.ok()) << text;
    EXPECT_EQ(typed.error().id(), "C0103");
  }
  EXPECT_FALSE(Typed("BOOLEAN", {{"yes"}}).ok());
}

TEST(DimensionTypes, TwoTextsOfOneValueAreRefused) {
  EXPECT_FALSE(Typed("INTEGER", {{"1"}, {"01"}}).ok());
  EXPECT_FALSE(Typed("BOOLEAN", {{"true"}, {"True"}}).ok());
}

}  // namespace
}  // namespace retrofill
