// What a proof says besides its verdict, how long it holds, and what it leaves behind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/clock.h"
#include "base/file.h"
#include "engine/proof_runs.h"
#include "engine/prover_fixture_test.h"
#include "engine/static_rules.h"

namespace retrofill {
namespace {

using ::testing::IsEmpty;

TEST_F(ProverTest, AnAllowedWarningIsSettledWithItsReason) {
  const std::string sql =
      "-- retrofill: allow I0119 columns are pinned by the table\nselect * from (" +
      Daily("count(*) as n") + ")";
  const ProofReport report = Prove(sql);
  EXPECT_TRUE(report.proven) << Text(report);
  EXPECT_THAT(report.diagnostics, IsEmpty());
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].settled, "allowed: columns are pinned by the table");
}

TEST_F(ProverTest, WarningsAreListedAndDoNotStop) {
  Execute("copy (select 1 as factor) to '" + folder_ + "/factor.csv'");
  const std::pair<std::string, std::string> cases[] = {
      {"I0106",
       "select ts::date as day, kind, count(*) as n from {{ source('orders') }} where ts >= "
       ":interval_start and ts < :interval_end group by 1, 2"},
      {"I0115", Daily("approx_count_distinct(customer_id) as n")},
      {"I0116", Daily("max(current_user) as n")},
      {"I0118",
       Daily("count(*) * (select factor from read_csv('" + folder_ + "/factor.csv')) as n")}};
  for (const auto& [id, sql] : cases) {
    const ProofReport report = Prove(sql);
    EXPECT_TRUE(report.proven) << Text(report);
    ASSERT_EQ(report.diagnostics.size(), 1U) << Text(report);
    EXPECT_EQ(report.diagnostics[0].id, id);
    EXPECT_EQ(report.diagnostics[0].level, Level::kWarning);
  }
}

TEST_F(ProverTest, ASelectThatWasNotTakenApartIsI0100) {
  auto warehouse = OpenDuckdb(Path(), Access::kReadOnly);
  auto session = (*warehouse)->Connect();
  auto context = BindTable(project_, table_, Daily("count(*) as n"), **session, absl::UnixEpoch());
  ASSERT_TRUE(context.ok());
  const auto clock = MakeSystemClock();
  ProveRequest request;
  request.context = &*context;
  request.clock = clock.get();
  auto scratch = (*warehouse)->OpenScratch(folder_ + "/scratch");
  ASSERT_TRUE(scratch.ok());
  const ProofRuns runs(request, **scratch);  // not analysed
  const auto hazards = FindHazards(*context, runs);
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_EQ(hazards[0].diagnostic.id, "I0100");
}

TEST_F(ProverTest, ProductionAndFolderAreAsBefore) {
  Execute(
      "create table daily as select ts::date as day, kind, count(*) as n from orders "
      "group by 1, 2");
  const std::string digest =
      "select sum(hash(hash(1, id, ts, amount, price, kind)))::varchar || "
      "(select count(*) from daily) from orders";
  const std::string before = Value(digest);
  Prove(Daily("count(*) + random() as n"));
  EXPECT_EQ(Value(digest), before);
  EXPECT_THAT(*ListFolder(folder_ + "/scratch"), IsEmpty());
}

TEST_F(ProverTest, ATransformThatFailsIsAnErrorAndLeavesNothing) {
  auto warehouse = OpenDuckdb(Path(), Access::kReadOnly);
  auto session = (*warehouse)->Connect();
  auto context = BindTable(project_, table_, Daily("cast(max(kind) as integer) as n"), **session,
                           absl::UnixEpoch());
  ASSERT_TRUE(context.ok());
  const auto clock = MakeSystemClock();
  ProveRequest request;
  request.context = &*context;
  request.planned = PartitionSet::Rectangle(
      {context->space->grid().Containing(*context->space->grid().begin())}, {{0, 1}});
  request.as_of = absl::UnixEpoch();
  request.warehouse = warehouse->get();
  request.scratch_folder = folder_ + "/scratch";
  request.clock = clock.get();
  EXPECT_FALSE(retrofill::Prove(request).ok());
  EXPECT_THAT(*ListFolder(folder_ + "/scratch"), IsEmpty());
}

TEST_F(ProverTest, ACertificateLapsesWithTheTransformAndTheColumns) {
  const ProofReport report = Prove(Daily("count(*) as n"));
  ASSERT_TRUE(report.proven);
  auto warehouse = OpenDuckdb(Path(), Access::kReadOnly);
  auto session = (*warehouse)->Connect();
  const auto lapse = [&](const std::string& sql, const std::string& version, absl::Duration later) {
    auto context = BindTable(project_, table_, sql, **session, absl::UnixEpoch());
    return CertificateLapse(report.certificate, *context, (*warehouse)->EngineTag(), version,
                            MakeSystemClock()->Now() + later, absl::Hours(24));
  };
  EXPECT_EQ(lapse(Daily("count(*) as n /* the same */"), "0.1.3", {}), "");
  EXPECT_EQ(lapse(Daily("count(*) + 1 as n"), "0.1.0", {}), "the transform's text changed");
  EXPECT_EQ(lapse(Daily("count(*) as n"), "0.2.0", {}), "the version of retrofill changed");
  EXPECT_EQ(lapse(Daily("count(*) as n"), "0.1.0", absl::Hours(25)), "it is older than 1d");
  table_.grain = {"day"};
  EXPECT_EQ(lapse(Daily("count(*) as n"), "0.1.0", {}), "the grain changed");
}

}  // namespace
}  // namespace retrofill
