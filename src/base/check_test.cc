#include "base/check.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "base/file.h"
#include "base/log.h"

namespace retrofill {
namespace {

TEST(CheckDeathTest, AbortsInAUnitTest) {
  EXPECT_EXIT(RF_CHECK(1 + 1 == 3, "counted {}", 2), testing::KilledBySignal(SIGABRT),
              "1 \\+ 1 == 3.*check_test.cc.*counted 2");
}

TEST(CheckDeathTest, WritesAReportAndExitsWith70) {
  const std::string folder = JoinPath(testing::TempDir(), "check_test_" + std::to_string(getpid()));
  ASSERT_TRUE(MakeFolders(folder).ok());
  EXPECT_EXIT(
      {
        SetCheckReportFolder(folder);
        for (int i = 0; i < 100; ++i) Log("line {}.", i);
        RF_CHECK(2 < 1, "values {} and {}", 2, 1);
      },
      testing::ExitedWithCode(70), "error.X0199.*report in");
  const std::vector<std::string> names = *ListFolder(folder);
  ASSERT_EQ(names.size(), 1u);
  const std::string report = *ReadFile(JoinPath(folder, names.front()));
  EXPECT_NE(report.find("`2 < 1` does not hold at"), std::string::npos);
  EXPECT_NE(report.find("values 2 and 1"), std::string::npos);
  EXPECT_NE(report.find(" line 99."), std::string::npos);
  EXPECT_NE(report.find(" line 36."), std::string::npos);
  EXPECT_EQ(report.find(" line 35."), std::string::npos);
  EXPECT_TRUE(RemoveFolder(folder).ok());
}

TEST(CheckDeathTest, ExitsWith70WithoutAPlaceForTheReport) {
  for (const char* folder : {"", "/no/such/folder"}) {
    EXPECT_EXIT(
        {
          SetCheckReportFolder(folder);
          RF_CHECK(false);
        },
        testing::ExitedWithCode(70), "does not hold");
  }
}

}  // namespace
}  // namespace retrofill
