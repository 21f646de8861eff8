#include "scenario_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "child_limits.h"

namespace retrofill::scenario {
namespace {

using ::testing::HasSubstr;

// Stands for the program: says what it is told to, and dies where its points tell it to.
constexpr char kProgram[] = R"sh(#!/bin/sh
echo journal.before_append >> "$RETROFILL_POINTS_LOG"
case "$RETROFILL_POINTS" in
  kill:journal.before_append*) kill -9 $$ ;;
  fail:journal.before_append*) echo 'error[W0201]: asked to fail' >&2; exit 4 ;;
esac
case "$1" in
  say) printf '%s\n' "$2" ;;
  end) exit "$2" ;;
  who) echo "$RETROFILL_USER@$RETROFILL_HOST $RETROFILL_CLOCK" ;;
  write) echo changed > "$2" ;;
  fill) head -c 4096 /dev/zero > "$2" || exit 4 ;;
  hang) exec cat /dev/zero > /dev/null ;;
esac
)sh";

class ScenarioRunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const ::testing::TestInfo* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = ::testing::TempDir() + "scenario_" + info->name();
    ASSERT_TRUE(RemoveFolder(folder_).ok());
    ASSERT_TRUE(MakeFolders(folder_ + "/run").ok());
    ASSERT_TRUE(WriteFileAtomically(folder_ + "/program", kProgram).ok());
    ASSERT_EQ(chmod((folder_ + "/program").c_str(), 0755), 0);
  }
  void TearDown() override { EXPECT_TRUE(RemoveFolder(folder_).ok()); }

  // Runs the lines; empty if all held, else what failed.
  std::string Failure(const std::string& lines, bool count_points = false) {
    const Script script = ParseScript("# name: test\n" + lines).value();
    ScenarioRun run({.program = folder_ + "/program",
                     .fixtures = folder_,
                     .folder = folder_ + "/run",
                     .count_points = count_points});
    const Status status = run.Run(script);
    reached_ = run.reached();
    return status.ok() ? "" : status.error().message();
  }

  std::string folder_;
  std::vector<std::pair<std::string, int>> reached_;
};

TEST_F(ScenarioRunTest, ARightExitAndTextPass) {
  EXPECT_EQ(Failure("retrofill say 'two words'\nexit 0\nstdout contains two words\n"), "");
}

TEST_F(ScenarioRunTest, AWrongExitFails) {
  EXPECT_THAT(Failure("retrofill end 3\nexit 0\n"), HasSubstr("another status"));
}

TEST_F(ScenarioRunTest, AFailureThatNobodyExpectsFails) {
  EXPECT_THAT(Failure("retrofill end 3\nretrofill say a\nexit 0\n"), HasSubstr("ended with 3"));
  EXPECT_THAT(Failure("retrofill end 3\n"), HasSubstr("ended with 3"));
}

TEST_F(ScenarioRunTest, AMissingTextFails) {
  EXPECT_NE(Failure("retrofill say a\nexit 0\nstdout contains b\n"), "");
  EXPECT_NE(Failure("retrofill say a\nexit 0\nstdout lacks a\n"), "");
}

TEST_F(ScenarioRunTest, AFileLimitFailsWritesOfTheProgramOnly) {
  EXPECT_EQ(Failure("file_limit 1KiB\nretrofill fill big\nexit 4\n"
                    "file_limit none\nretrofill fill big\nexit 0\n"),
            "");
}

TEST_F(ScenarioRunTest, AModeBindsTheProgramAlsoOfRoot) {
  ASSERT_TRUE(LetModesBindChildren().ok());
  EXPECT_EQ(Failure("mode . 555\nretrofill fill big\nexit 4\nabsent big\n"
                    "mode . 755\nretrofill fill big\nexit 0\n"),
            "");
}

TEST_F(ScenarioRunTest, AKillThatIsReachedPasses) {
  EXPECT_EQ(Failure("kill at journal.before_append\nretrofill say a\nrestart\nexit 0\n"), "");
}

TEST_F(ScenarioRunTest, AKillThatIsNeverReachedFails) {
  EXPECT_THAT(Failure("kill at warehouse.commit\nretrofill say a\n"), HasSubstr("never reached"));
}

TEST_F(ScenarioRunTest, APointWithoutAProcessFails) {
  EXPECT_THAT(Failure("kill at journal.before_append\n"), HasSubstr("no process followed"));
}

