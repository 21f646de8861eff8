// Proofs of transforms that read or write more than their partition.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/prover_fixture_test.h"

namespace retrofill {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST_F(ProverTest, AnAverageOverTheWholeSourceIsRejected) {
  const ProofReport report =
      Prove(Daily("count(*) as n, (select avg(price) from {{ source('orders') }}) as typical"));
  EXPECT_FALSE(report.proven);
  EXPECT_THAT(Errors(report), ::testing::AnyOf(Contains("I0204"), Contains("I0205")));
}

TEST_F(ProverTest, ARunningTotalOverAllDaysIsI0204) {
  ExpectRejected(
      "select * from (select ts::date as day, kind, count(*) as c, sum(count(*)) over "
      "(order by ts::date, kind) as n from {{ source('orders') }} group by 1, 2) where "
      "day >= :interval_start and day < :interval_end",
      "I0204");
}

TEST_F(ProverTest, ARankOverAllDaysIsI0204) {
  ExpectRejected(
      "select * from (select ts::date as day, kind, rank() over (order by count(*) desc, "
      "ts::date) as n from {{ source('orders') }} group by 1, 2) where day = "
      ":interval_start::date",
      "I0204");
}

TEST_F(ProverTest, AnInputWithoutWindowThatMattersIsI0117) {
  ExpectRejected(
      "select ts::date as day, kind, sum(factor) as n from {{ source('orders') }} join "
      "{{ source('customers') }} c on c.id = customer_id where {{ window('orders') }} "
      "group by 1, 2",
      "I0117");
}

TEST_F(ProverTest, AnInputWithoutWindowOfWhichOnlyKeysAreReadIsProven) {
  ExpectProven(
      "select ts::date as day, kind, count(*) as n from {{ source('orders') }} join "
      "{{ source('customers') }} c on c.id = customer_id where {{ window('orders') }} "
      "group by 1, 2");
}

TEST_F(ProverTest, ADayCutInAnotherZoneIsI0203) {
  table_.timezone = "Europe/Berlin";
  table_.partition->begin = "2026-03-25";
  Execute("update orders set ts = ts + interval 24 day");
  ExpectRejected(Daily("count(*) as n"), "I0203");
  ExpectProven(
      "select (ts at time zone 'UTC' at time zone 'Europe/Berlin')::date as day, kind, "
      "count(*) as n" +
      std::string(kFrom) + "group by 1, 2");
}

TEST_F(ProverTest, BoundsThatIncludeTheEndAreI0203) {
  ExpectRejected(
      "select ts::date as day, kind, count(*) as n from {{ source('orders') }} where ts "
      "between :interval_start and :interval_end group by 1, 2",
      "I0203");
}

TEST_F(ProverTest, AJoinThatDoublesIsR0302) {
  ExpectRejected(
      "select ts::date as day, kind, count(*) as n from {{ source('orders') }}, "
      "(values (1), (2)) as d(x) where {{ window('orders') }} group by 1, 2, x",
      "R0302");
}

TEST_F(ProverTest, ATransformThatABatchChangesIsBuiltOneByOne) {
  table_.grain = {"day"};
  const ProofReport report =
      Prove("select min(ts)::date as day, min(kind) as kind, count(*) as n" + std::string(kFrom));
  EXPECT_TRUE(report.proven) << Text(report);
  EXPECT_FALSE(report.batch_proven);
  EXPECT_THAT(Text(report), HasSubstr("I0206"));
}

TEST_F(ProverTest, OrdinaryTransformsAreProven) {
  ExpectProven(
      "with daily_rows as (select *, lag(amount) over (partition by kind, ts::date order by id) as "
      "before from {{ source('orders') }} where {{ window('orders') }}) select ts::date as "
      "day, kind, count(distinct customer_id) as customers, sum(amount - "
      "coalesce(before, 0)) as moved, list(distinct customer_id % 3 order by customer_id % "
      "3) as thirds, max(amount) filter (where kind = 'a') as top from daily_rows group by "
      "all");
  ExpectProven(
      "select ts::date as day, a.kind, count(*) as n from {{ source('orders') }} a join "
      "(select distinct kind from {{ source('orders') }} where {{ window('orders') }}) b on "
      "a.kind = b.kind where {{ window('orders') }} group by 1, 2");
  ExpectProven("select distinct ts::date as day, kind" + std::string(kFrom));
}

TEST_F(ProverTest, ASelfMadeDimensionIsProven) {
  table_.partition->dimensions = {{"kind", DimensionType::kText, {{"a"}, {"b"}, {"c"}, {"d"}}}};
  ExpectProven(Daily("count(*) as n"));
}

TEST_F(ProverTest, ATransformThatIgnoresADimensionIsI0203) {
  table_.partition->dimensions = {{"kind", DimensionType::kText, {{"a"}, {"b"}, {"c"}, {"d"}}}};
  ExpectRejected(
      "select ts::date as day, kind, count(*) as n from {{ source('orders') }} where ts >= "
      ":interval_start and ts < :interval_end group by 1, 2",
      "I0203");
}

TEST_F(ProverTest, AListedNullDimensionValueIsNoReadOutsideTheWindow) {
  Execute("update orders set kind = null where kind = 'd'");
  table_.partition->dimensions = {
      {"kind", DimensionType::kText, {{"a"}, {"b"}, {"c"}, {std::nullopt}}}};
  table_.grain = {};
  const ProofReport report = Prove(Daily("count(*) as n"));
  EXPECT_TRUE(report.proven) << Text(report);
}

}  // namespace
}  // namespace retrofill
