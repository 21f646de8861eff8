#include "cli/arguments.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"

namespace retrofill {
namespace {

Result<Invocation> Parse(std::string_view line) {
  std::vector<std::string> words;
  if (!line.empty()) words = Split(line, ' ');
  return ParseArguments(words);
}

template <typename T>
T Arguments(std::string_view line) {
  Result<Invocation> invocation = Parse(line);
  EXPECT_TRUE(invocation.ok()) << line << ": "
                               << (invocation.ok() ? "" : invocation.error().message());
  if (!invocation.ok()) return T();
  EXPECT_TRUE(std::holds_alternative<T>(invocation->arguments)) << line;
  return std::get<T>(invocation->arguments);
}

TEST(Arguments, PlanTakesTableWordsAndFlags) {
  const auto plan = Arguments<PlanArguments>(
      "plan revenue_daily 2025-11..2026-01 region=eu,us --skip-blocked --reason FIN-812 --slots 4 "
      "--name fin-812 --force --order newest_first --as-of 2026-02-10 --detailed-exitcode -n");
  EXPECT_EQ(plan.target.table, "revenue_daily");
  EXPECT_EQ(plan.target.selection.words,
            (std::vector<std::string>{"2025-11..2026-01", "region=eu,us"}));
  EXPECT_TRUE(plan.skip_blocked && plan.force && plan.detailed_exitcode && plan.dry_run);
  EXPECT_EQ(plan.reason, "FIN-812");
  EXPECT_EQ(plan.slots, 4);
  EXPECT_EQ(plan.name, "fin-812");
  EXPECT_EQ(plan.order, "newest_first");
  EXPECT_EQ(plan.as_of, "2026-02-10");
}

TEST(Arguments, FlagsStandBeforeOrAfterArguments) {
  for (const char* line :
       {"plan --force a 2026-01", "plan a --force 2026-01", "plan a 2026-01 --force"}) {
    const auto plan = Arguments<PlanArguments>(line);
    EXPECT_EQ(plan.target.table, "a") << line;
    EXPECT_EQ(plan.target.selection.words, std::vector<std::string>{"2026-01"}) << line;
    EXPECT_TRUE(plan.force) << line;
  }
}

TEST(Arguments, GlobalFlagsStandAnywhere) {
  for (const char* line :
       {"--json -c x.yml status", "status --json -c x.yml", "--json status -c x.yml"}) {
    const Result<Invocation> invocation = Parse(line);
    ASSERT_TRUE(invocation.ok()) << line;
    EXPECT_EQ(invocation->global.format, "json") << line;
    EXPECT_EQ(invocation->global.config, "x.yml") << line;
  }
}

TEST(Arguments, InstantsHaveAliases) {
  for (const char* line : {"plan a --start 2026-01-01 --end 2026-02-01",
                           "plan a --event-time-start 2026-01-01 --event-time-end=2026-02-01"}) {
    const auto plan = Arguments<PlanArguments>(line);
    EXPECT_EQ(plan.target.selection.start, "2026-01-01") << line;
    EXPECT_EQ(plan.target.selection.end, "2026-02-01") << line;
  }
}

TEST(Arguments, SelectionWordsMayLookOdd) {
  const auto plan = Arguments<PlanArguments>("plan a 2026,!2026-01 !@blocked .. - --align out");
  EXPECT_EQ(plan.target.selection.words,
            (std::vector<std::string>{"2026,!2026-01", "!@blocked", "..", "-"}));
  EXPECT_EQ(plan.target.selection.align, Align::kOut);
}

TEST(Arguments, ExceptTakesOneValueEachTime) {
  const auto plan = Arguments<PlanArguments>("plan a --except 2026-01-01 2026 --except 2026-02");
  EXPECT_EQ(plan.target.selection.except, (std::vector<std::string>{"2026-01-01", "2026-02"}));
  EXPECT_EQ(plan.target.selection.words, std::vector<std::string>{"2026"});
}

TEST(Arguments, ApplyIsRun) {
  const Result<Invocation> invocation = Parse("apply p.json --publish");
  ASSERT_TRUE(invocation.ok());
  EXPECT_EQ(invocation->verb, "run");
  EXPECT_TRUE(std::get<RunArguments>(invocation->arguments).publish);
  EXPECT_EQ(std::get<RunArguments>(invocation->arguments).plan.target.table, "p.json");
}

TEST(Arguments, ATableMayBeCalledLikeACommand) {
  EXPECT_EQ(Arguments<ShowArguments>("show plan").subject, "plan");
  EXPECT_EQ(Arguments<PlanArguments>("plan run 2026").target.table, "run");
}

TEST(Arguments, ConfigHasCommandsOfItsOwn) {
  EXPECT_TRUE(Arguments<ConfigShowArguments>("config show --origin").origin);
  const Result<Invocation> invocation = Parse("config check");
  ASSERT_TRUE(invocation.ok());
  EXPECT_EQ(invocation->verb, "config check");
}

struct BadLine {
  const char* line;
  const char* id;
  const char* says;
};

class BadLines : public testing::TestWithParam<BadLine> {};

TEST_P(BadLines, IsRefusedWithItsCode) {
  const Result<Invocation> invocation = Parse(GetParam().line);
  ASSERT_FALSE(invocation.ok()) << GetParam().line;
  const Error& error = invocation.error();
  EXPECT_EQ(error.id(), GetParam().id) << error.message();
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  const std::string said = error.message() + " " + Join(error.diagnostic().helps, " ");
  EXPECT_NE(said.find(GetParam().says), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(
    Arguments, BadLines,
    testing::Values(
        BadLine{"", "C0202", "needs a command"},
        BadLine{"plam a 2026", "C0201", "did you mean `retrofill plan`?"},
        BadLine{"xyzzyx", "C0201", "retrofill -h"},
        BadLine{"serve", "C0201", "not available in this version"},
        BadLine{"pl a 2026", "C0201", "unknown command `pl`"},
        BadLine{"plan a 2026 --forse", "C0201", "did you mean `--force`?"},
        BadLine{"plan a 2026 --skip", "C0201", "unknown flag `--skip`"},
        BadLine{"plan a --from x", "C0201", "`--from` is not available"},
        BadLine{"plan a 2026 -z", "C0201", "unknown flag `-z`"},
        BadLine{"--bad", "C0201", "unknown flag `--bad`"},
        BadLine{"pause a b", "C0201", "unexpected argument `b`"},
        BadLine{"plan", "C0202", "needs TABLE"}, BadLine{"plan a", "C0202", "needs partitions"},
        BadLine{"explain", "C0202", "needs CODE"},
        BadLine{"plan a 2026 --reason", "C0202", "needs a value"},
        BadLine{"plan a 2026 --reason --force", "C0202", "needs a value"},
        BadLine{"plan a 2026 --reason=", "C0202", "needs a value"},
        BadLine{"plan a 2026 --name a --name b", "C0103", "given twice"},
        BadLine{"plan a 2026 --slots x", "C0103",
                "--slots: `x` is not a whole number from 1 to the slots of the table's pool"},
        BadLine{"plan a 2026 --slots 0", "C0103", "--slots: `0` is not a whole number from 1 to"},
        BadLine{"diff a --top 99999999999", "C0103", "--top: `99999999999` is not"},
        BadLine{"plan a 2026 --align up", "C0103", "--align"},
        BadLine{"status --color red", "C0103", "auto, always, never"},
        BadLine{"status --json --format text", "C0206", "exclude each other"},
        BadLine{"config", "C0202", "check, show, schema"},
        BadLine{"config chekc", "C0201", "did you mean `retrofill config check`?"}));

TEST(Arguments, EveryCommandHasHelpThatEndsWithOneExample) {
  for (const std::string& name : CommandNames()) {
    const auto help = Arguments<HelpArguments>(name + " -h");
    const size_t example = help.text.find("\nExample\n  retrofill " + name);
    ASSERT_NE(example, std::string::npos) << help.text;
    const std::string rest = help.text.substr(example + std::string("\nExample\n").size());
    EXPECT_EQ(std::count(rest.begin(), rest.end(), '\n'), 1) << help.text;
    EXPECT_NE(help.text.find("--json"), std::string::npos);
  }
}

TEST(Arguments, EveryExampleCanBeRead) {
  for (const std::string& name : CommandNames()) {
    const auto help = Arguments<HelpArguments>(name + " -h");
    const size_t start = help.text.rfind("  retrofill ") + std::string("  retrofill ").size();
    const std::string line = help.text.substr(start, help.text.size() - start - 1);
    EXPECT_TRUE(Parse(line).ok()) << line;
  }
}

TEST(Arguments, HelpListsEveryCommand) {
  const auto help = Arguments<HelpArguments>("--help");
  for (const std::string& name : CommandNames()) {
    EXPECT_NE(help.text.find("\n  " + name + " "), std::string::npos) << name;
  }
}

TEST(Arguments, HelpWinsOverWhatIsMissing) {
  EXPECT_NE(Arguments<HelpArguments>("plan -h").text.find("--skip-blocked"), std::string::npos);
  EXPECT_NE(Arguments<HelpArguments>("-h plan").text.find("--skip-blocked"), std::string::npos);
}

TEST(Arguments, JsonIsSeenInALineThatCannotBeRead) {
  const std::vector<std::string> line = {"plan", "--nope", "--json"};
  EXPECT_TRUE(AsksForJson(line));
  const std::vector<std::string> plain = {"plan", "--", "--json"};
  EXPECT_FALSE(AsksForJson(plain));
}

}  // namespace
}  // namespace retrofill
