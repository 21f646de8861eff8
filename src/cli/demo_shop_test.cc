#include "cli/demo_shop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace retrofill {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string_view TextOf(const std::vector<EmbeddedFile>& files, std::string_view path) {
  for (const EmbeddedFile& file : files) {
    if (file.path == path) return file.text;
  }
  return {};
}

TEST(DemoShop, ProjectHasAConfigurationAndOneSqlFilePerTable) {
  const std::vector<EmbeddedFile> files = DemoProjectFiles();
  EXPECT_EQ(files.size(), 8U);
  EXPECT_THAT(std::string(TextOf(files, "retrofill.yml")), HasSubstr("version: 1"));
}

TEST(DemoShop, TheClockStandsWhereTheManualPrintsIt) {
  const std::string_view sql = TextOf(DemoProjectFiles(), "sql/revenue_daily.sql");
  size_t start = 0;
  for (int line = 1; line < 14; ++line) start = sql.find('\n', start) + 1;
  EXPECT_EQ(sql.substr(start, sql.find('\n', start) - start),
            "       now()                as loaded_at");
}

TEST(DemoShop, TheFixOfTheTranscriptChangesOnePlaceOnly) {
  const std::string_view sql = TextOf(DemoProjectFiles(), "sql/revenue_daily.sql");
  EXPECT_EQ(sql.find("now()"), sql.rfind("now()"));
}

TEST(DemoShop, ThePastHasNoClockAndNoRetention) {
  const std::vector<EmbeddedFile> files = DemoPastFiles();
  EXPECT_THAT(std::string(TextOf(files, "sql/revenue_daily.sql")), Not(HasSubstr("now()")));
  EXPECT_THAT(std::string(TextOf(files, "retrofill.yml")), Not(HasSubstr("retention")));
}

TEST(DemoShop, TheFirstLoadLeavesOutChristmas) {
  const std::vector<DemoLoad> loads = DemoLoads();
  ASSERT_EQ(loads.size(), 2U);
  EXPECT_EQ(loads[0].partitions, 357);
  EXPECT_THAT(loads[0].selection, HasSubstr("!2025-12-25"));
}

TEST(DemoShop, SourcesAreMadeWithoutClockOrChance) {
  for (const std::string_view word : {"now(", "random", "uuid", "current_"}) {
    EXPECT_EQ(DemoSourcesSql().find(word), std::string_view::npos) << word;
  }
  EXPECT_THAT(std::string(DemoAfterLoadSql()), HasSubstr("900002"));
}

}  // namespace
}  // namespace retrofill
