#include "base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace retrofill {
namespace {

TEST(Random, SameSeedAndNameRepeat) {
  Random a(7, "faults"), b(7, "faults");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.Next(), b.Next());
}

TEST(Random, FirstNumbersAreTheSameOnEveryMachine) {
  EXPECT_EQ(Random(1, "order").Next(), 13480311885085110769u);
  EXPECT_NE(Random(1, "order").Next(), Random(2, "order").Next());
  EXPECT_NE(Random(1, "order").Next(), Random(1, "ordes").Next());
}

TEST(Random, BelowReachesEveryValueAndNoOther) {
  Random random(3, "below");
  std::set<uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.Below(7));
  EXPECT_EQ(seen.size(), 7u);
  EXPECT_EQ(*seen.rbegin(), 6u);
  EXPECT_EQ(random.Below(1), 0u);
}

TEST(Random, FractionIsBelowOne) {
  Random random(3, "fraction");
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double drawn = random.Fraction();
    ASSERT_GE(drawn, 0);
    ASSERT_LT(drawn, 1);
    sum += drawn;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
}

TEST(Random, SecretsDiffer) {
  EXPECT_EQ(SecureHex(16).size(), 32u);
  EXPECT_NE(SecureHex(16), SecureHex(16));
}

}  // namespace
}  // namespace retrofill
