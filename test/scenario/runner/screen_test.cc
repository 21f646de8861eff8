#include "screen.h"

#include <gtest/gtest.h>

namespace retrofill::scenario {
namespace {

TEST(Screen, ShowsWhatIsDrawnAgainOnce) {
  Screen screen({.columns = 20, .rows = 5});
  screen.Feed("above\r\n\x1b[1mone\x1b[0m\x1b[K\r\ntwo\x1b[K\r\n");
  screen.Feed("\x1b[2A\x1b[J1\x1b[K\r\n");
  EXPECT_EQ(screen.Text(), "above\n1\n\n");
  EXPECT_FALSE(screen.has_torn_line());
}

TEST(Screen, ADrawnLineThatIsTooWideIsTorn) {
  Screen screen({.columns = 4, .rows = 5});
  screen.Feed("1234\x1b[K\r\n");
  EXPECT_FALSE(screen.has_torn_line());
  screen.Feed("12345\x1b[K\r\n");
  EXPECT_TRUE(screen.has_torn_line());
}

TEST(Screen, TheCursorDoesNotLeaveTheScreen) {
  Screen screen({.columns = 9, .rows = 2});
  screen.Feed("a\r\nb\r\nc\r\n\x1b[9A\x1b[Jx");
  EXPECT_EQ(screen.Text(), "a\nb\nx\n");
}

TEST(Screen, SequencesAndCharactersMayComeInParts) {
  Screen screen({.columns = 9, .rows = 2});
  screen.Feed("\xc3");
  screen.Feed("\xbc\x1b[");
  screen.Feed("Kx");
  EXPECT_EQ(screen.Text(), "\u00fcx\n");
  screen.Feed("\x1b[2H");
  EXPECT_EQ(screen.unknown(), "ESC[H");
}

}  // namespace
}  // namespace retrofill::scenario
