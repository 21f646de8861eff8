// Traps of the engine itself that the protocol is built around (publish document, 15). A version of
// DuckDB that behaves differently fails here, and then the protocol is looked at again.

#include <gtest/gtest.h>

#include "backfill_rig.h"
#include "warehouse/duckdb_transaction.h"

namespace retrofill {
namespace {

class DuckdbTrap : public testing::Test {
 protected:
  DuckdbTrap() : other_session_(rig_.NewSession()) {
    rig_.Run("create table f (part text primary key, epoch bigint, touched bigint)");
    rig_.Run("insert into f values ('a', 1, 0)");
  }
  DuckdbConnection& one() { return rig_.session().connection(); }
  DuckdbConnection& two() { return other_session_->connection(); }

  Rig rig_{""};
  std::unique_ptr<DuckdbSession> other_session_;
};

TEST_F(DuckdbTrap, CommitOfAnAbortedTransactionReportsSuccess) {
  ASSERT_TRUE(one().Execute("begin; update f set epoch = 2").ok());
  ASSERT_FALSE(one().Execute("insert into f values ('a', 1, 0)").ok());
  EXPECT_TRUE(one().Execute("commit").ok());
  EXPECT_EQ(rig_.Read("select epoch from f"), "1");
}

TEST_F(DuckdbTrap, BinderErrorDoesNotAbortTheTransaction) {
  ASSERT_TRUE(one().Execute("begin; update f set epoch = 2").ok());
  ASSERT_FALSE(one().Execute("select nothing from f").ok());
  EXPECT_TRUE(one().Execute("commit").ok());
  EXPECT_EQ(rig_.Read("select epoch from f"), "2");
}

TEST_F(DuckdbTrap, OurTransactionRollsBackWhateverTheErrorWas) {
  {
    auto transaction = DuckdbTransaction::Begin(one());
    ASSERT_TRUE(transaction.ok());
    ASSERT_TRUE(one().Execute("update f set epoch = 2").ok());
    ASSERT_FALSE(one().Execute("select nothing from f").ok());
  }
  EXPECT_EQ(rig_.Read("select epoch from f"), "1");
}

TEST_F(DuckdbTrap, UpdatesOfDifferentColumnsDoNotConflict) {
  ASSERT_TRUE(one().Execute("begin; update f set touched = touched + 1").ok());
  EXPECT_TRUE(two().Execute("update f set epoch = epoch + 1").ok());
  EXPECT_TRUE(one().Execute("commit").ok());
}

TEST_F(DuckdbTrap, UpdatesOfTheSameColumnConflict) {
  ASSERT_TRUE(one().Execute("begin; update f set touched = touched + 1").ok());
  const auto bump = two().Execute("update f set epoch = epoch + 1, touched = touched + 1");
  ASSERT_FALSE(bump.ok());
  EXPECT_EQ(bump.error().code(), ErrorCode::kConflict);
  EXPECT_TRUE(one().Execute("commit").ok());
}

TEST_F(DuckdbTrap, SelectOfTheFenceDoesNotStopABump) {
  ASSERT_TRUE(one().Execute("begin").ok());
  ASSERT_TRUE(one().Query("select epoch from f").ok());
  EXPECT_TRUE(two().Execute("update f set epoch = epoch + 1, touched = touched + 1").ok());
  EXPECT_TRUE(one().Execute("commit").ok());
}

TEST_F(DuckdbTrap, TwoTransactionsFillOneEmptyPartition) {
  rig_.Run("create table t (day date)");
  ASSERT_TRUE(one().Execute("begin; delete from t; insert into t values ('2026-01-01')").ok());
  ASSERT_TRUE(two().Execute("begin; delete from t; insert into t values ('2026-01-01')").ok());
  EXPECT_TRUE(one().Execute("commit").ok());
  EXPECT_TRUE(two().Execute("commit").ok());
  EXPECT_EQ(rig_.Read("select count(*) from t"), "2");
}

TEST_F(DuckdbTrap, KeyConflictBetweenTransactionsShowsAtCommit) {
  auto first = DuckdbTransaction::Begin(one());
  auto second = DuckdbTransaction::Begin(two());
  ASSERT_TRUE(first.ok() && second.ok());
  ASSERT_TRUE(one().Execute("insert into f values ('b', 1, 0)").ok());
  ASSERT_TRUE(two().Execute("insert into f values ('b', 2, 0)").ok());
  EXPECT_TRUE(first->Commit().ok());
  const Status lost = second->Commit();
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.error().code(), ErrorCode::kConflict);
  EXPECT_EQ(rig_.Read("select epoch from f where part = 'b'"), "1");
}

TEST_F(DuckdbTrap, DateComparedWithZonedTextIsCutSilently) {
  EXPECT_EQ(rig_.Read("select date '2026-01-01' = '2026-01-01T23:00:00+02:00'"), "true");
}

TEST_F(DuckdbTrap, DeleteInWithIsNoStatement) {
  EXPECT_FALSE(one().Query("with d as (delete from f returning *) select * from d").ok());
  EXPECT_FALSE(one().Query("select * from f for update").ok() &&
               two().Execute("update f set epoch = 9").ok() == false);
}

TEST_F(DuckdbTrap, TransactionWritesOneAttachedFile) {
  ASSERT_TRUE(
      one().Execute("attach ':memory:' as elsewhere; create table elsewhere.main.t (a int)").ok());
  ASSERT_TRUE(one().Execute("begin; update f set epoch = 2").ok());
  EXPECT_FALSE(one().Execute("insert into elsewhere.main.t values (1)").ok());
  EXPECT_TRUE(one().Execute("rollback").ok());
}

}  // namespace
}  // namespace retrofill
