#include "report/printable.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

TEST(Printable, ControlCharactersAreWrittenOut) {
  EXPECT_EQ(Printable("eu\x1b]0;title\x07 \x7f \r\b"), "eu\\x1b]0;title\\x07 \\x7f \\r\\x08");
  EXPECT_EQ(Printable("\x1b[2J\x1b[31mred"), "\\x1b[2J\\x1b[31mred");
  EXPECT_EQ(Printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, LinesTabsAndOurStylesStay) {
  EXPECT_EQ(Printable("a\n\tb\n"), "a\n\tb\n");
  EXPECT_EQ(Printable("\x1b[1;31merror\x1b[0m"), "\x1b[1;31merror\x1b[0m");
}

TEST(Printable, WhatATerminalObeysInUnicodeIsWrittenOutToo) {
  EXPECT_EQ(Printable("a\u009b31mb"), "a\\u009b31mb");
  EXPECT_EQ(Printable("user\u202etxt"), "user\\u202etxt");
  EXPECT_EQ(Printable("\u2028"), "\\u2028");
}

TEST(Printable, OtherTextIsLeftAlone) {
  const std::string text = "Zürich, 東京, \U0001F600, \\n";
  EXPECT_EQ(Printable(text), text);
  EXPECT_EQ(Printable("\xff"), "\uFFFD");
}

TEST(OneLine, HasNoLineNoTabAndNoStyle) { EXPECT_EQ(OneLine("a\n\tb\x1b[1m"), "a\\n\\tb\\x1b[1m"); }

}  // namespace
}  // namespace retrofill
