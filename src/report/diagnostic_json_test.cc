#include "report/diagnostic_json.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

TEST(DiagnosticJson, ProblemTypeEndsInTheCode) {
  const Error error = Fail(ErrorCode::kRefused, "S0301", "plan overlaps a scheduled run")
                          .Note("the dag writes 2026-01-31")
                          .Help("end the range at 2026-01-30");
  EXPECT_EQ(ProblemJson(error, 3).Compact(),
            R"({"code":"S0301","context":[],"detail":"the dag writes 2026-01-31","exit":3,)"
            R"("help":["end the range at 2026-01-30"],"notes":["the dag writes 2026-01-31"],)"
            R"("title":"plan overlaps a scheduled run","type":"/explain/S0301"})");
}

TEST(DiagnosticJson, ProblemNamesThePlace) {
  const Error error = Fail(ErrorCode::kInvalid, "C0102", "unknown key `a`")
                          .At({.file = "retrofill.yml", .line = 3, .column = 5, .lines = {"a"}});
  EXPECT_NE(ProblemJson(error, 2).Compact().find(
                R"("origin":{"column":5,"file":"retrofill.yml","line":3})"),
            std::string::npos);
}

TEST(DiagnosticJson, InvalidUtf8IsReplaced) {
  const Error error = Fail(ErrorCode::kInvalid, "P0109", "malformed key `\xff`");
  EXPECT_NE(ProblemJson(error, 2).Compact().find("\xEF\xBF\xBD"), std::string::npos);
}

TEST(DiagnosticJson, WarningCarriesItsLevel) {
  EXPECT_EQ(DiagnosticJson(Warn("P0209", "no grain")).Compact(),
            R"({"code":"P0209","help":[],"level":"warning","message":"no grain","notes":[]})");
}

}  // namespace
}  // namespace retrofill
