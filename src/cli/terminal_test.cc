#include "cli/terminal.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

TEST(Terminal, ColourRulesInOrder) {
  const Environment none{Environment::Variables()};
  EXPECT_TRUE(WantsColor("", none, true));
  EXPECT_FALSE(WantsColor("", none, false));
  EXPECT_FALSE(WantsColor("", Environment(Environment::Variables{{"TERM", "dumb"}}), true));
  EXPECT_TRUE(WantsColor("", Environment(Environment::Variables{{"FORCE_COLOR", "1"}}), false));
  EXPECT_TRUE(
      WantsColor("auto", Environment(Environment::Variables{{"CLICOLOR_FORCE", "1"}}), false));
  EXPECT_FALSE(WantsColor(
      "", Environment(Environment::Variables{{"NO_COLOR", "1"}, {"FORCE_COLOR", "1"}}), true));
  EXPECT_TRUE(WantsColor("always", Environment(Environment::Variables{{"NO_COLOR", "1"}}), false));
  EXPECT_FALSE(
      WantsColor("never", Environment(Environment::Variables{{"FORCE_COLOR", "1"}}), true));
}

TEST(Terminal, NeverAsksWithNoInput) {
  const Terminal terminal({.no_input = true}, Environment(Environment::Variables()));
  EXPECT_FALSE(terminal.can_ask());
  EXPECT_EQ(terminal.Ask("yes? "), std::nullopt);
}

}  // namespace
}  // namespace retrofill
