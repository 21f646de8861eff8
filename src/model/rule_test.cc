#include "model/rule.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

Tolerance Of(std::string_view abs, std::string_view rel = "0") {
  return {.abs = *Decimal::Parse(abs), .rel = *Decimal::Parse(rel)};
}

bool Passes(std::string_view source, std::string_view target, const Tolerance& tolerance) {
  return Within(*Decimal::Parse(source), *Decimal::Parse(target), tolerance);
}

TEST(Tolerance, OnePercentOfZeroAndFiftyIsHalf) {
  EXPECT_FALSE(Passes("0", "50", Of("0", "0.01")));
  EXPECT_FALSE(Passes("50", "0", Of("0", "0.01")));
  EXPECT_EQ(LimitOf(*Decimal::Parse("0"), *Decimal::Parse("50"), Of("0", "0.01")).Text(), "0.5");
}

TEST(Tolerance, AnAbsoluteLimitIsInclusive) {
  EXPECT_TRUE(Passes("100.00", "100.01", Of("0.01")));
  EXPECT_FALSE(Passes("100.00", "100.011", Of("0.01")));
}

TEST(Tolerance, ARelativeLimitTakesTheLargerMagnitudeOfNegativeValues) {
  EXPECT_TRUE(Passes("-100", "-101", Of("0", "0.01")));
  EXPECT_EQ(LimitOf(*Decimal::Parse("-100"), *Decimal::Parse("-101"), Of("0", "0.01")).Text(),
            "1.01");
}

TEST(Tolerance, ValuesThatAreEqualAsFloatsStillDiffer) {
  EXPECT_FALSE(Passes("599861863632.97", "599861880000.00", Of("0")));
  EXPECT_FALSE(Passes("9007199254740993", "9007199254740992", Of("0")));
  EXPECT_TRUE(Passes("9007199254740993", "9007199254740993.000", Of("0")));
}

TEST(Tolerance, TheLargerOfBothLimitsCounts) {
  EXPECT_TRUE(Passes("1000", "1009", Of("1", "0.01")));
  EXPECT_TRUE(Passes("1", "2", Of("1", "0.01")));
  EXPECT_FALSE(Passes("1", "2.001", Of("1", "0.01")));
}

TEST(CompareValues, SaysTheDifferenceAndTheLimit) {
  const ValueComparison result = CompareValues("100", "97.5", Of("0", "0.01"));
  EXPECT_EQ(result.verdict, Verdict::kFailed);
  EXPECT_EQ(result.delta, "-2.5");
  EXPECT_EQ(result.limit, "1");
  EXPECT_EQ(CompareValues("100", "1e2", Of("0")).verdict, Verdict::kOk);
}

TEST(CompareValues, NullOnBothSidesIsOkAndOnOneSideFailed) {
  EXPECT_EQ(CompareValues(std::nullopt, std::nullopt, Of("0")).verdict, Verdict::kOk);
  EXPECT_EQ(CompareValues(std::nullopt, std::nullopt, Of("0")).note, "all NULL");
  EXPECT_EQ(CompareValues("0", std::nullopt, Of("5")).verdict, Verdict::kFailed);
  EXPECT_EQ(CompareValues(std::nullopt, "0", Of("5")).verdict, Verdict::kFailed);
}

TEST(CompareValues, NaNInfinityAndOverflowAreIndeterminate) {
  for (const char* text : {"NaN", "nan", "inf", "-inf", "Infinity", "1e300", "yes", ""}) {
    EXPECT_EQ(CompareValues(text, text, Of("0")).verdict, Verdict::kIndeterminate) << text;
    EXPECT_EQ(CompareValues("1", text, Of("0")).verdict, Verdict::kIndeterminate) << text;
    EXPECT_EQ(CompareValues(text, std::nullopt, Of("0")).verdict, Verdict::kIndeterminate) << text;
  }
}

}  // namespace
}  // namespace retrofill
