#include "model/fingerprint.h"

#include <gtest/gtest.h>

#include <limits>

namespace retrofill {
namespace {

Fingerprint Sample() {
  Fingerprint f;
  f.algo = "duckdb-hash/1";
  f.engine = "duckdb-1.5.6";
  f.salt = SaltOf("analytics.revenue");
  f.schema = "00112233445566778899aabbccddeeff";
  f.columns = "all";
  f.n = 4;
  f.n_hashed = 4;
  f.row = *ParseInt128("36536498457690196819");
  f.key = *ParseInt128("27056452928094995919");
  f.non_null = {{"note", 3}, {"flag", 3}};
  f.sums = {{"amount", "12.29"}, {"id", "4294967299"}};
  f.low = "1969-12-31";
  f.high = "2024-03-31";
  return f;
}

TEST(Int128Text, RoundTripsTheWholeRange) {
  const absl::int128 smallest = std::numeric_limits<absl::int128>::min();
  const absl::int128 largest = std::numeric_limits<absl::int128>::max();
  EXPECT_EQ(Int128Text(largest), "170141183460469231731687303715884105727");
  EXPECT_EQ(Int128Text(smallest), "-170141183460469231731687303715884105728");
  for (absl::int128 value : {smallest, smallest + 1, absl::int128(-1), absl::int128(0), largest}) {
    EXPECT_EQ(ParseInt128(Int128Text(value)), value);
  }
}

TEST(Int128Text, RefusesOverflowAndOtherSpellings) {
  for (std::string_view text :
       {"170141183460469231731687303715884105728", "-170141183460469231731687303715884105729", "",
        "-", "+1", "01", "-0", "1.0", " 1", "99999999999999999999999999999999999999999999"}) {
    EXPECT_FALSE(ParseInt128(text).has_value()) << text;
  }
}

TEST(SaltOf, IsTheFirst63BitsOfTheHashOfTheName) {
  EXPECT_NE(SaltOf("analytics.revenue"), SaltOf("analytics.Revenue"));
  EXPECT_LE(SaltOf("a"), static_cast<uint64_t>(std::numeric_limits<int64_t>::max()));
  EXPECT_EQ(SaltOf(""), 0xe3b0c44298fc1c14ULL >> 1);
}

TEST(FingerprintText, IsOneLineWithSortedKeysThatReadsBack) {
  const std::string text = FingerprintText(Sample());
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_LT(text.find("\"algo\""), text.find("\"columns\""));
  EXPECT_LT(text.find("\"row\""), text.find("\"v\""));
  const Result<Fingerprint> again = ParseFingerprint(text);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*again, Sample());
}

TEST(FingerprintText, RoundTripsWithoutOptionalPartsAndWithLevelTwo) {
  Fingerprint bare = Sample();
  bare.key.reset();
  bare.sums.clear();
  bare.low.reset();
  bare.high.reset();
  bare.distinct_keys = 4;
  EXPECT_EQ(*ParseFingerprint(FingerprintText(bare)), bare);
  Fingerprint full = Sample();
  full.level = 2;
  full.column_prints["price"] = {.hash = -5, .low = "1", .high = "2", .nan = 3};
  full.column_prints["empty"] = {};
  EXPECT_EQ(*ParseFingerprint(FingerprintText(full)), full);
  Fingerprint counted;
  counted.level = 0;
  counted.n = 7;
  EXPECT_EQ(*ParseFingerprint(FingerprintText(counted)), counted);
}

TEST(FingerprintText, RefusesWhatItWouldNotPrint) {
  const std::string text = FingerprintText(Sample());
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return ParseFingerprint(changed);
  };
  EXPECT_FALSE(with("\"v\":1", "\"v\":2").ok());
  EXPECT_FALSE(with("\"n\":4", "\"n\": 4").ok());
  EXPECT_FALSE(with("\"n\":4", "\"m\":4").ok());
  EXPECT_FALSE(with("\"row\":\"", "\"row\":\"0").ok());
  EXPECT_FALSE(ParseFingerprint("").ok());
  EXPECT_FALSE(ParseFingerprint("[]").ok());
  EXPECT_FALSE(ParseFingerprint(text + "\n").ok());
  EXPECT_EQ(with("\"v\":1", "\"v\":2").error().code(), ErrorCode::kInvalid);
}

