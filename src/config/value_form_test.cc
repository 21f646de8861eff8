#include "config/value_form.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

YamlNode Scalar(std::string text) {
  YamlNode node;
  node.kind = YamlNode::Kind::kScalar;
  node.text = std::move(text);
  return node;
}

std::string Shown(const std::optional<Tolerance>& tolerance) {
  return tolerance ? fmt::format("{} {}", tolerance->abs.Text(), tolerance->rel.Text()) : "none";
}

TEST(ValueForm, TolerancesAreAbsoluteOrShares) {
  EXPECT_EQ(Shown(ParseTolerance(Scalar("0.01"))), "0.01 0");
  EXPECT_EQ(Shown(ParseTolerance(Scalar("8%"))), "0 0.08");
  EXPECT_EQ(Shown(ParseTolerance(Scalar("0.001%"))), "0 0.00001");
  EXPECT_EQ(Shown(ParseTolerance(Scalar("1e-9"))), "0.000000001 0");
  EXPECT_EQ(Shown(ParseTolerance(Scalar("0"))), "0 0");
  for (const char* bad : {"", "-1", "-1%", "%", "a", "1 %", "NaN", "1%%"}) {
    EXPECT_EQ(Shown(ParseTolerance(Scalar(bad))), "none") << bad;
  }
}

TEST(ValueForm, TolerancesMayBeBoth) {
  const auto read = [](std::string_view text) {
    Result<YamlNode> node = ReadYaml(text, {.name = "retrofill.yml"});
    return node.ok() ? Shown(ParseTolerance(*node)) : "no YAML";
  };
  EXPECT_EQ(read("{abs: 0.01, rel: 0.001%}"), "0.01 0.00001");
  EXPECT_EQ(read("{rel: 1%}"), "0 0.01");
  EXPECT_EQ(read("{}"), "none");
  EXPECT_EQ(read("{abs: 1%}"), "none");
  EXPECT_EQ(read("{rel: 0.1}"), "none");
  EXPECT_EQ(read("{abs: 1, other: 2}"), "none");
  EXPECT_EQ(read("[1]"), "none");
}

TEST(ValueForm, RangesOfTimeGoUp) {
  const auto range = ParseDurationRange("30s..10min");
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->min, absl::Seconds(30));
  EXPECT_EQ(range->max, absl::Minutes(10));
  for (const char* bad : {"", "30s", "..", "10min..30s", "30s..", "1m..2m", "1s..2s..3s"}) {
    EXPECT_FALSE(ParseDurationRange(bad).has_value()) << bad;
  }
}

TEST(ValueForm, FailureLimitsAreSharesOrCounts) {
  EXPECT_DOUBLE_EQ(ParseFailureLimit("5%")->share, 0.05);
  EXPECT_FALSE(ParseFailureLimit("5%")->count.has_value());
  EXPECT_EQ(ParseFailureLimit("0")->count, 0);
  EXPECT_EQ(ParseFailureLimit("12")->count, 12);
  for (const char* bad : {"", "101%", "-1", "1.5", "few"}) {
    EXPECT_FALSE(ParseFailureLimit(bad).has_value()) << bad;
  }
}

TEST(ValueForm, DaysAreWhole) {
  EXPECT_EQ(ParseWholeDays("100d"), 100);
  for (const char* bad : {"", "d", "0d", "1.5d", "36h", "100", "-1d"}) {
    EXPECT_FALSE(ParseWholeDays(bad).has_value()) << bad;
  }
}

TEST(ValueForm, MemoryIsASizeAsDuckdbReadsIt) {
  for (const char* good : {"4GB", "512MB", "1.5GiB", "2 tb"}) EXPECT_TRUE(IsMemoryText(good));
  for (const char* bad : {"", "4", "GB", "4G", "-1GB", "80%", "1.2.3GB"}) {
    EXPECT_FALSE(IsMemoryText(bad)) << bad;
  }
}

TEST(ValueForm, NamesCanBeTyped) {
  for (const char* good : {"a", "main.orders", "a-b_c.2", "2x", "_x"}) EXPECT_TRUE(IsName(good));
  for (const char* bad : {"", "a b", "-a", ".a", "a/b", "é", "a'b"}) EXPECT_FALSE(IsName(bad));
  EXPECT_TRUE(IsName(std::string(128, 'a')));
  EXPECT_FALSE(IsName(std::string(129, 'a')));
}

TEST(YamlType, WordsAreBooleansInThreeCases) {
  for (const char* yes : {"y", "Y", "yes", "Yes", "YES", "true", "True", "ON", "on"}) {
    EXPECT_EQ(YamlTypeOf(yes), "true") << yes;
  }
  for (const char* no : {"n", "N", "no", "NO", "No", "false", "FALSE", "off", "Off"}) {
    EXPECT_EQ(YamlTypeOf(no), "false") << no;
  }
  for (const char* text : {"nO", "yEs", "none", "not", "o", ""}) {
    EXPECT_FALSE(YamlTypeOf(text).has_value()) << text;
  }
}

TEST(YamlType, NumbersOfBothVersionsAreNumbers) {
  for (const char* number :
       {"0", "08", "-7", "+1", "1_000", "0x1F", "0b11", "0o17", "1.5", ".5", "5.", "1e3", "1E-3",
        "1.5e+3", ".inf", "-.INF", ".nan", "1:30", "190:20:30"}) {
    EXPECT_EQ(YamlTypeOf(number), "a number") << number;
  }
  for (const char* text : {"eu", "1a", "1.2.3", "e3", "1e", "-", "+", ".", "_", "_1", "0x", "1:99",
                           "2024-01-01", "1-2", "a:1", "inf", "nan"}) {
    EXPECT_FALSE(YamlTypeOf(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace retrofill
