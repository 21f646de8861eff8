// Proofs of transforms whose values come from elsewhere than their inputs: clocks, chance, the
// target.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/prover_fixture_test.h"

namespace retrofill {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

TEST_F(ProverTest, ASumOfDecimalsIsProven) {
  const ProofReport report = Prove(Daily("count(*) as n, sum(amount) as total"));
  EXPECT_TRUE(report.proven) << Text(report);
  EXPECT_TRUE(report.batch_proven);
  EXPECT_EQ(report.ok, 8) << Text(report);
  EXPECT_THAT(report.diagnostics, IsEmpty());
  EXPECT_EQ(lapse_, "");
}

TEST_F(ProverTest, ClocksAreI0101) {
  ExpectRejected(Daily("count(*) as n, now() as loaded_at"), "I0101");
  ExpectRejected(Daily("count(*) as n, current_timestamp as loaded_at"), "I0101");
  ExpectRejected(Daily("count(*) as n, max(age(ts)) as old"), "I0101");
  ExpectRejected("select ts::date as day, kind, count(*) as n" + std::string(kFrom) +
                     "and ts >= current_date - interval 3 year group by 1, 2",
                 "I0101");
  ExpectRejected(Daily("max(date_diff('year', ts, current_date)) as years"), "I0101");
}

TEST_F(ProverTest, AClockIsShownWhereItStands) {
  const ProofReport report =
      Prove("select ts::date as day,\n       kind,\n       now()    as loaded_at" +
            std::string(kFrom) + "group by 1, 2");
  ASSERT_EQ(report.diagnostics.size(), 1U) << Text(report);
  const Diagnostic& diagnostic = report.diagnostics[0];
  EXPECT_EQ(diagnostic.message, "the result depends on the wall clock");
  EXPECT_EQ(diagnostic.origin->file, "sql/daily.sql");
  EXPECT_EQ(diagnostic.origin->line, 3);
  EXPECT_EQ(diagnostic.origin->column, 8);
  EXPECT_EQ(diagnostic.origin->length, 5);
  EXPECT_EQ(diagnostic.origin->label, "evaluated at run time");
  EXPECT_EQ(diagnostic.origin->lines.size(), 2U);
  EXPECT_THAT(diagnostic.notes, Contains("6 of 6 partitions differ, only in `loaded_at`"));
  EXPECT_THAT(diagnostic.helps, Contains("use `:as_of`, which is fixed per plan"));
  EXPECT_THAT(diagnostic.helps,
              Contains("or set it aside: `proof: {ignore_columns: {loaded_at: \"load stamp\"}}` in "
                       "tables.daily"));
  EXPECT_EQ(report.failed, 1) << Text(report);
  EXPECT_EQ(report.ok, 7) << Text(report);
}

TEST_F(ProverTest, AClockInAColumnThatIsSetAsideIsProven) {
  table_.proof.ignore_columns["loaded_at"] = "load stamp";
  ExpectProven(Daily("count(*) as n, now() as loaded_at"));
  ExpectProven(Daily("count(*) as n, :as_of as loaded_at"));
}

TEST_F(ProverTest, RandomNumbersAndSequencesAreI0102) {
  ExpectRejected(Daily("count(*) + random() as n"), "I0102");
  ExpectRejected(Daily("count(*) as n, uuid() as id"), "I0102");
  access_ = Access::kReadWrite;
  ExpectRejected(Daily("count(*) as n, nextval('numbers') as id"), "I0102");
  EXPECT_EQ(Value("select coalesce(last_value, -1) from duckdb_sequences()"), "-1");
}

TEST_F(ProverTest, ReadingTheTargetIsI0202) {
  Execute(
      "create table daily as select ts::date as day, kind, count(*) as n from orders "
      "group by 1, 2");
  ExpectRejected(Daily("count(*) + (select max(n) from {{ this }}) as n"), "I0202");
  ExpectRejected(
      "select ts::date as day, kind, count(*) + coalesce((select sum(n) from {{ this }} "
      "as old where old.day = :interval_start), 0) as n" +
          std::string(kFrom) + "group by 1, 2",
      "I0202");
}

TEST_F(ProverTest, ARunningTotalOverEarlierPartitionsOfItselfIsProven) {
  Execute(
      "create table daily as select ts::date as day, kind, count(*) as n from orders "
      "group by 1, 2");
  Input own;
  own.table = "daily";
  own.before = {1, Span::Unit::kDay};
  table_.self_reference = true;
  project_.tables["daily"] = table_;
  Input orders;
  orders.source = "orders";
  table_.inputs = {orders, own};
  ExpectProven(
      "select ts::date as day, kind, count(*) + coalesce((select sum(n) from {{ this }} as "
      "old where old.day = :interval_start - interval 1 day and old.kind = o.kind), 0) as n "
      "from {{ source('orders') }} as o where {{ window('orders') }} group by 1, 2");
}

TEST_F(ProverTest, TheTargetByItsOwnNameIsI0107) {
  Execute(
      "create table daily as select ts::date as day, kind, count(*) as n from orders "
      "group by 1, 2");
  ExpectRejected(Daily("count(*) + 0 * (select count(*) from daily) as n"), "I0107");
}

TEST_F(ProverTest, ASecondRunThatReadsItsOwnRowsIsI0201) {
  Execute(
      "create table daily as select ts::date as day, kind, count(*) as n from orders "
      "where false group by 1, 2");
  ExpectRejected(Daily("count(*) + (select count(*) from {{ this }} as old where old.day = "
                       ":interval_start) as n"),
                 "I0201");
}

TEST_F(ProverTest, TheSessionsZoneIsI0205) {
  ExpectRejected(Daily("hour(to_timestamp(epoch(min(ts)))) as h"), "I0205");
}

TEST_F(ProverTest, ARelationByItsOwnNameCannotBeTold) {
  ExpectRejected(
      "select ts::date as day, kind, count(*) as n from {{ source('orders') }} where "
      "{{ window('orders') }} and customer_id in (select id from customers) group by 1, 2",
      "I0208");
}

}  // namespace
}  // namespace retrofill
