// Proofs of transforms whose result depends on the order of rows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/prover_fixture_test.h"

namespace retrofill {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST_F(ProverTest, LimitsWithTiesAreI0205) {
  table_.grain = {"day"};
  const std::string top =
      "select ts::date as day, kind, count(*) as n" + std::string(kFrom) + "group by 1, 2 ";
  ExpectRejected(top + "limit 1", "I0205");
  ExpectRejected(top + "order by n desc limit 1", "I0205");
  ExpectProven("select ts::date as day, kind, count(*) as n" + std::string(kFrom) +
               "group by 1, 2 order by n desc, kind limit 1");
}

TEST_F(ProverTest, NumberedRowsWithTiesAreI0205) {
  table_.grain = {"day", "id"};
  const std::string numbered =
      "select ts::date as day, id, row_number() over (partition by "
      "ts::date order by ";
  ExpectRejected(numbered + "kind) as n" + kFrom, "I0205");
  ExpectProven(numbered + "kind, id) as n" + kFrom);
  ExpectProven(
      "select ts::date as day, id, rank() over (partition by ts::date order by kind) as n" +
      std::string(kFrom));
}

TEST_F(ProverTest, AggregatesThatTakeAnyRowAreI0205) {
  for (const char* column :
       {"string_agg(id::varchar, ',')", "first(id)", "any_value(id)", "arg_max(id, kind)",
        "mode(customer_id)", "list(id)", "array_agg(id order by kind)"}) {
    ExpectRejected(Daily(std::string(column) + " as x"), "I0205");
  }
}

TEST_F(ProverTest, OrdersThatTheDataDecideAreSettled) {
  for (const char* column :
       {"string_agg(id::varchar, ',' order by id)", "first(id order by ts)", "any_value(kind)",
        "arg_max(id, ts)", "list(id order by id)", "mode(kind)", "max_by(amount, id)"}) {
    ExpectProven(Daily(std::string(column) + " as x"));
  }
}

TEST_F(ProverTest, EveryOpenOrderIsAFindingThatTheDataSettle) {
  const std::pair<std::string, std::string> cases[] = {
      {"I0110", "select ts::date as day, kind, count(*) as n" + std::string(kFrom) +
                    "group by 1, 2 order by kind limit 3"},
      {"I0111", Daily("row_number() over (partition by ts::date order by kind) as n")},
      {"I0112", Daily("any_value(kind) as n")},
      {"I0113", "select distinct on (kind) ts::date as day, kind, id as n" + std::string(kFrom) +
                    "order by kind, id"}};
  for (const auto& [id, sql] : cases) {
    const ProofReport report = Prove(sql);
    ASSERT_EQ(report.findings.size(), 1U) << Text(report);
    EXPECT_EQ(report.findings[0].diagnostic.id, id);
    EXPECT_EQ(report.findings[0].settled, "the data decide the order in all of 10 partitions");
  }
}

TEST_F(ProverTest, FloatSumsAreI0205WithTheRuleAsANote) {
  const ProofReport report = Prove(Daily("sum(price) as total"));
  ASSERT_THAT(Errors(report), Contains("I0205")) << Text(report);
  EXPECT_THAT(report.diagnostics[0].notes, Contains(HasSubstr("I0114"))) << Text(report);
  ExpectProven(Daily("sum(price::decimal(38, 6)) as total"));
}

TEST_F(ProverTest, ApproximateQuantilesAndSamplesAreRejected) {
  ExpectRejected(
      "select ts::date as day, kind, approx_quantile(price * x, 0.37) as q from {{ "
      "source('orders') }}, range(40) as r(x) where {{ window('orders') }} group by 1, 2",
      "I0205");
  ExpectRejected(
      "select ts::date as day, kind, count(*) as n from (select * from {{ "
      "source('orders') }} where {{ window('orders') }} using sample 10 percent "
      "(bernoulli)) group by 1, 2",
      "I0102");
  ExpectProven(Daily("approx_count_distinct(customer_id) as n"));
}

TEST_F(ProverTest, DistinctOnWithoutATotalOrderIsI0205) {
  ExpectRejected("select distinct on (kind) ts::date as day, kind, id" + std::string(kFrom),
                 "I0205");
  ExpectProven("select distinct on (kind) ts::date as day, kind, id" + std::string(kFrom) +
               "order by kind, id");
}

}  // namespace
}  // namespace retrofill
