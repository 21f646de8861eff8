#include "base/process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "base/child_process.h"
#include "base/file.h"

namespace retrofill {
namespace {

std::string TemporaryPath(std::string_view name) {
  return JoinPath(testing::TempDir(), fmt::format("process_test_{}_{}", getpid(), name));
}

TEST(Process, OwnOneRuns) {
  const ProcessId own = OwnProcess();
  EXPECT_EQ(own.pid, getpid());
  EXPECT_TRUE(IsRunning(own));
  EXPECT_EQ(own, OwnProcess());
}

TEST(Process, SameNumberWithAnotherStartIsAnotherProcess) {
  ProcessId reused = OwnProcess();
  reused.start += "0";
  EXPECT_FALSE(IsRunning(reused));
  EXPECT_TRUE(IsRunning({.pid = getpid(), .start = ""}));
  EXPECT_FALSE(IsRunning({}));
}

TEST(Process, MachineAndUserHaveNames) {
  const Operator system = OperatorOf(Environment({}));
  EXPECT_FALSE(system.user.empty());
  EXPECT_FALSE(system.host.empty());
  EXPECT_TRUE(ExecutablePath().ends_with("base_test")) << ExecutablePath();
}

TEST(Process, SecondOperatorNeedsTheHooks) {
  Environment::Variables variables = {{"RETROFILL_USER", "bob"}, {"RETROFILL_HOST", "far"}};
  EXPECT_EQ(OperatorOf(Environment(variables)), OperatorOf(Environment({})));
  variables["RETROFILL_TEST"] = "1";
  EXPECT_EQ(OperatorOf(Environment(variables)), (Operator{.user = "bob", .host = "far"}));
}

TEST(Child, OutputErrorsAndStatusAreCaptured) {
  const Result<ChildResult> result = RunChild({"sh", "-c", "echo out; echo err >&2; exit 7"});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output, "out\n");
  EXPECT_EQ(result->errors, "err\n");
  EXPECT_EQ(result->exit_status, 7);
  EXPECT_FALSE(result->is_timed_out);
}

TEST(Child, LargeInputComesBackWhole) {
  const std::string input(3'000'000, 'x');
  const Result<ChildResult> result = RunChild({"cat"}, {.input = input});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output, input);
}

TEST(Child, InputThatNobodyReadsIsFine) {
  EXPECT_EQ(RunChild({"true"}, {.input = std::string(1'000'000, 'x')})->exit_status, 0);
}

TEST(Child, ArgumentsReachItWithoutAShell) {
  EXPECT_EQ(RunChild({"printf", "%s|%s", "a b", "$HOME;'"})->output, "a b|$HOME;'");
}

TEST(Child, FolderAndVariablesAreThoseGiven) {
  const Result<ChildResult> result =
      RunChild({"/bin/sh", "-c", "pwd; echo $A-$HOME"},
               {.folder = "/", .variables = std::map<std::string, std::string>{{"A", "1"}}});
  EXPECT_EQ(result->output, "/\n1-\n");
}

TEST(Child, ProgramThatIsNotThereIsX0201) {
  const Error error = RunChild({"no-such-program-here"}).error();
  EXPECT_EQ(error.id(), "X0201");
  EXPECT_EQ(error.code(), ErrorCode::kFailed);
}

TEST(Child, SignalBecomesItsStatus) {
  EXPECT_EQ(RunChild({"sh", "-c", "kill -9 $$"})->exit_status, 137);
}

TEST(Child, TimeoutKillsTheWholeGroup) {
  const Result<ChildResult> result =
      RunChild({"sh", "-c", "sleep 1000 & echo $!; wait"}, {.timeout = absl::Milliseconds(200)});
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->is_timed_out);
  EXPECT_EQ(result->exit_status, 137);
}

TEST(BackgroundChild, EndsWhenSignalled) {
  const std::string output = TemporaryPath("out"), errors = TemporaryPath("err");
  {
    Result<BackgroundChild> child = BackgroundChild::Start({"sleep", "1000"}, {}, output, errors);
    ASSERT_TRUE(child.ok());
    EXPECT_EQ(child->Poll(), std::nullopt);
    EXPECT_EQ(child->Wait(absl::Milliseconds(1)), std::nullopt);
    const ProcessId process = {.pid = child->pid(), .start = ""};
    EXPECT_TRUE(IsRunning(process));
    child->Signal(SIGTERM);
    EXPECT_EQ(child->Wait(absl::Seconds(60)), 143);
    EXPECT_EQ(child->Poll(), 143);
    EXPECT_FALSE(IsRunning(process));
  }
  EXPECT_TRUE(RemoveFile(output).ok());
  EXPECT_TRUE(RemoveFile(errors).ok());
}

TEST(BackgroundChild, OutputIsInItsFiles) {
  const std::string output = TemporaryPath("out"), errors = TemporaryPath("err");
  Result<BackgroundChild> child =
      BackgroundChild::Start({"sh", "-c", "echo a; echo b >&2"}, {}, output, errors);
  ASSERT_TRUE(child.ok());
  BackgroundChild moved = std::move(*child);
  EXPECT_EQ(moved.Wait(absl::Seconds(60)), 0);
  EXPECT_EQ(*ReadFile(output), "a\n");
  EXPECT_EQ(*ReadFile(errors), "b\n");
  EXPECT_TRUE(RemoveFile(output).ok());
  EXPECT_TRUE(RemoveFile(errors).ok());
}

TEST(BackgroundChild, OutputThatCannotBeWrittenIsAnError) {
  EXPECT_FALSE(BackgroundChild::Start({"true"}, {}, "/no/such/folder/out", "/dev/null").ok());
}

}  // namespace
}  // namespace retrofill
