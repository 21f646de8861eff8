#include "warehouse/duckdb_scratch.h"

#include <absl/time/civil_time.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/file.h"
#include "warehouse/duckdb_warehouse.h"

namespace retrofill {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class DuckdbScratchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "scratch-" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    ASSERT_TRUE(RemoveFolder(folder_).ok() && MakeFolders(folder_).ok());
    {
      auto database = DuckdbDatabase::Open(folder_ + "/p.duckdb", DuckdbAccess::kReadWrite);
      auto connection = (*database)->Connect();
      ASSERT_TRUE(
          (*connection)
              ->Execute("create table orders (id bigint primary key, ts timestamp, "
                        "note text, n integer); insert into orders select i, timestamp "
                        "'2026-03-01' + interval (i) hour, 'x' || i, i from range(72) t(i); "
                        "create table daily as select date '2026-03-01' as day, 1 as n")
              .ok());
    }
    warehouse_ = *OpenDuckdb(folder_ + "/p.duckdb", Access::kReadOnly);
    scratch_ = *warehouse_->OpenScratch(folder_ + "/scratch");
    Grid::Spec spec;
    spec.by = "day";
    space_ = std::make_unique<PartitionSpace>(*Grid::Make(spec), std::vector<Dimension>(), true);
    copy_.from.sql = "\"orders\"";
    copy_.from.time = TimeColumn{"ts", ColumnKind::kTimestampUtc, Zone()};
    copy_.shape.columns = {{"id", "BIGINT", false},
                           {"ts", "TIMESTAMP", true},
                           {"note", "VARCHAR", true},
                           {"n", "INTEGER", true}};
    copy_.space = space_.get();
    const absl::Time day = absl::FromCivil(absl::CivilDay(2026, 3, 2), absl::UTCTimeZone());
    unit_ = PartitionSet::Of(*space_, {{space_->grid().Containing(day), 0}});
  }

  int64_t Count(const std::string& select) {
    const auto count = scratch_->CountOf(select);
    EXPECT_TRUE(count.ok()) << select << ": " << (count.ok() ? "" : count.error().message());
    return count.ok() ? *count : -1;
  }
  // What a select gives as one whole number under some surroundings.
  int64_t Under(const std::string& sql, const ScratchSurroundings& surroundings) {
    ScratchSelect select{sql, {{{"x", "BIGINT", true}}}, {{{"x", "BIGINT", true}}}};
    const auto rows = scratch_->Compute("run", select, surroundings);
    EXPECT_TRUE(rows.ok()) << (rows.ok() ? "" : rows.error().message());
    Side side;
    side.sql = "\"run\"";
    const std::string relation = scratch_->Relation("main", side);
    return Count("select x from " + relation);
  }

  std::string folder_;
  std::unique_ptr<Warehouse> warehouse_;
  std::unique_ptr<Scratch> scratch_;
  std::unique_ptr<PartitionSpace> space_;
  ScratchCopy copy_;
  PartitionSet unit_;
};

TEST_F(DuckdbScratchTest, ItsFileGoesWithIt) {
  EXPECT_THAT(*ListFolder(folder_ + "/scratch"), Not(IsEmpty()));
  scratch_.reset();
  EXPECT_THAT(*ListFolder(folder_ + "/scratch"), IsEmpty());
}

TEST_F(DuckdbScratchTest, AWindowIsCopiedWithSentinelsAroundIt) {
  copy_.window = unit_;
  ASSERT_TRUE(scratch_->Copy("c", copy_).ok());
  const std::string relation = scratch_->Relation("c", copy_.from);
  const std::string inside = " where ts >= '2026-03-02' and ts < '2026-03-03'";
  EXPECT_EQ(Count("select count(*) from " + relation + inside), 24);
  EXPECT_EQ(Count("select count(*) from " + relation + " where ts = '2026-03-03'"), 1);
  EXPECT_EQ(Count("select count(*) from " + relation + " where ts = '2026-03-01 23:59:59.999999'"),
            1);
  EXPECT_EQ(Count("select count(*) from " + relation), 28);
  EXPECT_EQ(Count("select count(*) from (select * from " + relation + inside +
                  " except all select * from orders)"),
            0);
}

TEST_F(DuckdbScratchTest, AnEditedCopyKeepsItsKeysAndNothingElse) {
  copy_.edited = true;
  copy_.keep = {"id"};
  ASSERT_TRUE(scratch_->Copy("c", copy_).ok());
  const std::string relation = scratch_->Relation("c", copy_.from);
  EXPECT_EQ(Count("select count(*) from " + relation +
                  " c join orders o using (id) where c.note = o.note || '~' and c.n = o.n + 1 and "
                  "c.ts > o.ts"),
            72);
}

