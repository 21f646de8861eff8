#include "report/diagnostic_text.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

TEST(DiagnosticText, PinnedUnknownKey) {
  const Error error = Fail(ErrorCode::kInvalid, "C0102", "unknown key `{}`", "looback")
                          .At({.file = "retrofill.yml",
                               .line = 71,
                               .column = 5,
                               .length = 7,
                               .lines = {"    looback: 3"},
                               .label = "did you mean `lookback`?"});
  EXPECT_EQ(ErrorText(error),
            R"(error[C0102]: unknown key `looback`
   --> retrofill.yml:71:5
    |
71  |     looback: 3
    |     ^^^^^^^ did you mean `lookback`?
)");
}

TEST(DiagnosticText, PinnedYamlBoolean) {
  const Error error =
      Fail(ErrorCode::kInvalid, "C0104", "dimension value `{}` is a boolean in YAML", "no")
          .At({.file = "retrofill.yml",
               .line = 66,
               .column = 33,
               .length = 2,
               .lines = {"      dimensions: {region: [eu, no, se]}"},
               .label = "YAML 1.1 reads this as false"})
          .Help("write \"no\"");
  EXPECT_EQ(ErrorText(error),
            R"(error[C0104]: dimension value `no` is a boolean in YAML
   --> retrofill.yml:66:33
    |
66  |       dimensions: {region: [eu, no, se]}
    |                                 ^^ YAML 1.1 reads this as false
    = help: write "no"
)");
}

TEST(DiagnosticText, PinnedWroteToProduction) {
  const Error error =
      Fail(ErrorCode::kFailed, "X0211", "the script wrote to production instead of its output")
          .At({.file = "retrofill.yml",
               .line = 98,
               .column = 16,
               .length = 1,
               .lines = {"      command: [python3, jobs/run.py, --run-date, "
                         "\"{interval_start:%Y-%m-%d}\", --out, \"{output}\"]"},
               .label = "started for 2026-01-17T05"})
          .Note(
              "analytics.sessions_hourly changed during `prove` (rows 24 -> 48); the proof stopped")
          .Help(
              "write only below `{output}`, and give the script a role that cannot write "
              "production");
  EXPECT_EQ(ErrorText(error),
            R"(error[X0211]: the script wrote to production instead of its output
   --> retrofill.yml:98:16
    |
98  |       command: [python3, jobs/run.py, --run-date, "{interval_start:%Y-%m-%d}", --out, "{output}"]
    |                ^ started for 2026-01-17T05
    = note: analytics.sessions_hourly changed during `prove` (rows 24 -> 48); the proof stopped
    = help: write only below `{output}`, and give the script a role that cannot write production
)");
}

TEST(DiagnosticText, PinnedOverlap) {
  const Error error =
      Fail(ErrorCode::kRefused, "S0301", "plan overlaps a scheduled run")
          .Note(
              "airflow dag revenue_daily will write 2026-01-31..2026-02-02 at "
              "2026-02-03T02:00Z (lookback 2)")
          .Help(
              "end the range at 2026-01-30, or let retrofill hold the schedule: --hold "
              "revenue_daily_dag");
  EXPECT_EQ(ErrorText(error),
            R"(error[S0301]: plan overlaps a scheduled run
    = note: airflow dag revenue_daily will write 2026-01-31..2026-02-02 at 2026-02-03T02:00Z (lookback 2)
    = help: end the range at 2026-01-30, or let retrofill hold the schedule: --hold revenue_daily_dag
)");
}

