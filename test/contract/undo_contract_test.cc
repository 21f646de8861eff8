// Pre-images and undo (publish document, 11).

#include <gtest/gtest.h>

#include "backfill_rig.h"

namespace retrofill {
namespace {

constexpr const char* kOld =
    "insert into daily select date '2026-01-01' + (x // 5)::int, if(x % 2 = 0, 'eu', 'us'), x from "
    "range(20) t(x)";
constexpr const char* kNew =
    "select date '2026-01-01' + (x // 3)::int as day, 'eu' as region, x * 10 as amount from "
    "range(6) t(x)";

Result<PublishOutcome> RunUndo(Backfill& undo) {
  RF_TRY(undo.Register());
  RF_TRY(undo.Acquire());
  return undo.Publish();
}

class UndoContract : public testing::Test {
 protected:
  UndoContract() { rig_.Run(kOld); }
  std::string All() { return rig_.Read("select * from daily order by all"); }
  std::vector<Partition> Planned() { return {rig_.At(1), rig_.At(2), rig_.At(9)}; }
  Rig rig_;
};

TEST_F(UndoContract, PreImageIsTheReplacedRows) {
  Backfill backfill(rig_, "plan_a", Planned());
  ASSERT_TRUE(backfill.RunAll(kNew).ok());
  EXPECT_EQ(rig_.Read("select day, region, count(*) from retrofill_backup." +
                      backfill.group().backup + " group by all order by all"),
            "2026-01-01|eu|3;2026-01-02|eu|2");
}

TEST_F(UndoContract, UndoRestoresContentAndCanBeUndone) {
  const std::string old_rows = All();
  Backfill backfill(rig_, "plan_a", Planned());
  ASSERT_TRUE(backfill.RunAll(kNew).ok());
  ASSERT_TRUE(backfill.End().ok());
  const std::string new_rows = All();
  ASSERT_NE(new_rows, old_rows);

  Backfill undo = backfill.Undo("plan_b");
  const auto undone = RunUndo(undo);
  ASSERT_TRUE(undone.ok()) << undone.error().message();
  ASSERT_TRUE(undo.End().ok());
  EXPECT_EQ(All(), old_rows);
  for (size_t i = 0; i < undone->rows.size(); ++i) {
    EXPECT_EQ(undone->rows[i].undoes, "plan_a");
    EXPECT_EQ(undone->rows[i].digest, FingerprintText(backfill.group().items[i].baseline));
  }

  Backfill redo = undo.Undo("plan_c");
  const auto redone = RunUndo(redo);
  ASSERT_TRUE(redone.ok()) << redone.error().message();
  EXPECT_EQ(All(), new_rows);
}

TEST_F(UndoContract, PartitionChangedSinceIsKept) {
  Backfill backfill(rig_, "plan_a", Planned());
  ASSERT_TRUE(backfill.RunAll(kNew).ok());
  ASSERT_TRUE(backfill.End().ok());
  rig_.Run("update daily set amount = amount + 1 where day = '2026-01-02' and region = 'eu'");
  const std::string rows = All();
  Backfill undo = backfill.Undo("plan_b");
  const auto undone = RunUndo(undo);
  ASSERT_FALSE(undone.ok());
  EXPECT_EQ(undone.error().id(), "X0304");
  EXPECT_EQ(All(), rows);
}

TEST_F(UndoContract, DamagedPreImageChangesNothing) {
  Backfill backfill(rig_, "plan_a", Planned());
  ASSERT_TRUE(backfill.RunAll(kNew).ok());
  ASSERT_TRUE(backfill.End().ok());
  Backfill undo = backfill.Undo("plan_b");
  const std::string rows = All();
  rig_.Run("update retrofill_backup." + backfill.group().backup + " set amount = amount + 1");
  const auto undone = RunUndo(undo);
  ASSERT_FALSE(undone.ok());
  EXPECT_EQ(undone.error().id(), "X0305");
  EXPECT_EQ(All(), rows);
}

TEST_F(UndoContract, OtherEngineVersionGoesByPortableParts) {
  Backfill backfill(rig_, "plan_a", Planned());
  ASSERT_TRUE(backfill.RunAll(kNew).ok());
  ASSERT_TRUE(backfill.End().ok());
  Backfill undo = backfill.Undo("plan_b");
  for (PublishItem& item : undo.group().items) {
    item.baseline.engine = "duckdb-1.5.5";
    item.baseline.row += 1;
  }
  const auto undone = RunUndo(undo);
  ASSERT_TRUE(undone.ok()) << undone.error().message();
  EXPECT_NE(undone->rows[0].body.find("duckdb-1.5.5, now duckdb-"), std::string::npos);
}

TEST_F(UndoContract, OtherEngineVersionStillRefusesAChangedSum) {
  Backfill backfill(rig_, "plan_a", Planned());
  ASSERT_TRUE(backfill.RunAll(kNew).ok());
  ASSERT_TRUE(backfill.End().ok());
  rig_.Run("update daily set amount = amount + 1 where day = '2026-01-02' and region = 'eu'");
  Backfill undo = backfill.Undo("plan_b");
  for (PublishItem& item : undo.group().items) item.baseline.engine = "duckdb-1.5.5";
  EXPECT_EQ(RunUndo(undo).error().id(), "X0304");
}

}  // namespace
}  // namespace retrofill
