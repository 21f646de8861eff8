// Selections of many or long words: what they cost, and that no message repeats them whole.

#include <gtest/gtest.h>

#include <string>

#include "base/text.h"
#include "model/selection.h"

namespace retrofill {
namespace {

class LongSelection : public testing::Test {
 protected:
  Result<Selection> Resolve(const SelectionArguments& arguments) const {
    return ResolveSelection(arguments, {.space = &space_,
                                        .table = "t",
                                        .as_of = *ParseInstant("2026-02-10T09:14:05Z"),
                                        .watermark = *ParseInstant("2026-02-10T00:00:00Z"),
                                        .state = {}});
  }

  void ExpectShort(const SelectionArguments& arguments, const std::string& id) const {
    const Result<Selection> chosen = Resolve(arguments);
    ASSERT_FALSE(chosen.ok());
    EXPECT_EQ(chosen.error().id(), id);
    const Diagnostic& said = chosen.error().diagnostic();
    EXPECT_LT(said.message.size(), 400U);
    for (const std::string& help : said.helps) EXPECT_LT(help.size(), 1000U);
    if (!said.origin) return;
    for (const std::string& line : said.origin->lines) EXPECT_LT(line.size(), 200U);
    EXPECT_LT(said.origin->column + said.origin->length, 250);
  }

  PartitionSpace space_{
      *Grid::Make({.by = "day",
                   .zone = Zone(),
                   .week_start = absl::Weekday::monday,
                   .begin = "2020-01-01",
                   .end = ""}),
      {{.name = "region", .type = DimensionType::kText, .values = {{"eu"}, {"us"}, {"apac"}}}},
      /*civil=*/true};
};

std::string Repeated(const std::string& text, size_t bytes) {
  std::string all;
  while (all.size() + text.size() <= bytes) all += text;
  return all;
}

TEST_F(LongSelection, AWordOfManyKeysIsReadOnce) {
  const std::string keys = Repeated("2026-01-01/eu,2026-01-03,", 200'000) + "2026-01-05";
  const Result<Selection> chosen = Resolve({.words = {keys}});
  ASSERT_TRUE(chosen.ok()) << chosen.error().message();
  EXPECT_EQ(chosen->set.Count(space_), 1 + 3 + 3);
}

TEST_F(LongSelection, ScatteredKeysAndExclusionsAreAllTaken) {
  SelectionArguments arguments;
  int64_t count = 0;
  for (int year = 2020; year < 2026; ++year) {
    for (int month = 1; month <= 12; ++month) {
      for (int day = 1; day <= 27; day += 2, count += 3)
        arguments.words.push_back(fmt::format("{}-{:02}-{:02}", year, month, day));
      arguments.except.push_back(fmt::format("{}-{:02}-01/us", year, month));
      --count;
    }
  }
  const Result<Selection> chosen = Resolve(arguments);
  ASSERT_TRUE(chosen.ok()) << chosen.error().message();
  EXPECT_EQ(chosen->set.Count(space_), count);
  EXPECT_TRUE(chosen->warnings.empty());
}

TEST_F(LongSelection, MoreThanTheLimitIsRefused) {
  const Result<Selection> chosen = Resolve({.words = {Repeated("2026-01-01,", 5'000'000)}});
  ASSERT_FALSE(chosen.ok());
  EXPECT_EQ(chosen.error().id(), "P0212");
  EXPECT_EQ(chosen.error().code(), ErrorCode::kRefused);
}

TEST_F(LongSelection, NoMessageRepeatsItWhole) {
  const std::string a = std::string(1'000'000, 'a');
  ExpectShort({.words = {a}}, "P0109");
  ExpectShort({.words = {"\"" + a}}, "P0109");
  ExpectShort({.words = {"2026-01/\"" + a + "\""}}, "P0109");
  ExpectShort({.words = {"region=" + a}}, "P0109");
  ExpectShort({.words = {Repeated("2026-01-01,", 100'000) + "2026-02-30"}}, "P0105");
  ExpectShort({.words = {Repeated("2026-01-01,", 100'000) + "/"}}, "P0109");
  ExpectShort({.words = {"!2026-01-01," + Repeated("!2026-01-01,", 100'000) + "!2026-01-02"}},
              "P0101");
  ExpectShort({.words = {Repeated("2026-01-01/eu", 100'000)}}, "P0109");
  ExpectShort({.words = {"region=eu", "region=" + Repeated("eu,", 100'000) + "us"}}, "P0110");
  ExpectShort({.words = {"area=" + Repeated("eu,", 100'000) + "us"}}, "P0108");
}

TEST_F(LongSelection, TheCaretStandsBelowItsPlace) {
  const std::string keys =
      Repeated("2026-01-01,", 1000) + "2026-01-01/ue," + Repeated("2026,", 500);
  const Result<Selection> chosen = Resolve({.words = {keys + "2026"}});
  ASSERT_FALSE(chosen.ok());
  const Origin& origin = *chosen.error().diagnostic().origin;
  EXPECT_EQ(origin.lines[0].substr(static_cast<size_t>(origin.column) - 1,
                                   static_cast<size_t>(origin.length)),
            "ue");
}

TEST_F(LongSelection, WarnsOfWhatItLeavesOutBesidesAndOfNoMoreThanAFew) {
  SelectionArguments arguments{.words = {"2026-01"}};
  for (int day = 1; day <= 20; ++day) arguments.except.push_back(fmt::format("2025-12-{:02}", day));
  const Result<Selection> chosen = Resolve(arguments);
  ASSERT_TRUE(chosen.ok());
  EXPECT_EQ(chosen->warnings.size(), 5U);
  EXPECT_EQ(chosen->warnings[0].id, "P0106");
  const Result<Selection> cut =
      Resolve({.start = "2026-01-01T10:30", .end = "2026-01-05", .align = Align::kIn});
  ASSERT_TRUE(cut.ok());
  ASSERT_EQ(cut->warnings.size(), 1U);
  EXPECT_EQ(cut->warnings[0].id, "P0104");
  EXPECT_EQ(cut->warnings[0].message,
            "`--align in` leaves out 1 partition that the selection cuts: 2026-01-01");
}

}  // namespace
}  // namespace retrofill
