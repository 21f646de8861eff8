#include "cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/json.h"

namespace retrofill {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Outcome {
  int exit = 0;
  std::string out;
  std::string error;
};

Outcome Call(const std::vector<std::string>& arguments, Environment::Variables variables = {}) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.exit = RunProgram(arguments, Environment(std::move(variables)));
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.error = testing::internal::GetCapturedStderr();
  return outcome;
}

std::string ProjectWith(const std::string& name, const std::string& yaml) {
  const std::string folder = JoinPath(testing::TempDir(), "program_test_" + name);
  EXPECT_TRUE(RemoveFolder(folder).ok());
  EXPECT_TRUE(MakeFolders(folder).ok());
  EXPECT_TRUE(WriteFileAtomically(JoinPath(folder, "retrofill.yml"), yaml).ok());
  return JoinPath(folder, "retrofill.yml");
}

TEST(Program, VersionAnswersOnStandardOutput) {
  const Outcome outcome = Call({"version"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_THAT(outcome.out, HasSubstr("retrofill 0."));
  EXPECT_THAT(outcome.error, IsEmpty());
}

TEST(Program, VersionSaysWhenTestHooksAreOn) {
  EXPECT_THAT(Call({"version"}, {{"RETROFILL_TEST", "1"}}).out, HasSubstr("hooks     on"));
}

TEST(Program, JsonIsOneObjectAndNothingElse) {
  const Outcome outcome = Call({"version", "--json"});
  const Result<Json> json = Json::Parse(outcome.out);
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(json->FindText("type"), "version");
  EXPECT_EQ(json->FindBool("ok"), true);
}

TEST(Program, HelpAndTheSchemaAnswerInTheSameEnvelope) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"-h", "--json"}, "help"},
      {{"config", "-h", "--json"}, "help"},
      {{"--json", "run", "-h"}, "help"},
      {{"config", "schema", "--json"}, "config.schema"}};
  for (const auto& [arguments, type] : cases) {
    const Outcome outcome = Call(arguments);
    const Result<Json> json = Json::Parse(outcome.out);
    ASSERT_TRUE(json.ok()) << outcome.out;
    EXPECT_EQ(json->FindInteger("v"), 1);
    EXPECT_EQ(json->FindText("type"), type);
    EXPECT_EQ(json->FindInteger("exit"), 0);
    EXPECT_NE(json->FindPath(type == "help" ? "data.text" : "data.properties"), nullptr);
  }
  EXPECT_THAT(Call({"config", "schema"}).out, HasSubstr("  \"$schema\": \"http"));
}

TEST(Program, HelpIsThereForThoseWhoMayNotDoIt) {
  EXPECT_EQ(Call({"undo", "-h"}, {{"RETROFILL_CALLER", "agent"}}).exit, 0);
  EXPECT_EQ(Call({"clean", "-h"}, {{"RETROFILL_READONLY", "1"}}).exit, 0);
  EXPECT_THAT(Call({"run", "-h"}, {{"RETROFILL_FORMAT", "jsonl"}}).out, HasSubstr("Usage"));
}

TEST(Program, AnErrorIsAProblemInJsonAndADiagnosticBesideIt) {
  const Outcome outcome = Call({"version", "--nope", "--json"});
  EXPECT_EQ(outcome.exit, 2);
  const Result<Json> json = Json::Parse(outcome.out);
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(json->FindPath("error.code")->text_value(), "C0201");
  EXPECT_EQ(json->FindInteger("exit"), 2);
  EXPECT_THAT(outcome.error, HasSubstr("error[C0201]: unknown flag `--nope`"));
}

TEST(Program, UnknownVariableEndsEverything) {
  const Outcome outcome = Call({"version"}, {{"RETROFILL_COLUR", "x"}});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_THAT(outcome.error, HasSubstr("C0205"));
}

TEST(Program, HooksNeedTheTestSwitch) {
  EXPECT_THAT(Call({"version"}, {{"RETROFILL_CLOCK", "2026-01-01T00:00:00Z"}}).error,
              HasSubstr("C0205"));
}

TEST(Program, AFormatThatACommandLacksIsRefused) {
  const Outcome outcome = Call({"version", "--format", "csv"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_THAT(outcome.error, HasSubstr("error[C0206]"));
}

TEST(Program, ReadOnlyRefusesWhatChanges) {
  const Outcome outcome = Call({"clean"}, {{"RETROFILL_READONLY", "1"}});
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.error, HasSubstr("error[A0104]"));
}

TEST(Program, AProgramMayNotUndo) {
  const Outcome outcome = Call({"undo", "fin-812"}, {{"RETROFILL_CALLER", "agent"}});
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.error, HasSubstr("error[A0103]"));
}

TEST(Program, DetachNeedsAWorker) {
  const Outcome outcome = Call({"run", "fin-812", "--detach"});
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.error, HasSubstr("error[X0104]"));
}

TEST(Program, ExplainKnowsItsCodesAndSuggests) {
  EXPECT_THAT(Call({"explain", "p0304"}).out, HasSubstr("# P0304: "));
  const Outcome outcome = Call({"explain", "P030"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_THAT(outcome.error, HasSubstr("did you mean"));
}

TEST(Program, EveryProblemOfAConfigurationIsReported) {
  const std::string file = ProjectWith("problems", "version: 1\nconections: {}\ntabels: {}\n");
  const Outcome outcome = Call({"config", "check", "-c", file});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_THAT(outcome.error, HasSubstr("unknown key `conections`"));
  EXPECT_THAT(outcome.error, HasSubstr("unknown key `tabels`"));
}

TEST(Program, TheSchemaGoesToAFile) {
  const std::string path = JoinPath(testing::TempDir(), "program_test_schema.json");
  EXPECT_EQ(Call({"config", "schema", "-o", path}).exit, 0);
  const Result<std::string> text = ReadFile(path);
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*text, HasSubstr("draft-07"));
}

TEST(Program, AFolderThatIsNotThereIsNamed) {
  const Outcome outcome = Call({"status", "-C", JoinPath(testing::TempDir(), "no_such_folder")});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_THAT(outcome.error, HasSubstr("error[C0111]"));
}

TEST(Program, NothingIsGoingOnInANewProject) {
  const std::string file =
      ProjectWith("new", "version: 1\nconnections: {warehouse: {type: duckdb, path: a.duckdb}}\n");
  const Outcome outcome = Call({"status", "-c", file});
  EXPECT_EQ(outcome.exit, 0) << outcome.error;
  EXPECT_EQ(outcome.out, "no backfill is going on\n");
  EXPECT_FALSE(FolderExists(JoinPath(FolderOf(file), ".retrofill")));
}

}  // namespace
}  // namespace retrofill
