#include "model/cron.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace retrofill {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> DaysOf(std::string_view line, int year) {
  const Cron cron = *Cron::Parse(line);
  std::vector<std::string> days;
  for (absl::CivilDay day(year, 1, 1); day.year() == year; ++day) {
    if (cron.Names(day)) days.push_back(fmt::format("{:02}-{:02}", day.month(), day.day()));
  }
  return days;
}

std::string Help(std::string_view line) {
  const Result<Cron> cron = Cron::Parse(line);
  if (cron.ok()) return "";
  EXPECT_EQ(cron.error().id(), "C0103");
  EXPECT_FALSE(cron.error().diagnostic().helps.empty()) << line;
  std::string out = cron.error().message();
  for (const std::string& help : cron.error().diagnostic().helps) out += "; " + help;
  return out;
}

TEST(Cron, NamesReadingsOfTheDay) {
  EXPECT_THAT(Cron::Parse("0 8 1 * *")->minutes(), ElementsAre(480));
  EXPECT_THAT(Cron::Parse("*/20 1,2 * * *")->minutes(), ElementsAre(60, 80, 100, 120, 140, 160));
  EXPECT_THAT(Cron::Parse("5/30 0-4/2 * * *")->minutes(), ElementsAre(5, 35, 125, 155, 245, 275));
  EXPECT_EQ(Cron::Parse("* * * * *")->minutes().size(), 1440U);
}

TEST(Cron, NamesOfMonthsAndDaysAreNumbers) {
  EXPECT_EQ(DaysOf("0 0 1 JAN,mar-May *", 2026), DaysOf("0 0 1 1,3-5 *", 2026));
  EXPECT_EQ(DaysOf("0 0 * * Mon-Fri", 2026), DaysOf("0 0 * * 1-5", 2026));
  EXPECT_EQ(DaysOf("0 0 * * sun", 2026), DaysOf("0 0 * * 7", 2026));
  EXPECT_EQ(DaysOf("0 0 * * 0", 2026), DaysOf("0 0 * * 7", 2026));
  EXPECT_EQ(DaysOf("0 0 * * 5-7", 2026), DaysOf("0 0 * * 0,5,6", 2026));
  EXPECT_THAT(DaysOf("0 0 * 1 */6", 2026), ElementsAre("01-03", "01-04", "01-10", "01-11", "01-17",
                                                       "01-18", "01-24", "01-25", "01-31"));
}

// W19: the day that a month lacks is skipped, and the last day is asked for by its own letter.
TEST(Cron, ADayThatAMonthLacksIsSkipped) {
  EXPECT_THAT(DaysOf("0 0 31 * *", 2026),
              ElementsAre("01-31", "03-31", "05-31", "07-31", "08-31", "10-31", "12-31"));
}

TEST(Cron, LIsTheLastDayOfEachMonth) {
  EXPECT_THAT(DaysOf("0 0 L * *", 2026),
              ElementsAre("01-31", "02-28", "03-31", "04-30", "05-31", "06-30", "07-31", "08-31",
                          "09-30", "10-31", "11-30", "12-31"));
  EXPECT_THAT(DaysOf("0 0 l 2 *", 2024), ElementsAre("02-29"));
  EXPECT_THAT(DaysOf("0 0 15,L 2 *", 2026), ElementsAre("02-15", "02-28"));
}

TEST(Cron, EitherOfTwoRestrictedDaysSuffices) {
  EXPECT_THAT(DaysOf("0 0 13 2 fri", 2026), ElementsAre("02-06", "02-13", "02-20", "02-27"));
  EXPECT_THAT(DaysOf("0 0 1 2 fri", 2026),
              ElementsAre("02-01", "02-06", "02-13", "02-20", "02-27"));
  // A step over all days is no restriction of its own: both must fit.
  EXPECT_THAT(DaysOf("0 0 */2 2 fri", 2026), ElementsAre("02-13", "02-27"));
}

TEST(Cron, TheTextHasSingleBlanks) {
  EXPECT_EQ(Cron::Parse("  0\t8   1 * *  ")->text(), "0 8 1 * *");
}

TEST(Cron, SaysWhatIsWrongWithALine) {
  EXPECT_THAT(Help(""), HasSubstr("0 fields"));
  EXPECT_THAT(Help("0 8 1 *"), HasSubstr("4 fields"));
  EXPECT_THAT(Help("@daily"), HasSubstr("1 fields"));
  EXPECT_THAT(Help("0 0 8 1 * *"), HasSubstr("6 fields"));
  EXPECT_THAT(Help("60 8 1 * *"),
              HasSubstr("`60` is not a minute; a minute is `*`, a number from 0 to 59"));
  EXPECT_THAT(Help("0 24 1 * *"), HasSubstr("`24` is not a hour"));
  EXPECT_THAT(Help("0 8 0 * *"), HasSubstr("`0` is not a day of month"));
  EXPECT_THAT(Help("0 8 32 * *"), HasSubstr("`L` for the last one"));
  EXPECT_THAT(Help("0 8 1 13 *"), HasSubstr("or `jan` to `dec`"));
  EXPECT_THAT(Help("0 8 1 * mondays"), HasSubstr("or `sun` to `sat`"));
  EXPECT_THAT(Help("0 8 * * fri-mon"), HasSubstr("two ranges: `5-7,0-1`"));
  EXPECT_THAT(Help("*/0 8 1 * *"), HasSubstr("`0` is not a step"));
  EXPECT_THAT(Help("*/x 8 1 * *"), HasSubstr("`x` is not a step"));
  EXPECT_THAT(Help(std::string(300, '0') + " 8 1 * *"), HasSubstr("too long"));
  for (const std::string line :
       {"0, 8 1 * *", ",0 8 1 * *", "0 8 1- * *", "0 8 -1 * *", "? 8 1 * *", "0 8 5W * *",
        "0 8 L-3 * *", "0 8 * * 5#2", "0 8 L/2 * *", "0 8 1 * L", "00000 8 1 * *", "0 8 1 * \xff",
        "1.5 8 1 * *"}) {
    EXPECT_FALSE(Help(line).empty()) << line;
  }
}

TEST(Cron, ADateThatNeverExistsIsRefused) {
  EXPECT_THAT(Help("0 0 30 2 *"), HasSubstr("names no date that exists"));
  EXPECT_THAT(Help("0 0 31 4,6,9,11 *"), HasSubstr("names no date that exists"));
  EXPECT_EQ(Help("0 0 29 2 *"), "");
  EXPECT_EQ(Help("0 0 30 2 mon"), "");
}

}  // namespace
}  // namespace retrofill