TEST(Compare, EveryPartThatDiffersIsADifference) {
  const Fingerprint a = Sample();
  EXPECT_EQ(Compare(a, a), Comparison::kEqual);
  const auto differs = [&](auto change) {
    Fingerprint b = a;
    change(b);
    EXPECT_EQ(Compare(a, b), Comparison::kDifferent);
    EXPECT_EQ(Compare(b, a), Comparison::kDifferent);
  };
  differs([](Fingerprint& b) { b.n = 5; });
  differs([](Fingerprint& b) { b.n_hashed = 3; });
  differs([](Fingerprint& b) { b.row += 1; });
  differs([](Fingerprint& b) { b.key = *b.key - 1; });
  differs([](Fingerprint& b) { b.non_null["note"] = 2; });
  differs([](Fingerprint& b) { b.sums.erase("amount"); });
  differs([](Fingerprint& b) { b.high = "2024-04-01"; });
}

TEST(Compare, ADifferentBoundValueIsNeverAVerdict) {
  const Fingerprint a = Sample();
  const auto incomparable = [&](auto change) {
    Fingerprint b = a;
    change(b);
    EXPECT_EQ(Compare(a, b), Comparison::kNotComparable);
    b.n = 99;  // not even when the counts differ
    EXPECT_EQ(Compare(a, b), Comparison::kNotComparable);
  };
  incomparable([](Fingerprint& b) { b.algo = "canon-md5/1"; });
  incomparable([](Fingerprint& b) { b.engine = "duckdb-1.5.5"; });
  incomparable([](Fingerprint& b) { b.salt = 1; });
  incomparable([](Fingerprint& b) { b.schema = ""; });
  incomparable([](Fingerprint& b) { b.columns = "strict"; });
}

TEST(Compare, ABareCountShowsADifferenceButNotEquality) {
  Fingerprint count = Sample();
  count.level = 0;
  EXPECT_EQ(Compare(Sample(), count), Comparison::kNotComparable);
  EXPECT_EQ(Compare(count, count), Comparison::kEqual);
  count.n = 3;
  EXPECT_EQ(Compare(Sample(), count), Comparison::kDifferent);
}

TEST(ComparePortable, HoldsAcrossEngineVersionsAndFindsACountASumAndANull) {
  const Fingerprint a = Sample();
  Fingerprint b = a;
  b.engine = "duckdb-1.6.0";
  b.row = 1;
  b.key = 2;
  EXPECT_EQ(ComparePortable(a, b), Comparison::kEqual);
  Fingerprint row_added = b;
  row_added.n = 5;
  EXPECT_EQ(ComparePortable(a, row_added), Comparison::kDifferent);
  Fingerprint sum_changed = b;
  sum_changed.sums["amount"] = "12.28";
  EXPECT_EQ(ComparePortable(a, sum_changed), Comparison::kDifferent);
  Fingerprint null_appeared = b;
  null_appeared.non_null["note"] = 2;
  EXPECT_EQ(ComparePortable(a, null_appeared), Comparison::kDifferent);
}

TEST(ComparePortable, NeedsTheSameColumnsOfTheSameRelation) {
  Fingerprint b = Sample();
  b.schema = "ff";
  EXPECT_EQ(ComparePortable(Sample(), b), Comparison::kNotComparable);
  b = Sample();
  b.salt = 7;
  EXPECT_EQ(ComparePortable(Sample(), b), Comparison::kNotComparable);
}

TEST(Add, SumsWhatIsAdditiveAndMergesExtremes) {
  Fingerprint b = Sample();
  b.low = "1960-01-01";
  b.high = "1970-01-01";
  b.sums = {{"amount", "-0.29"}, {"qty", "5"}};
  b.distinct_keys = 4;
  const Fingerprint sum = Add(Sample(), b);
  EXPECT_EQ(sum.n, 8);
  EXPECT_EQ(Int128Text(sum.row), "73072996915380393638");
  EXPECT_EQ(sum.sums.at("amount"), "12");
  EXPECT_EQ(sum.sums.at("id"), "4294967299");
  EXPECT_EQ(sum.sums.at("qty"), "5");
  EXPECT_EQ(sum.low, "1960-01-01");
  EXPECT_EQ(sum.high, "2024-03-31");
  EXPECT_FALSE(sum.distinct_keys.has_value());
}

TEST(Add, ExtremesOfIntegerColumnsAreNumbers) {
  Fingerprint a = Sample();
  Fingerprint b = Sample();
  a.low = a.high = "9";
  b.low = b.high = "10";
  EXPECT_EQ(Add(a, b).low, "9");
  EXPECT_EQ(Add(a, b).high, "10");
}

TEST(AddDeathTest, RefusesToAddWhatCannotBeCompared) {
  Fingerprint b = Sample();
  b.engine = "duckdb-1.5.5";
  EXPECT_DEATH(Add(Sample(), b), "comparable");
}

TEST(AddDeathTest, RefusesToWrapAround) {
  Fingerprint b = Sample();
  b.row = std::numeric_limits<absl::int128>::max();
  EXPECT_DEATH(Add(Sample(), b), "overflow");
}

}  // namespace
}  // namespace retrofill
