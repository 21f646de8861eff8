#include "cli/format.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

TEST(Format, FirstOneIsTheDefault) {
  EXPECT_EQ(*ChooseFormat("status", "text json", ""), Format::kText);
  EXPECT_EQ(*ChooseFormat("config schema", "json", ""), Format::kJson);
  EXPECT_EQ(*ChooseFormat("run", "text json jsonl", "jsonl"), Format::kJsonLines);
}

TEST(Format, AnotherOneNamesWhatThereIs) {
  const auto format = ChooseFormat("status", "text json", "csv");
  ASSERT_FALSE(format.ok());
  EXPECT_EQ(format.error().id(), "C0206");
  EXPECT_EQ(format.error().diagnostic().helps.front(), "it can give text, json");
}

}  // namespace
}  // namespace retrofill
