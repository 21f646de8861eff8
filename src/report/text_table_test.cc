#include "report/text_table.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

TEST(TextTable, ColumnsLineUp) {
  TextTable table("lrl", 2);
  table.Row({"CHECK", "FAILED", "WORST"});
  table.Row({"orders counted once", "0", ""});
  table.Row({"größe", "12", "2025-11-28/us"});
  EXPECT_EQ(table.Text(),
            "  CHECK                 FAILED   WORST\n"
            "  orders counted once        0\n"
            "  größe                     12   2025-11-28/us\n");
}

TEST(TextTable, EmptyTableIsNoText) { EXPECT_EQ(TextTable("l").Text(), ""); }

}  // namespace
}  // namespace retrofill
