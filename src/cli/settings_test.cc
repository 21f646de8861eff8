#include "cli/settings.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

TEST(Settings, FlagsStandBeforeVariables) {
  const Environment environment(Environment::Variables{{"RETROFILL_CONFIG", "theirs.yml"},
                                                       {"RETROFILL_FORMAT", "json"},
                                                       {"RETROFILL_NO_INPUT", "1"},
                                                       {"RETROFILL_READONLY", "0"}});
  const auto merged = MergeSettings({.config = "mine.yml"}, environment);
  ASSERT_TRUE(merged.ok());
  EXPECT_EQ(merged->config, "mine.yml");
  EXPECT_EQ(merged->format, "json");
  EXPECT_TRUE(merged->no_input);
  EXPECT_FALSE(merged->readonly);
}

TEST(Settings, BadColourIsRefused) {
  const auto merged =
      MergeSettings({}, Environment(Environment::Variables{{"RETROFILL_COLOR", "pink"}}));
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(merged.error().id(), "C0103");
}

}  // namespace
}  // namespace retrofill
