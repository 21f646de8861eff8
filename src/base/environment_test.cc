#include "base/environment.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

TEST(Environment, EmptyVariableCountsAsNotSet) {
  const Environment environment({{"NO_COLOR", ""}, {"TERM", "dumb"}});
  EXPECT_EQ(environment.Find("NO_COLOR"), std::nullopt);
  EXPECT_EQ(environment.Find("TERM"), "dumb");
  EXPECT_EQ(environment.Find("HOME"), std::nullopt);
}

TEST(Environment, OfTheProcessHasThePath) {
  EXPECT_TRUE(Environment::OfProcess().Find("PATH").has_value());
}

TEST(Environment, KnownVariablesAreNoProblem) {
  const Environment environment({{"RETROFILL_CONFIG", "x.yml"},
                                 {"RETROFILL_NO_INPUT", "1"},
                                 {"RETROFILL_REPORT_FILE", "r.json"},
                                 {"RETROFILLED", "other"},
                                 {"HOME", "h"}});
  EXPECT_TRUE(environment.Problems().empty());
}

TEST(Environment, UnknownVariableIsC0205WithASuggestion) {
  const Environment environment({{"RETROFILL_COLOUR", "1"}, {"RETROFILL_WHATEVER", "1"}});
  const std::vector<Error> problems = environment.Problems();
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].id(), "C0205");
  EXPECT_EQ(problems[0].code(), ErrorCode::kInvalid);
  EXPECT_EQ(problems[0].diagnostic().helps.front(), "did you mean `RETROFILL_COLOR`?");
  EXPECT_EQ(problems[1].diagnostic().helps.front(), "unset `RETROFILL_WHATEVER`");
}

TEST(Environment, EachHookNeedsTheTestVariable) {
  for (const char* hook : {"RETROFILL_CLOCK", "RETROFILL_POINTS", "RETROFILL_POINTS_LOG",
                           "RETROFILL_USER", "RETROFILL_HOST"}) {
    const std::vector<Error> problems = Environment(Environment::Variables{{hook, "x"}}).Problems();
    ASSERT_EQ(problems.size(), 1u) << hook;
    EXPECT_EQ(problems.front().id(), "C0205");
    EXPECT_EQ(
        Environment(Environment::Variables{{hook, "x"}, {"RETROFILL_TEST", "0"}}).Problems().size(),
        1u);
    const Environment allowed(Environment::Variables{{hook, "x"}, {"RETROFILL_TEST", "1"}});
    EXPECT_TRUE(allowed.Problems().empty());
    EXPECT_TRUE(allowed.hooks_on());
  }
}

}  // namespace
}  // namespace retrofill
