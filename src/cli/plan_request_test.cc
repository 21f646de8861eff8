#include "cli/plan_request.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "cli/consent.h"

namespace retrofill {
namespace {

TEST(PlanRequest, TheNameComesFromTheFile) {
  EXPECT_EQ(PlanNameOfFile("plans/fin-812.plan.json"), "fin-812");
  EXPECT_EQ(PlanNameOfFile("fin-812.json"), "fin-812");
  EXPECT_EQ(PlanNameOfFile("fin-812"), "fin-812");
}

TEST(PlanRequest, AGivenNameStandsBeforeTheFile) {
  PlanArguments arguments;
  EXPECT_EQ(MakePlanCommand(arguments, "a.plan.json")->name, "a");
  arguments.name = "b";
  EXPECT_EQ(MakePlanCommand(arguments, "a.plan.json")->name, "b");
}

TEST(PlanRequest, ReasonsHaveEightCharacters) {
  EXPECT_TRUE(CheckReason("--reason", "").ok());
  EXPECT_TRUE(CheckReason("--reason", "größe üb").ok());
  const Status status = CheckReason("--reason", "because");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().id(), "C0103");
}

TEST(PlanRequest, BadValuesAreRefused) {
  PlanArguments order;
  order.order = "random";
  EXPECT_EQ(MakePlanCommand(order, "").error().id(), "C0103");
  PlanArguments name;
  name.name = "Fin 812";
  EXPECT_EQ(MakePlanCommand(name, "").error().id(), "C0103");
  PlanArguments as_of;
  as_of.as_of = "yesterday";
  EXPECT_FALSE(MakePlanCommand(as_of, "").ok());
}

TEST(PlanRequest, FlagsReachTheEngine) {
  PlanArguments arguments;
  arguments.target.table = "revenue_daily";
  arguments.target.selection.words = {"2026-01"};
  arguments.order = "newest_first";
  arguments.slots = 4;
  arguments.force = arguments.skip_blocked = true;
  arguments.as_of = "2026-02-10T09:14:05Z";
  const Result<PlanCommand> command = MakePlanCommand(arguments, "");
  ASSERT_TRUE(command.ok());
  EXPECT_EQ(command->table, "revenue_daily");
  EXPECT_EQ(command->selection.words, std::vector<std::string>{"2026-01"});
  EXPECT_EQ(command->order, Order::kNewestFirst);
  EXPECT_EQ(command->slots, 4);
  EXPECT_TRUE(command->force && command->skip_blocked);
  EXPECT_EQ(FormatInstant(*command->as_of), "2026-02-10T09:14:05Z");
}

class Consent : public testing::Test {
 protected:
  Context context_{{.no_input = true}, Environment(Environment::Variables()), MakeSystemClock()};
};

TEST_F(Consent, TheExpectedFlagAgrees) {
  const auto agreed = AskConsent(context_, {.what = "publishing",
                                            .question = "?",
                                            .expected = "fin-812",
                                            .given = "fin-812",
                                            .flag = "--confirm fin-812"});
  ASSERT_TRUE(agreed.ok());
  EXPECT_TRUE(*agreed);
}

TEST_F(Consent, AnotherNameIsRefused) {
  const auto agreed = AskConsent(context_, {.what = "publishing",
                                            .question = "?",
                                            .expected = "fin-812",
                                            .given = "fin-813",
                                            .flag = "--confirm fin-812"});
  ASSERT_FALSE(agreed.ok());
  EXPECT_EQ(agreed.error().id(), "C0204");
}

TEST_F(Consent, WithoutATerminalTheFlagIsNamed) {
  const auto agreed = AskConsent(
      context_,
      {.what = "clean", .question = "?", .expected = "yes", .given = "", .flag = "--yes"});
  ASSERT_FALSE(agreed.ok());
  EXPECT_EQ(agreed.error().id(), "C0204");
  EXPECT_EQ(agreed.error().code(), ErrorCode::kRefused);
  EXPECT_EQ(agreed.error().diagnostic().helps.front(), "--yes");
}

}  // namespace
}  // namespace retrofill