TEST(DiagnosticText, AnEndlessLineIsShownAroundThePlace) {
  const std::string line = std::string(100'000, 'a') + "!" + std::string(100'000, 'b');
  const std::string text = ErrorText(
      Fail(ErrorCode::kInvalid, "P0308", "bad")
          .At({.file = "plan.json", .line = 1, .column = 100'001, .length = 1, .lines = {line}}));
  EXPECT_LT(text.size(), 400u);
  const std::string before(60, 'a');
  const std::string blanks(63, ' ');
  EXPECT_NE(text.find("1   | ..." + before + "!" + std::string(59, 'b') + "...\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("    | " + blanks + "^\n"), std::string::npos) << text;
}

TEST(DiagnosticText, ALineBreakInAnArgumentForgesNoLine) {
  const std::string text = ErrorText(Fail(ErrorCode::kInvalid, "P0109", "bad")
                                         .At({.file = "<argument>",
                                              .line = 1,
                                              .column = 1,
                                              .length = 1,
                                              .lines = {"a\nerror[X]: b"}}));
  EXPECT_EQ(text.find("\nerror[X]"), std::string::npos) << text;
}

TEST(DiagnosticText, SeveralLinesStandAboveTheCaret) {
  Diagnostic diagnostic{.id = "I0101", .message = "the result depends on the wall clock"};
  diagnostic.origin = Origin{.file = "sql/revenue_daily.sql",
                             .line = 14,
                             .column = 8,
                             .length = 5,
                             .lines = {"       sum(amount) as net_revenue,", "       now() as at"},
                             .label = "evaluated at run time"};
  EXPECT_EQ(DiagnosticText(diagnostic, {.more = true}),
            R"(error[I0101]: the result depends on the wall clock
   --> sql/revenue_daily.sql:14:8
    |
13  |        sum(amount) as net_revenue,
14  |        now() as at
    |        ^^^^^ evaluated at run time
    = more: retrofill explain I0101
)");
}

TEST(DiagnosticText, WarningsAndNotesNameTheirLevel) {
  EXPECT_EQ(DiagnosticText(Warn("P0209", "table `a` declares no grain")),
            "warning[P0209]: table `a` declares no grain\n");
  EXPECT_EQ(
      DiagnosticText(Diagnostic{.level = Level::kNote, .id = "L0101", .message = "2 left stale"}),
      "note[L0101]: 2 left stale\n");
}

TEST(DiagnosticText, FileAsAWholeHasNoWindow) {
  const Error error = Fail(ErrorCode::kInvalid, "C0111", "`sql/a.sql` is empty")
                          .At({.file = "sql/a.sql", .lines = {}, .label = {}});
  EXPECT_EQ(ErrorText(error), "error[C0111]: `sql/a.sql` is empty\n   --> sql/a.sql\n");
}

TEST(DiagnosticText, LongLineNumbersWidenTheGutter) {
  const Error error = Fail(ErrorCode::kInvalid, "C0102", "unknown key `a`")
                          .At({.file = "r.yml", .line = 12345, .column = 1, .lines = {"a: 1"}})
                          .Help("remove it");
  EXPECT_EQ(ErrorText(error),
            "error[C0102]: unknown key `a`\n"
            "     --> r.yml:12345:1\n"
            "      |\n"
            "12345 | a: 1\n"
            "      | ^\n"
            "      = help: remove it\n");
}

TEST(DiagnosticText, CaretCountsCharactersAndKeepsTabs) {
  const Error error = Fail(ErrorCode::kInvalid, "C0102", "unknown key")
                          .At({.file = "r.yml", .line = 1, .column = 5, .lines = {"\tä: b"}});
  EXPECT_EQ(ErrorText(error),
            "error[C0102]: unknown key\n   --> r.yml:1:5\n    |\n1   | \tä: b\n    | \t   ^\n");
}

TEST(DiagnosticText, WhatWasBeingDoneIsANote) {
  const Error error = Fail(ErrorCode::kUnavailable, "W0104", "`a.duckdb` is in use by process 7")
                          .While("opening connection `warehouse`");
  EXPECT_EQ(ErrorText(error),
            "error[W0104]: `a.duckdb` is in use by process 7\n"
            "    = note: while opening connection `warehouse`\n");
}

TEST(DiagnosticText, FurtherLinesOfANoteAreIndented) {
  const Error error = Fail(ErrorCode::kRefused, "P0208", "columns differ").Help("run\nalter table");
  EXPECT_EQ(ErrorText(error),
            "error[P0208]: columns differ\n    = help: run\n            alter table\n");
}

TEST(DiagnosticText, ColourRepeatsTheWords) {
  const Error error = Fail(ErrorCode::kInvalid, "C0102", "unknown key `a`")
                          .At({.file = "r.yml", .line = 3, .column = 1, .lines = {"a: 1"}})
                          .Help("remove it");
  std::string colored = ErrorText(error, {.color = true});
  EXPECT_NE(colored.find("\x1b[1;31merror[C0102]"), std::string::npos);
  for (size_t start = colored.find('\x1b'); start != std::string::npos;
       start = colored.find('\x1b')) {
    colored.erase(start, colored.find('m', start) - start + 1);
  }
  EXPECT_EQ(colored, ErrorText(error));
}

}  // namespace
}  // namespace retrofill
