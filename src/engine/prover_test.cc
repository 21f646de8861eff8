#include "engine/prover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "engine/proof_runs.h"
#include "engine/static_rules.h"
#include "warehouse/duckdb_warehouse.h"

namespace retrofill {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A source of ten days with ties everywhere, a dimension, and a target with right rows.
constexpr const char* kSetUp = R"(
create table orders as
  select i as id, i % 1000 as customer_id, timestamp '2026-03-01' + interval (i * 28800) millisecond as ts,
         cast(i % 997 as decimal(18, 2)) as amount, sqrt(i) as price,
         ['a', 'b', 'c', 'd'][i % 4 + 1] as kind
  from range(30000) t(i);
create table customers (id bigint primary key, name text, factor integer);
insert into customers select i, 'name ' || i, i % 7 from range(1000) t(i);
create sequence numbers;
)";

class ProverTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "prover-" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    ASSERT_TRUE(RemoveFolder(folder_).ok());
    ASSERT_TRUE(MakeFolders(folder_).ok());
    project_.folder = folder_;
    Source orders;
    orders.name = "orders";
    orders.relation = "orders";
    orders.event_time = "ts";
    project_.sources["orders"] = orders;
    Source customers;
    customers.name = "customers";
    customers.relation = "customers";
    project_.sources["customers"] = customers;
    table_.name = "daily";
    table_.relation = "daily";
    table_.sql_file = "sql/daily.sql";
    PartitionSpec partition;
    partition.by = "day";
    partition.column = "day";
    partition.begin = "2026-03-01";
    table_.partition = partition;
    table_.grain = {"day", "kind"};
    Execute(kSetUp);
  }

  std::string Path() const { return folder_ + "/shop.duckdb"; }

  void Execute(const std::string& sql) {
    auto database = DuckdbDatabase::Open(Path(), DuckdbAccess::kReadWrite);
    ASSERT_TRUE(database.ok()) << database.error().message();
    auto connection = (*database)->Connect();
    ASSERT_TRUE(connection.ok());
    const auto done = (*connection)->Execute(sql);
    ASSERT_TRUE(done.ok()) << done.error().message();
  }

  std::string Value(const std::string& sql) {
    auto database = DuckdbDatabase::Open(Path(), DuckdbAccess::kReadOnly);
    auto connection = (*database)->Connect();
    return (*connection)->Query(sql)->rows[0][0].value_or("NULL");
  }

  ProofReport Prove(const std::string& sql) {
    ProofReport report;
    auto warehouse = OpenDuckdb(Path(), access_);
    EXPECT_TRUE(warehouse.ok()) << warehouse.error().message();
    auto session = (*warehouse)->Connect();
    const absl::Time as_of =
        absl::FromCivil(absl::CivilSecond(2026, 3, 20, 9), absl::UTCTimeZone());
    auto context = BindTable(project_, table_, sql, **session, as_of);
    EXPECT_TRUE(context.ok()) << (context.ok() ? "" : context.error().message());
    if (!context.ok()) return report;
    const auto clock = MakeSystemClock();
    ProveRequest request;
    request.context = &*context;
    const Grid& grid = context->space->grid();
    const Interval first = grid.Containing(*grid.begin());
    Interval hull = first;
    for (int i = 0; i < 9; ++i) hull.end = grid.Next({first.start, hull.end}).end;
    request.planned = PartitionSet::Rectangle({hull}, {{0, context->space->cell_count()}});
    request.as_of = as_of;
    request.warehouse = warehouse->get();
    request.scratch_folder = folder_ + "/scratch";
    request.seed = "seed";
    request.actor = "ana@build";
    request.version = "0.1.0";
    request.batch = table_.batch;
    request.clock = clock.get();
    auto proved = retrofill::Prove(request);
    EXPECT_TRUE(proved.ok()) << (proved.ok() ? "" : proved.error().message());
    lapse_ = proved.ok()
                 ? CertificateLapse(proved->certificate, *context, (*warehouse)->EngineTag(),
                                    "0.1.9", clock->Now(), absl::Hours(24))
                 : "no certificate";
    return proved.ok() ? *proved : report;
  }

  static std::vector<std::string> Errors(const ProofReport& report) {
    std::vector<std::string> ids;
    for (const Diagnostic& diagnostic : report.diagnostics) {
      if (diagnostic.level == Level::kError) ids.push_back(diagnostic.id);
    }
    return ids;
  }
  static std::string Text(const ProofReport& report) {
    std::string text = Join(report.HeadLines(), "\n") + "\n";
    for (const Diagnostic& diagnostic : report.diagnostics) {
      text += fmt::format("{} {}", diagnostic.id, diagnostic.message);
      if (diagnostic.origin) {
        text += fmt::format(" at {}:{}+{}", diagnostic.origin->line, diagnostic.origin->column,
                            diagnostic.origin->length);
      }
      for (const std::string& note : diagnostic.notes) text += "\n   = note: " + note;
      text += "\n";
    }
    for (const ProofFinding& finding : report.findings) {
      text += fmt::format("finding {} settled: {}\n", finding.diagnostic.id, finding.settled);
    }
    return text + report.LastLine() + fmt::format(" in {} ms\n", report.milliseconds);
  }

  void ExpectProven(const std::string& sql) {
    const ProofReport report = Prove(sql);
    EXPECT_TRUE(report.proven) << sql << "\n" << Text(report);
  }
  void ExpectRejected(const std::string& sql, const std::string& id) {
    const ProofReport report = Prove(sql);
    EXPECT_FALSE(report.proven) << sql << "\n" << Text(report);
    EXPECT_THAT(Errors(report), Contains(id)) << sql << "\n" << Text(report);
  }

  std::string folder_;
  Access access_ = Access::kReadOnly;
  Project project_;
  Table table_;
  std::string lapse_;
};