TEST_F(ScenarioRunTest, AFailingPointIsPassedOn) {
  EXPECT_EQ(Failure("fail at journal.before_append with kUnavailable/W0201\nretrofill say a\n"
                    "exit 4\nerror W0201\n"),
            "");
}

TEST_F(ScenarioRunTest, CountingStopsAtTheFirstArmedProcess) {
  EXPECT_EQ(Failure("retrofill say a\nkill at $point\nretrofill say b\nretrofill end 7\n", true),
            "");
  ASSERT_EQ(reached_.size(), 1U);
  EXPECT_EQ(reached_[0].first, "journal.before_append");
  EXPECT_EQ(reached_[0].second, 1);
}

TEST_F(ScenarioRunTest, ARestartIsTheSameCommandOnAnotherHost) {
  EXPECT_EQ(Failure("clock 2026-02-10T09:00:00Z\nclock +2h\nas bob\nretrofill who\nexit 0\n"
                    "stdout contains bob@laptop-of-bob 2026-02-10T11:00:00Z\nrestart\nexit 0\n"
                    "stdout contains bob@laptop-of-bob-again1\n"),
            "");
}

TEST_F(ScenarioRunTest, ARestartIsTheKilledCommandByItsOperatorWhoeverLookedOn) {
  EXPECT_EQ(
      Failure("kill at journal.before_append\nretrofill who\nas bob\nretrofill say b\nexit 0\n"
              "restart\nexit 0\nstdout contains ana@build-1-again1\n"),
      "");
}

TEST_F(ScenarioRunTest, JsonIsComparedByPath) {
  const std::string say = R"(retrofill say '{"data":{"rows":[{"n":3,"s":"ok"}]}}')";
  EXPECT_EQ(Failure(say + "\nexit 0\njson .data.rows[0].n == 3\njson .data.rows[0].s == ok\n"
                          "json .data.rows size 1\njson .data.none == nothing\n"),
            "");
  EXPECT_THAT(Failure(say + "\nexit 0\njson .data.rows[0].n == 4\n"), HasSubstr("it is 3"));
}

TEST_F(ScenarioRunTest, RowsOfTheTargetAreCompared) {
  const std::string table = "execute\ncreate or replace table t as select 1 as a, null as b\n\n";
  EXPECT_EQ(Failure(table + "query\nselect * from t\n----\n1|NULL\n"), "");
  EXPECT_THAT(Failure(table + "query\nselect * from t\n----\n1|NULL\n2|NULL\n"), HasSubstr("got"));
  EXPECT_THAT(Failure(table + "query\nselect * from t\n----\n2|NULL\n"), HasSubstr("got"));
}

TEST_F(ScenarioRunTest, AChangedRowOutsideTheSnapshotFails) {
  EXPECT_THAT(Failure("execute\ncreate table t as select 1 as a\n\nsnapshot s\n"
                      "execute\nupdate t set a = 2\n\nunchanged s\n"),
              HasSubstr("main.t"));
}

TEST_F(ScenarioRunTest, AChangedFileFailsAndAnExceptedOneDoesNot) {
  EXPECT_THAT(Failure("snapshot s\nretrofill write x\nexit 0\nunchanged s\n"),
              HasSubstr("x is new"));
  EXPECT_EQ(Failure("remove x\nsnapshot s\nretrofill write x\nexit 0\nunchanged s except x\n"), "");
}

TEST_F(ScenarioRunTest, AnEditThatFindsNothingFails) {
  EXPECT_THAT(Failure("file a\nnow()\nend\nedit a s/then()/:as_of/\n"), HasSubstr("no such text"));
}

TEST_F(ScenarioRunTest, AProcessThatNobodyWaitsForFails) {
  EXPECT_THAT(Failure("start p retrofill hang\n"), HasSubstr("nobody waited"));
}

TEST_F(ScenarioRunTest, ASignalEndsABackgroundProcess) {
  EXPECT_EQ(Failure("start p retrofill hang\nsignal p KILL\nwait p\n"), "");
}

TEST_F(ScenarioRunTest, AnAwaitOfADeadProcessFails) {
  EXPECT_THAT(Failure("start p retrofill say a\nawait p partition.staged\n"),
              HasSubstr("ended before"));
}

TEST_F(ScenarioRunTest, ASecretInAnOutputFails) {
  EXPECT_THAT(Failure("secret hunter2\nretrofill say hunter2\nexit 0\n"), HasSubstr("hunter2"));
}

}  // namespace
}  // namespace retrofill::scenario
