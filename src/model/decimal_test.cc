#include "model/decimal.h"

#include <gtest/gtest.h>

#include <string>

namespace retrofill {
namespace {

Decimal D(std::string_view text) {
  const std::optional<Decimal> number = Decimal::Parse(text);
  EXPECT_TRUE(number.has_value()) << text;
  return number.value_or(Decimal());
}

TEST(Decimal, PrintsTheShortestExactForm) {
  EXPECT_EQ(D("-12.30").Text(), "-12.3");
  EXPECT_EQ(D("0").Text(), "0");
  EXPECT_EQ(D("-0.000").Text(), "0");
  EXPECT_EQ(D("007").Text(), "7");
  EXPECT_EQ(D("+7").Text(), "7");
  EXPECT_EQ(D("1e-9").Text(), "0.000000001");
  EXPECT_EQ(D("2E3").Text(), "2000");
  EXPECT_EQ(D("2.5e+1").Text(), "25");
  EXPECT_EQ(D("100").Text(), "100");
  EXPECT_EQ(D("0.0500").Text(), "0.05");
}

TEST(Decimal, RefusesWhatIsNoNumber) {
  for (std::string_view text :
       {"", "-", ".", ".5", "5.", "1.e3", "1..2", "1,5", " 1", "1 ", "NaN", "inf", "-Infinity",
        "0x10", "1e", "1e1.5", "1e+-5", "--1", "1e9999"}) {
    EXPECT_FALSE(Decimal::Parse(text).has_value()) << text;
  }
}

TEST(Decimal, RefusesMoreDigitsThanFit) {
  EXPECT_TRUE(Decimal::Parse(std::string(76, '9')).has_value());
  EXPECT_FALSE(Decimal::Parse(std::string(77, '9')).has_value());
  EXPECT_FALSE(Decimal::Parse("1e300").has_value());
  EXPECT_FALSE(Decimal::Parse("1e-77").has_value());
  EXPECT_TRUE(Decimal::Parse("0." + std::string(75, '0') + "1").has_value());
}

TEST(Decimal, AddsAndSubtractsAcrossScalesAndSigns) {
  EXPECT_EQ((D("0.1") + D("0.2")).Text(), "0.3");
  EXPECT_EQ((D("99.99") + D("0.01")).Text(), "100");
  EXPECT_EQ((D("1") - D("0.000001")).Text(), "0.999999");
  EXPECT_EQ((D("-5") + D("3")).Text(), "-2");
  EXPECT_EQ((D("3") - D("5")).Text(), "-2");
  EXPECT_EQ((D("-3.5") - D("-3.5")).Text(), "0");
  EXPECT_FALSE((D("-3.5") - D("-3.5")).negative());
}

TEST(Decimal, KeepsEveryDigitOfSumsLongerThanTheirInputs) {
  const Decimal largest = D("170141183460469231731687303715884105727");
  EXPECT_EQ((largest + largest).Text(), "340282366920938463463374607431768211454");
  EXPECT_EQ((D(std::string(76, '9')) + D("1")).Text(), "1" + std::string(76, '0'));
}

TEST(Decimal, MultipliesExactly) {
  EXPECT_EQ((D("18446744073709551616") * D("-18446744073709551616")).Text(),
            "-340282366920938463463374607431768211456");
  EXPECT_EQ((D("0.01") * D("100.011")).Text(), "1.00011");
  EXPECT_EQ((D("0") * D("-5")).Text(), "0");
}

TEST(Decimal, TellsNeighboursApartThatFloatsCannot) {
  EXPECT_GT(Compare(D("9007199254740993"), D("9007199254740992")), 0);
  EXPECT_TRUE(D("-101") < D("-100"));
  EXPECT_TRUE(D("1.0") == D("1.00"));
  EXPECT_EQ(D("-101").Abs().Text(), "101");
}

}  // namespace
}  // namespace retrofill
