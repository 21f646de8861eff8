// History that was there before, taken into the ledger, on a real DuckDB file.

#include <gmock/gmock.h>

#include "engine/adopt_operation.h"
#include "engine/chain_folder_test.h"

namespace retrofill {
namespace {

using testing::HasSubstr;

class Adoption : public ChainFolder {
 protected:
  // The sum of `n` is the number of orders on each of 400 days.
  void SetUp() override {
    ChainFolder::SetUp();
    Execute(
        "delete from orders; insert into orders select timestamp '2024-12-01 12:00:00' + "
        "to_days(cast(i % 400 as integer)) from range(1200) t(i);"
        "insert into a select cast(taken_at as date), count(*) from orders group by 1");
    project_.tables["a"].partition->begin = "2024-12-01";
  }

  Result<AdoptResult> Adopt(const std::string& selection, bool dry_run = false) {
    AdoptCommand command;
    command.table = "a";
    command.selection.words = {selection};
    command.reason = "loaded by the old job";
    command.dry_run = dry_run;
    return AdoptPartitions(engine_, command);
  }

  static constexpr char kAll[] = "2024-12-01..2026-01-04";
};

TEST_F(Adoption, RightDaysBecomeOkAndNothingIsComputed) {
  ASSERT_EQ(HealthOf("a", "2025-06-01"), "unknown");
  const std::string before = Value("select sum(hash(d, n)) from a");
  Result<AdoptResult> adopted = Adopt(kAll);
  ASSERT_TRUE(adopted.ok()) << adopted.error().message();
  EXPECT_EQ(adopted->adopted.Count(*adopted->space), 400);
  EXPECT_TRUE(adopted->refused.empty());
  EXPECT_EQ(Value("select sum(hash(d, n)) from a"), before);
  EXPECT_EQ(Value("select count(*) from retrofill.ledger where kind = 'adopt'"), "400");
  EXPECT_EQ(HealthOf("a", "2025-06-01"), "ok");
  Result<PlanResult> plan = MakePlan("a", kAll);
  ASSERT_TRUE(plan.ok());
  EXPECT_FALSE(plan->plan.has_value());
}

TEST_F(Adoption, WrongDaysAreNamedAndStayUnknown) {
  Execute("update a set n = 9 where d = date '2025-06-02'");
  Execute("delete from a where d = date '2025-06-04'");
  Result<AdoptResult> adopted = Adopt("2025-06");
  ASSERT_TRUE(adopted.ok()) << adopted.error().message();
  EXPECT_EQ(adopted->adopted.Count(*adopted->space), 28);
  ASSERT_EQ(adopted->refused.size(), 2u);
  EXPECT_EQ(adopted->space->KeyText(adopted->refused[0].partition), "2025-06-02");
  EXPECT_EQ(adopted->refused[0].id, "R0301");
  EXPECT_THAT(adopted->refused[0].why, HasSubstr("orders"));
  EXPECT_EQ(adopted->space->KeyText(adopted->refused[1].partition), "2025-06-04");
  EXPECT_EQ(HealthOf("a", "2025-06-02"), "unknown");
  EXPECT_EQ(HealthOf("a", "2025-06-04"), "missing");
  EXPECT_EQ(HealthOf("a", "2025-06-03"), "ok");
}

TEST_F(Adoption, ADryRunWritesNothingAndASecondOneFindsThemKnown) {
  Result<AdoptResult> dry = Adopt("2025-06", true);
  ASSERT_TRUE(dry.ok());
  EXPECT_EQ(dry->adopted.Count(*dry->space), 30);
  EXPECT_EQ(HealthOf("a", "2025-06-01"), "unknown");
  ASSERT_TRUE(Adopt("2025-06").ok());
  Result<AdoptResult> again = Adopt("2025-06");
  ASSERT_TRUE(again.ok()) << again.error().message();
  EXPECT_TRUE(again->adopted.empty());
  EXPECT_EQ(again->known.Count(*again->space), 30);
}

TEST_F(Adoption, WhatChangesLaterIsSeen) {
  ASSERT_TRUE(Adopt("2025-06").ok());
  Execute("insert into orders values (timestamp '2025-06-01 10:00:00')");
  Execute("update a set n = 9 where d = date '2025-06-02'");
  EXPECT_EQ(HealthOf("a", "2025-06-01"), "stale: source");
  EXPECT_EQ(HealthOf("a", "2025-06-02"), "changed");
  Build("a", "2025-06-01");
  EXPECT_EQ(HealthOf("a", "2025-06-01"), "ok");
}

TEST_F(Adoption, WithoutARuleThatReadsTheSourceNothingIsAdopted) {
  project_.tables["a"].rules.clear();
  Result<AdoptResult> adopted = Adopt("2025-06");
  ASSERT_FALSE(adopted.ok());
  EXPECT_EQ(adopted.error().id(), "R0101");
}

}  // namespace
}  // namespace retrofill