constexpr const char* kFrom = " from {{ source('orders') }} where {{ window('orders') }} ";

std::string Daily(const std::string& columns) {
  return "select ts::date as day, kind, " + columns + kFrom + "group by 1, 2";
}

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

TEST_F(ProverTest, FloatSumsAreI0205WithTheRuleAsANote) {
  const ProofReport report = Prove(Daily("sum(price) as total"));
  ASSERT_THAT(Errors(report), Contains("I0205")) << Text(report);
  EXPECT_THAT(report.diagnostics[0].notes, Contains(HasSubstr("I0114"))) << Text(report);
  ExpectProven(Daily("sum(price::decimal(38, 6)) as total"));
}

TEST_F(ProverTest, AnAverageOverTheWholeSourceIsRejected) {
  const ProofReport report =
      Prove(Daily("count(*) as n, (select avg(price) from {{ source('orders') }}) as typical"));
  EXPECT_FALSE(report.proven);
  EXPECT_THAT(Errors(report), ::testing::AnyOf(Contains("I0204"), Contains("I0205")));
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

TEST_F(ProverTest, ARunningTotalOverAllDaysIsI0204) {
  ExpectRejected(
      "select * from (select ts::date as day, kind, count(*) as c, sum(count(*)) over "
      "(order by ts::date, kind) as n from {{ source('orders') }} group by 1, 2) where "
      "day >= :interval_start and day < :interval_end",
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

TEST_F(ProverTest, TheSessionsZoneIsI0205) {
  ExpectRejected(Daily("hour(to_timestamp(epoch(min(ts)))) as h"), "I0205");
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

TEST_F(ProverTest, ARankOverAllDaysIsI0204) {
  ExpectRejected(
      "select * from (select ts::date as day, kind, rank() over (order by count(*) desc, "
      "ts::date) as n from {{ source('orders') }} group by 1, 2) where day = "
      ":interval_start::date",
      "I0204");
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

TEST_F(ProverTest, ARelationByItsOwnNameCannotBeTold) {
  ExpectRejected(
      "select ts::date as day, kind, count(*) as n from {{ source('orders') }} where "
      "{{ window('orders') }} and customer_id in (select id from customers) group by 1, 2",
      "I0208");
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

TEST_F(ProverTest, ASecondRunThatReadsItsOwnRowsIsI0201) {
  Execute(
      "create table daily as select ts::date as day, kind, count(*) as n from orders "
      "where false group by 1, 2");
  ExpectRejected(Daily("count(*) + (select count(*) from {{ this }} as old where old.day = "
                       ":interval_start) as n"),
                 "I0201");
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

}  // namespace
}  // namespace retrofill
