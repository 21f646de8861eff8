#include <absl/time/civil_time.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "transform/transform_sides.h"
#include "warehouse/duckdb_warehouse.h"

namespace retrofill {
namespace {

using ::testing::HasSubstr;

class UnitContextTest : public ::testing::Test {
 protected:
  void SetUp() override {
    warehouse_ = *OpenDuckdb(":memory:", Access::kReadWrite);
    auto* duckdb = static_cast<DuckdbWarehouse*>(warehouse_.get());
    auto writer = duckdb->ConnectDuckdb();
    ASSERT_TRUE((*writer)
                    ->connection()
                    .Execute("create table orders (id bigint, ts timestamp, region varchar); "
                             "create table rates (currency varchar, rate double)")
                    .ok());
    session_ = *warehouse_->Connect();
    Source orders;
    orders.name = orders.relation = "orders";
    orders.event_time = "ts";
    project_.sources["orders"] = orders;
    Source rates;
    rates.name = rates.relation = "rates";
    project_.sources["rates"] = rates;
    table_.name = table_.relation = "daily";
    PartitionSpec partition;
    partition.by = "day";
    partition.column = "day";
    partition.dimensions = {{"region", DimensionType::kText, {{"eu"}, {"it's"}}}};
    table_.partition = partition;
  }

  static std::string TextOf(const Error& error) {
    std::string text = error.id() + " " + error.message();
    for (const std::string& note : error.diagnostic().notes) text += "; " + note;
    return text;
  }
  // The statement for one partition; the error's text where there is none.
  std::string Rendered(const std::string& text, const std::string& region = "eu") {
    auto sql = ParseSqlTemplate("sql/daily.sql", text);
    if (!sql.ok()) return sql.error().id();
    auto sides = ResolveSides(project_, table_, *sql, *session_);
    if (!sides.ok()) return TextOf(sides.error());
    auto space = SpaceOf(table_, *sides);
    const absl::Time day = space->grid().zone().StartOfDate(absl::CivilDay(2026, 3, 29));
    const Partition partition{space->grid().Containing(day),
                              *space->CellOf({DimensionValue{region}})};
    const absl::Time as_of =
        absl::FromCivil(absl::CivilSecond(2026, 4, 1, 9, 30), absl::UTCTimeZone());
    auto rendered = Render(
        *sql, ContextFor(table_, *sides, *space, PartitionSet::Of(*space, {partition}), as_of));
    return rendered.ok() ? rendered->sql : TextOf(rendered.error());
  }

  Project project_;
  Table table_;
  std::unique_ptr<Warehouse> warehouse_;
  std::unique_ptr<Session> session_;
};

TEST_F(UnitContextTest, ParametersAreTypedLiterals) {
  const std::string sql = Rendered(
      "select date '2026-03-29' as day, region, :interval_start, :interval_end, :as_of, :region, "
      ":partition from {{ source('orders') }}",
      "it's");
  EXPECT_THAT(sql, HasSubstr("TIMESTAMP '2026-03-29 00:00:00', TIMESTAMP '2026-03-30 00:00:00'"));
  EXPECT_THAT(sql, HasSubstr("TIMESTAMPTZ '2026-04-01 09:30:00+00'"));
  EXPECT_THAT(sql, HasSubstr("'it''s'"));
}

TEST_F(UnitContextTest, AWindowCutsInTheTablesZoneAndByItsDimension) {
  table_.timezone = "Europe/Berlin";
  const std::string sql = Rendered(
      "select date '2026-03-29' as day, region from {{ source('orders') }} where {{ "
      "window('orders') }}");
  // 23 hours: clocks go forward.
  EXPECT_THAT(sql, HasSubstr("TIMESTAMP '2026-03-28 23:00:00"));
  EXPECT_THAT(sql, HasSubstr("TIMESTAMP '2026-03-29 22:00:00"));
  EXPECT_THAT(sql, HasSubstr("\"region\" = 'eu'"));
}

TEST_F(UnitContextTest, OnlyTheWindowIsWidened) {
  Input orders;
  orders.source = "orders";
  orders.before = {2, Span::Unit::kDay};
  table_.inputs = {orders};
  const std::string from = "select date '2026-03-29' as day, region from {{ source('orders') }} ";
  EXPECT_THAT(Rendered(from + "where {{ window('orders') }}"), HasSubstr("2026-03-27"));
  EXPECT_THAT(Rendered(from + "where {{ interval('orders') }}"), Not(HasSubstr("2026-03-27")));
}

TEST_F(UnitContextTest, AnInputWithoutEventTimeHasNoWindow) {
  EXPECT_THAT(Rendered("select date '2026-03-29' as day, currency as region from {{ "
                       "source('rates') }} where {{ window('rates') }}"),
              HasSubstr("`rates` has no `event_time`"));
}

TEST_F(UnitContextTest, AnUnknownSourceIsC0109) {
  EXPECT_THAT(Rendered("select 1 from {{ source('order') }}"), HasSubstr("C0109"));
}

TEST_F(UnitContextTest, ASourceThatIsGoneIsP0303) {
  project_.sources["orders"].relation = "nowhere";
  EXPECT_THAT(Rendered("select 1 from {{ source('orders') }}"), HasSubstr("P0303"));
}

TEST_F(UnitContextTest, AMissingEventTimeIsC0103) {
  project_.sources["orders"].event_time = "tz";
  EXPECT_THAT(Rendered("select 1 from {{ source('orders') }}"), HasSubstr("C0103"));
}

}  // namespace
}  // namespace retrofill
