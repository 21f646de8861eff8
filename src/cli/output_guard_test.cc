#include "cli/output_guard.h"

#include <gtest/gtest.h>

#include <string>

#include "base/file.h"

namespace retrofill {
namespace {

TEST(OutputGuard, NeverReplacesADatabaseAConfigurationOrSql) {
  const std::string folder = testing::TempDir() + "output-guard";
  ASSERT_TRUE(MakeFolders(folder).ok());
  for (const char* name : {"shop.duckdb", "retrofill.yml", "table.sql"}) {
    const std::string path = folder + "/" + name;
    ASSERT_TRUE(WriteFileAtomically(path, "mine").ok());
    const Status refused = CheckOutput(path);
    ASSERT_FALSE(refused.ok()) << name;
    EXPECT_EQ(refused.error().id(), "C0204");
  }
  const std::string unnamed = folder + "/warehouse";
  ASSERT_TRUE(WriteFileAtomically(unnamed, "12345678DUCK and more").ok());
  EXPECT_FALSE(CheckOutput(unnamed).ok());
}

TEST(OutputGuard, ReplacesAnEarlierAnswerAndMakesANewFile) {
  const std::string folder = testing::TempDir() + "output-guard";
  ASSERT_TRUE(MakeFolders(folder).ok());
  ASSERT_TRUE(WriteFileAtomically(folder + "/plan.json", "{}").ok());
  EXPECT_TRUE(CheckOutput(folder + "/plan.json").ok());
  EXPECT_TRUE(CheckOutput(folder + "/absent.sql").ok());
  EXPECT_TRUE(CheckOutput("/dev/null").ok());
  EXPECT_TRUE(CheckOutput("plan.json").ok());
}

TEST(OutputGuard, AFolderThatIsNotThereIsToldBeforeAnythingIsDone) {
  const Status refused = CheckOutput(testing::TempDir() + "no_such_folder/plan.json");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().id(), "W0109");
}

}  // namespace
}  // namespace retrofill