TEST_F(DuckdbScratchTest, ADrawnOrderHoldsTheSameRowsElsewhere) {
  copy_.order = 7;
  ASSERT_TRUE(scratch_->Copy("c", copy_).ok());
  const std::string relation = scratch_->Relation("c", copy_.from);
  EXPECT_EQ(Count("select count(*) from (select * from " + relation +
                  " except all select * from orders)"),
            0);
  EXPECT_GT(Count("select count(*) from (select id, row_number() over () - 1 as place from " +
                  relation + ") where id <> place"),
            36);
}

TEST_F(DuckdbScratchTest, EveryClockReadsTheClockThatIsSet) {
  ScratchSurroundings past;
  past.clock = absl::FromCivil(absl::CivilSecond(1986, 3, 2, 5, 6, 7), absl::UTCTimeZone());
  for (const char* form :
       {"now()", "current_timestamp", "get_current_timestamp()", "transaction_timestamp()",
        "current_date", "today()", "localtimestamp", "current_localtimestamp()"}) {
    EXPECT_EQ(Under(fmt::format("select year({}) as x", form), past), 1986) << form;
  }
  for (const char* form : {"localtime", "current_localtime()"}) {
    EXPECT_EQ(Under(fmt::format("select hour({}) as x", form), past), 5) << form;
  }
  EXPECT_EQ(Under("select date_part('year', age(timestamp '1976-03-01')) as x", past), 10);
  EXPECT_EQ(Under("select date_part('year', age(timestamp '2000-03-01', timestamp '1990-03-01')) "
                  "as x",
                  past),
            10);
}

TEST_F(DuckdbScratchTest, AZoneIsSetForTheRunAlone) {
  ScratchSurroundings far;
  far.zone = "Asia/Kathmandu";
  EXPECT_EQ(Under("select hour(timestamptz '2026-03-01 00:00:00+00') as x", far), 5);
  EXPECT_EQ(Count("select hour(timestamptz '2026-03-01 00:00:00+00')"), 0);
}

TEST_F(DuckdbScratchTest, FactsSeeRowsOutsideAndKeysTwice) {
  RelationShape shape{{{"day", "DATE", true}, {"n", "INTEGER", true}}};
  ScratchSelect select{
      "select * from (values (date '2026-03-02', 1), (date '2026-03-02', 1), "
      "(date '2026-03-03', 2), (date '2026-03-02', null)) t(day, n)",
      shape, shape};
  ASSERT_TRUE(scratch_->Compute("r", select, {}).ok());
  FactsRequest request;
  request.shape = shape;
  request.side.time = TimeColumn{"day", ColumnKind::kDate, Zone()};
  request.space = space_.get();
  request.unit = unit_;
  request.grain = {"day", "n"};
  const auto facts = scratch_->Facts("r", request);
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->rows, 3);
  EXPECT_EQ(facts->outside, 1);
  EXPECT_EQ(facts->duplicate_keys, 1);
  EXPECT_EQ(facts->null_keys, 1);
}

TEST_F(DuckdbScratchTest, OnlyTheColumnsThatDifferAreNamed) {
  RelationShape shape{{{"day", "DATE", true}, {"k", "INTEGER", true}, {"n", "INTEGER", true}}};
  const auto compute = [&](const char* name, const char* values) {
    ScratchSelect select{fmt::format("select * from (values {}) t(day, k, n)", values), shape,
                         shape};
    ASSERT_TRUE(scratch_->Compute(name, select, {}).ok());
  };
  compute("a", "(date '2026-03-02', 1, 10), (date '2026-03-02', 2, 20)");
  compute("b", "(date '2026-03-02', 1, 20), (date '2026-03-02', 2, 10)");
  FactsRequest request;
  request.shape = shape;
  request.side.time = TimeColumn{"day", ColumnKind::kDate, Zone()};
  request.space = space_.get();
  request.unit = unit_;
  request.grain = {"day", "k"};
  EXPECT_NE(scratch_->Facts("a", request)->digest, scratch_->Facts("b", request)->digest);
  EXPECT_THAT(*scratch_->DifferingColumns("a", "b", request), ElementsAre("n"));
  request.left_out = {"n"};
  EXPECT_EQ(scratch_->Facts("a", request)->digest, scratch_->Facts("b", request)->digest);
}

TEST_F(DuckdbScratchTest, KeysOfAPrimaryKeyAreKnown) {
  EXPECT_THAT(*scratch_->KeyColumns(copy_.from), ElementsAre("id"));
}

TEST_F(DuckdbScratchTest, EveryTableOfTheSchemaIsWatched) {
  EXPECT_THAT(*scratch_->Watch("daily", std::nullopt, {copy_.from}), SizeIs(2));
}

}  // namespace
}  // namespace retrofill
