// What a plan makes stale below its table, on a real DuckDB file.

#include "engine/downstream.h"

#include <gmock/gmock.h>

#include "engine/chain_folder_test.h"

namespace retrofill {
namespace {

using testing::HasSubstr;

class DownstreamOfAPlan : public ChainFolder {
 protected:
  void AddDays(const std::string& name, std::vector<Input> inputs) {
    const std::string upstream = inputs.front().table;
    AddTable(name, "day", "2026-01-01", SumOf(upstream), std::move(inputs));
    FillDays(name);
  }

  std::optional<Diagnostic> WarningOf(const std::string& selection, const std::string& id) {
    Result<PlanResult> plan = MakePlan("a", selection);
    if (!plan.ok()) return std::nullopt;
    for (const Diagnostic& warning : plan->warnings) {
      if (warning.id == id) return warning;
    }
    return std::nullopt;
  }
};

TEST_F(DownstreamOfAPlan, UnitesAllInputsThatChanged) {
  AddDays("b", {Reads("a")});
  AddDays("c", {Reads("b"), Reads("a", "", Days(5))});
  EXPECT_EQ(DownstreamOf("a", "2026-01-10"),
            "b restate 2026-01-10; c restate 2026-01-10..2026-01-15");
}

TEST_F(DownstreamOfAPlan, VisitsATableAfterEverythingItReads) {
  AddDays("z", {Reads("a")});
  AddDays("b", {Reads("a"), Reads("z", "", Days(2))});
  EXPECT_EQ(DownstreamOf("a", "2026-01-10"),
            "z restate 2026-01-10; b restate 2026-01-10..2026-01-12");
}

TEST_F(DownstreamOfAPlan, TwoInputsOnOneTableBothCount) {
  AddDays("b", {Reads("a"), Reads("a", "", Days(3))});
  EXPECT_EQ(DownstreamOf("a", "2026-01-10"), "b restate 2026-01-10..2026-01-13");
}

TEST_F(DownstreamOfAPlan, NamesWhatWasNeverBuilt) {
  AddDays("b", {Reads("a")});
  AddDays("c", {Reads("b")});
  Execute("delete from b where d = date '2026-01-11'");
  EXPECT_EQ(DownstreamOf("a", "2026-01-10..2026-01-12"),
            "b restate 2026-01-10, 2026-01-12; b missing 2026-01-11; c restate 2026-01-10, "
            "2026-01-12");
}

TEST_F(DownstreamOfAPlan, LeavesOpenPartitionsToTheSchedule) {
  AddTable("m", "month", "2026-01", MonthOf("a"), {Reads("a")});
  Execute("insert into m values ('2026-01-01', 1)");
  project_.as_of = *ParseInstant("2026-01-20T00:00:00Z");
  EXPECT_EQ(DownstreamOf("a", "2026-01-10"), "m open 2026-01");
  std::optional<Diagnostic> note = WarningOf("2026-01-10", "L0102");
  ASSERT_TRUE(note.has_value());
  EXPECT_EQ(note->level, Level::kNote);
  EXPECT_THAT(note->message, HasSubstr("2026-01"));
}

TEST_F(DownstreamOfAPlan, NamesTablesItCannotLookAt) {
  AddDays("b", {Reads("a")});
  project_.connections["other"] = {
      .name = "other", .type = "duckdb", .path = folder_ + "/other.duckdb", .origin = {}};
  project_.tables["b"].connection = "other";
  EXPECT_EQ(DownstreamOf("a", "2026-01-10"), "b unseen it is in connection `other`");
}

TEST_F(DownstreamOfAPlan, NothingBelowADeclinedRefreshIsWalked) {  // P07
  AddDays("b", {Reads("a")});
  AddDays("c", {Reads("b")});
  project_.tables["b"].refresh = RefreshPolicy::kNever;
  EXPECT_EQ(DownstreamOf("a", "2026-01-10..2026-01-12"), "b restate 2026-01-10..2026-01-12");
}

// One day of the range has lost its source: the month would be made of old and new days.
TEST_F(DownstreamOfAPlan, AMonthOfOldAndNewDaysIsMixed) {
  Execute("insert into orders select taken_at - to_days(31) from orders");
  project_.tables["a"].partition->begin = "2025-12-01";
  AddTable("m", "month", "2025-12", MonthOf("a"), {Reads("a")});
  Execute("insert into m values ('2025-12-01', 1), ('2026-01-01', 1)");
  Build("a", "2025-12-01..2026-01-31");
  project_.sources["orders"].retention_days = 61;
  // Late rows under the same code: no mixed logic.
  Execute("insert into orders values (timestamp '2025-12-05 10:00:00')");
  EXPECT_EQ(DownstreamOf("a", "2025-12-01..2026-01-31"), "m restate 2025-12");
  WriteSql("a", std::string(kDays) + " having count(*) > 0\n");
  EXPECT_EQ(DownstreamOf("a", "2025-12-01..2026-01-31"), "m restate 2026-01; m mixed 2025-12");
  std::optional<Diagnostic> mixed = WarningOf("2025-12-01..2026-01-31", "P0207");
  ASSERT_TRUE(mixed.has_value());
  EXPECT_THAT(mixed->notes.at(0), HasSubstr("2025-12-01"));
  EXPECT_THAT(mixed->helps.at(0), HasSubstr("2026-01-01..2026-01-31"));
}

// Rows that somebody changed are new logic as well when the code changed.
TEST_F(DownstreamOfAPlan, LogicIsJudgedByTheLedgerAndNotByTheReason) {
  AddTable("m", "month", "2026-01", MonthOf("a"), {Reads("a")});
  Execute("insert into m values ('2026-01-01', 1)");
  Build("a", "2026-01-01..2026-01-31");
  project_.sources["orders"].retention_days = 30;
  WriteSql("a", std::string(kDays) + " having count(*) > 0\n");
  Execute("update a set n = 7 where d > date '2026-01-02'");
  EXPECT_EQ(DownstreamOf("a", "2026-01-01..2026-01-31"), "m mixed 2026-01");
}

TEST_F(DownstreamOfAPlan, TheEdgeReadsOlderCodeOutsideOfTheRange) {
  AddDays("b", {Reads("a", "", Days(9))});
  Build("a", "2026-01-01..2026-01-31");
  // The same code: there is no edge.
  Execute("insert into orders values (timestamp '2026-01-20 10:00:00')");
  EXPECT_EQ(DownstreamOf("a", "2026-01-15..2026-01-31"), "b restate 2026-01-20..2026-01-29");
  WriteSql("a", std::string(kDays) + " having count(*) > 0\n");
  EXPECT_EQ(DownstreamOf("a", "2026-01-15..2026-01-31"),
            "b restate 2026-01-24..2026-01-31; b edge 2026-01-15..2026-01-23");
}

// Of rows that nobody recorded no code is known, so they count as older.
TEST_F(DownstreamOfAPlan, TheEdgeOfAWindowIsAsLongAsTheWindow) {
  project_.tables["a"].partition->begin = "2025-11-01";
  AddTable("b", "day", "2025-11-01", SumOf("a"), {Reads("a", "", Days(27))});
  for (const std::string table : {"a", "b"}) {
    Execute("insert into " + table +
            " select date '2025-11-01' + cast(i as integer), 1 from range(92) t(i)");
  }
  EXPECT_EQ(DownstreamOf("a", "2025-12-01..2026-01-31"),
            "b restate 2025-12-28..2026-01-31; b edge 2025-12-01..2025-12-27");
}

TEST_F(DownstreamOfAPlan, NewCodeForSomeDaysIsNeitherMixedNorEdgeDayByDay) {
  AddDays("b", {Reads("a")});
  FillDays("a");
  EXPECT_EQ(DownstreamOf("a", "2026-01-02,2026-01-04"), "b restate 2026-01-02, 2026-01-04");
}

}  // namespace
}  // namespace retrofill
