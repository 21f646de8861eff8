#include "script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace retrofill::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SplitWords, QuotesAndBackslashesWorkAsInAShell) {
  const std::vector<std::string> words = SplitWords(R"(run 'a b' "c \"d\"" e\ f '' g"h"i)").value();
  EXPECT_THAT(words, ElementsAre("run", "a b", R"(c "d")", "e f", "", "ghi"));
}

TEST(SplitWords, AQuoteThatDoesNotEndIsAnError) { EXPECT_FALSE(SplitWords("run 'a").ok()); }

TEST(Substitute, TheLongestNameWinsAndUnknownOnesStay) {
  EXPECT_EQ(Substitute("$nth of $n, $other", {{"n", "4"}, {"nth", "2"}}), "2 of 4, $other");
}

TEST(ReadMatrix, GivesEveryCombination) {
  const auto combinations = ReadMatrix("matrix a=1,2 b=x\n").value();
  ASSERT_EQ(combinations.size(), 2U);
  EXPECT_EQ(combinations[1].at("a"), "2");
  EXPECT_EQ(combinations[1].at("b"), "x");
  EXPECT_EQ(ReadMatrix("retrofill version\n").value().size(), 1U);
}

TEST(ParseScript, ReadsHeaderBlocksAndRows) {
  const Script script = ParseScript(
                            "# name: a day is loaded\n"
                            "# cases: T01 K06\n"
                            "file sql/a.sql\n"
                            "select 1\n"
                            "\n"
                            "end\n"
                            "query\n"
                            "select count(*)\n"
                            "from t\n"
                            "----\n"
                            "212\n"
                            "\n"
                            "exit 0\n")
                            .value();
  EXPECT_EQ(script.name, "a day is loaded");
  EXPECT_THAT(script.cases, ElementsAre("T01", "K06"));
  ASSERT_EQ(script.lines.size(), 3U);
  EXPECT_THAT(script.lines[0].block, ElementsAre("select 1", ""));
  EXPECT_THAT(script.lines[1].block, ElementsAre("select count(*)", "from t"));
  EXPECT_THAT(script.lines[1].rows, ElementsAre("212"));
  EXPECT_EQ(script.lines[2].number, 13);
}

TEST(ParseScript, ALoopKeepsItsBodyInPlace) {
  const Script script = ParseScript(
                            "# name: killed anywhere\n"
                            "project p\n"
                            "foreach point in journal\n"
                            "kill at $point nth $nth\n"
                            "retrofill run\n"
                            "end\n"
                            "exit 0\n")
                            .value();
  ASSERT_TRUE(script.loop.has_value());
  EXPECT_EQ(script.loop->prefix, "journal");
  EXPECT_TRUE(script.loop->each_hit);
  EXPECT_EQ(script.loop->begin, 1U);
  EXPECT_EQ(script.loop->end, 3U);
  EXPECT_EQ(script.lines.size(), 4U);
}

TEST(ParseScript, AnUnknownWordIsAnErrorWithItsLine) {
  const auto script = ParseScript("# name: x\n\nretrofil run\n");
  ASSERT_FALSE(script.ok());
  EXPECT_THAT(script.error().message(), HasSubstr("line 3"));
}

TEST(ParseScript, AFileWithoutANameIsRefused) { EXPECT_FALSE(ParseScript("exit 0\n").ok()); }

}  // namespace
}  // namespace retrofill::scenario
