#include "base/point.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "base/file.h"

namespace retrofill {
namespace {

class PointTest : public testing::Test {
 protected:
  ~PointTest() override {
    DisarmPoints();
    EXPECT_TRUE(RemoveFile(log_path_).ok());
  }

  const std::string log_path_ =
      JoinPath(testing::TempDir(), "point_test_" + std::to_string(getpid()) + ".log");
};

TEST_F(PointTest, NothingHappensUnarmed) { EXPECT_TRUE(Reach("journal.append").ok()); }

TEST_F(PointTest, FailsTheNthTimeOnly) {
  ASSERT_TRUE(ArmPoints("fail:journal.append@2=kUnavailable", "").ok());
  EXPECT_TRUE(Reach("journal.append").ok());
  EXPECT_TRUE(Reach("journal.appended").ok());
  const Status second = Reach("journal.append");
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kUnavailable);
  EXPECT_NE(second.error().message().find("`journal.append`"), std::string::npos);
  EXPECT_TRUE(Reach("journal.append").ok());
}

TEST_F(PointTest, PlusFailsFromThenOn) {
  ASSERT_TRUE(ArmPoints("fail:a.b@2=kUnavailable/W0109+", "").ok());
  EXPECT_TRUE(Reach("a.b").ok());
  EXPECT_EQ(Reach("a.b").error().id(), "W0109");
  EXPECT_EQ(Reach("a.b").error().id(), "W0109");
}

TEST_F(PointTest, EveryCodeCanBeAskedFor) {
  for (const auto& [name, code] :
       {std::pair{"kInvalid", ErrorCode::kInvalid}, std::pair{"kRefused", ErrorCode::kRefused},
        std::pair{"kFailed", ErrorCode::kFailed}, std::pair{"kConflict", ErrorCode::kConflict},
        std::pair{"kIndeterminate", ErrorCode::kIndeterminate},
        std::pair{"kCancelled", ErrorCode::kCancelled}, std::pair{"kCorrupt", ErrorCode::kCorrupt},
        std::pair{"kInternal", ErrorCode::kInternal}}) {
    ASSERT_TRUE(ArmPoints(std::string("fail:a.b=") + name, "").ok());
    EXPECT_EQ(Reach("a.b").error().code(), code);
  }
}

TEST_F(PointTest, KillEndsTheProcessTheNthTime) {
  EXPECT_EXIT(
      {
        (void)ArmPoints("kill:a.b@2, fail:c.d=kFailed", "");
        if (!Reach("a.b").ok()) _exit(1);
        (void)Reach("a.b");
        _exit(2);
      },
      testing::KilledBySignal(SIGKILL), "");
}

TEST_F(PointTest, BugFailsACheck) {
  ASSERT_TRUE(ArmPoints("bug:a.b@2", "").ok());
  EXPECT_TRUE(Reach("a.b").ok());
  EXPECT_EXIT((void)Reach("a.b"), testing::KilledBySignal(SIGABRT), "asked for it at point a.b");
}

TEST_F(PointTest, ReachedPointsAreLoggedBeforeTheKill) {
  EXPECT_EXIT(
      {
        (void)ArmPoints("kill:a.c", log_path_);
        (void)Reach("a.b");
        (void)Reach("a.c");
        _exit(2);
      },
      testing::KilledBySignal(SIGKILL), "");
  EXPECT_EQ(*ReadFile(log_path_), "a.b\na.c\n");
}

TEST_F(PointTest, RuleThatCannotBeReadIsC0205) {
  for (const char* rules : {"kill", "kill:", "kill:a@0", "kill:a@x", "burn:a", "fail:a",
                            "fail:a=kNever", "kill:a,,kill:b"}) {
    const Status status = ArmPoints(rules, "");
    ASSERT_FALSE(status.ok()) << rules;
    EXPECT_EQ(status.error().id(), "C0205");
  }
}

}  // namespace
}  // namespace retrofill
