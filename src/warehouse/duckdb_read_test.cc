// What a session reads besides fingerprints and diffs: shapes, queries, aggregates, keys.

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>

#include "base/db/duckdb.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_session.h"

namespace retrofill {
namespace {

class DuckdbReadTest : public testing::Test {
 protected:
  DuckdbReadTest()
      : database_(std::move(DuckdbDatabase::Open(":memory:", DuckdbAccess::kReadWrite)).value()),
        session_(std::move(database_->Connect()).value(), shared_,
                 "duckdb-" + DuckdbDatabase::LibraryVersion()) {
    Grid::Spec spec;
    spec.by = "day";
    space_.emplace(*Grid::Make(spec),
                   std::vector<Dimension>{{.name = "region", .values = {{"eu"}, {"us"}}}}, true);
    Execute(
        "CREATE TABLE orders(id INTEGER NOT NULL, day DATE, region VARCHAR, amount DECIMAL(18,2), "
        "price DOUBLE); INSERT INTO orders VALUES (1,'2026-03-01','eu',1.10,1),"
        "(2,'2026-03-01','eu',2.20,2),(3,'2026-03-01','us',NULL,3),(4,'2026-03-02','eu',4.40,4),"
        "(4,'2026-03-02','eu',8.80,5),(6,'2026-03-02','us',16.00,6)");
  }

  void Execute(const std::string& sql) {
    const Result<int64_t> done = session_.connection().Execute(sql);
    ASSERT_TRUE(done.ok()) << done.error().message();
  }

  Side Orders() const {
    return {.sql = QuoteName("orders"),
            .filter = "",
            .time = TimeColumn{.name = "day", .kind = ColumnKind::kDate, .zone = {}},
            .dimension_columns = {"region"}};
  }

  Partition Day(int day, uint32_t cell) const {
    const absl::Time start = absl::FromCivil(absl::CivilDay(2026, 3, day), absl::UTCTimeZone());
    return {{start, start + absl::Hours(24)}, cell};
  }

  PartitionSet Days(int first, int end) const {
    return PartitionSet::Rectangle({{Day(first, 0).interval.start, Day(end, 0).interval.start}},
                                   {{0, 2}});
  }

  Result<std::map<Partition, AggregateRow>> Aggregates(std::vector<Aggregate> aggregates) {
    return session_.Aggregates({.side = Orders(),
                                .space = &*space_,
                                .set = Days(1, 4),
                                .aggregates = std::move(aggregates)});
  }

  std::unique_ptr<DuckdbDatabase> database_;
  DuckdbShared shared_;
  DuckdbSession session_;
  std::optional<PartitionSpace> space_;
};

TEST_F(DuckdbReadTest, DescribeGivesTypesAndNullability) {
  const RelationShape shape = session_.Describe(Orders())->value();
  ASSERT_EQ(shape.columns.size(), 5u);
  EXPECT_EQ(shape.columns[0], (ColumnShape{.name = "id", .type = "INTEGER", .nullable = false}));
  EXPECT_EQ(shape.columns[3],
            (ColumnShape{.name = "amount", .type = "DECIMAL(18,2)", .nullable = true}));
}

TEST_F(DuckdbReadTest, DescribeOfNothingIsNothingButABrokenViewIsAnError) {
  Side side = Orders();
  side.sql = R"("main"."gone")";
  EXPECT_FALSE(session_.Describe(side)->has_value());
  side.sql = R"("nowhere"."gone")";
  EXPECT_FALSE(session_.Describe(side)->has_value());
  Execute("CREATE TABLE base(a INT); CREATE VIEW v AS SELECT a FROM base; DROP TABLE base");
  side.sql = R"("main"."v")";
  EXPECT_FALSE(session_.Describe(side).ok());
}

TEST_F(DuckdbReadTest, ATargetIsATableOfPlainColumnsOrCanBeMade) {
  Execute(
      "CREATE VIEW v AS SELECT * FROM orders; CREATE TABLE g(a INT NOT NULL, \"B\" INT GENERATED "
      "ALWAYS AS (a * 2))");
  const auto check = [&](const std::string& relation) {
    Side side = Orders();
    side.sql = QuoteRelation(relation);
    return session_.CheckTarget(side, *session_.Describe(side));
  };
  EXPECT_TRUE(check("orders").ok());
  EXPECT_TRUE(check("main.new").ok());
  const Status view = check("Main.V");
  ASSERT_FALSE(view.ok());
  EXPECT_EQ(view.error().id(), "P0208");
  EXPECT_EQ(view.error().code(), ErrorCode::kRefused);
  EXPECT_NE(view.error().message().find("is a view"), std::string::npos);
  const Status schema = check("nowhere.new");
  ASSERT_FALSE(schema.ok());
  EXPECT_EQ(schema.error().id(), "P0208");
  EXPECT_NE(schema.error().diagnostic().notes[0].find("nowhere"), std::string::npos);
  const Status generated = check("g");
  ASSERT_FALSE(generated.ok());
  EXPECT_EQ(generated.error().id(), "P0208");
  EXPECT_NE(generated.error().message().find("`B`"), std::string::npos);
}

TEST_F(DuckdbReadTest, BindGivesTheColumnsOfOneSelect) {
  const RelationShape shape = *session_.Bind("select 1::BIGINT as a, 'x' as b");
  EXPECT_EQ(shape.columns[0].type, "BIGINT");
  EXPECT_EQ(shape.columns[1].name, "b");
}

TEST_F(DuckdbReadTest, BindRefusesAnythingButOneSelect) {
  for (const char* sql : {"select 1; select 2", "delete from orders", "", "drop table orders",
                          "insert into orders select * from orders"}) {
    const Result<RelationShape> bound = session_.Bind(sql);
    ASSERT_FALSE(bound.ok()) << sql;
    EXPECT_EQ(bound.error().id(), "X0205") << sql;
    EXPECT_EQ(bound.error().code(), ErrorCode::kInvalid);
  }
  EXPECT_EQ(session_.Query("select count(*) from orders", 1)->rows[0][0], "6");
}

TEST_F(DuckdbReadTest, BindShowsThePlaceInCharactersAndTheNamesThatWereNear) {
  const Result<RelationShape> bound = session_.Bind("select id,\n  'é', amuont as x\nfrom orders");
  ASSERT_FALSE(bound.ok());
  EXPECT_EQ(bound.error().id(), "X0206");
  const Diagnostic& diagnostic = bound.error().diagnostic();
  ASSERT_TRUE(diagnostic.origin);
  EXPECT_EQ(diagnostic.origin->line, 2);
  EXPECT_EQ(diagnostic.origin->column, 8);
  EXPECT_EQ(diagnostic.origin->length, 6);
  EXPECT_EQ(diagnostic.origin->lines.back(), "  'é', amuont as x");
  ASSERT_FALSE(diagnostic.helps.empty());
  EXPECT_NE(diagnostic.helps[0].find("amount"), std::string::npos);
}

TEST_F(DuckdbReadTest, BindShowsThePlaceOfASyntaxError) {
  const Result<RelationShape> bound = session_.Bind("select 1 +\nfrom where");
  ASSERT_FALSE(bound.ok());
  EXPECT_EQ(bound.error().id(), "X0206");
  ASSERT_TRUE(bound.error().diagnostic().origin);
  EXPECT_EQ(bound.error().diagnostic().origin->line, 2);
}

TEST_F(DuckdbReadTest, AQueryThatWouldBeCutOffIsIndeterminate) {
  EXPECT_EQ(session_.Query("select id from orders", 6)->rows.size(), 6u);
  const Result<Rows> cut = session_.Query("select id from orders", 5);
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().id(), "R0102");
}

TEST_F(DuckdbReadTest, AggregatesAreExactTextsPerPartition) {
  const auto rows = *Aggregates(
      {{.expression = "sum(amount)", .where = ""}, {.expression = "count(amount)", .where = ""}});
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows.at(Day(1, 0)).rows, 2);
  EXPECT_EQ(rows.at(Day(1, 0)).values[0], "3.30");
  EXPECT_EQ(rows.at(Day(1, 1)).values[0], std::nullopt);
  EXPECT_EQ(rows.at(Day(1, 1)).values[1], "0");
  EXPECT_EQ(rows.at(Day(3, 0)).rows, 0);
  EXPECT_EQ(rows.at(Day(3, 0)).values[0], std::nullopt);
  EXPECT_EQ(rows.at(Day(3, 0)).values[1], "0");
}

TEST_F(DuckdbReadTest, AFilterHoldsForTheWholeExpressionAndForItAlone) {
  const auto rows = *Aggregates({{.expression = "sum(amount) - sum(price)", .where = "id = 1"},
                                 {.expression = "count(*)", .where = "id = 99 -- none"},
                                 {.expression = "count(*) -- all", .where = ""}});
  EXPECT_EQ(rows.at(Day(1, 0)).values[0], "0.10000000000000009");
  EXPECT_EQ(rows.at(Day(1, 0)).values[1], "0");
  EXPECT_EQ(rows.at(Day(1, 0)).values[2], "2");
  EXPECT_EQ(rows.at(Day(1, 0)).rows, 2);
  EXPECT_EQ(rows.at(Day(2, 1)).values[0], std::nullopt);
}

TEST_F(DuckdbReadTest, NaNAndInfinityAreWords) {
  Execute(
      "UPDATE orders SET price = 'nan' WHERE id = 1; UPDATE orders SET price = 'inf' WHERE id = 3");
  const auto rows = *Aggregates({{.expression = "sum(price)", .where = ""}});
  EXPECT_EQ(rows.at(Day(1, 0)).values[0], "NaN");
  EXPECT_EQ(rows.at(Day(1, 1)).values[0], "inf");
}

TEST_F(DuckdbReadTest, TheExpressionThatCannotBeBoundIsNamed) {
  const auto rows = Aggregates(
      {{.expression = "count(*)", .where = ""}, {.expression = "sum(amuont)", .where = ""}});
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().id(), "X0206");
  EXPECT_NE(rows.error().message().find("`sum(amuont)`"), std::string::npos);
  const auto filter = Aggregates({{.expression = "count(*)", .where = "nothing = 1"}});
  ASSERT_FALSE(filter.ok());
  EXPECT_NE(filter.error().message().find("`nothing = 1`"), std::string::npos);
  EXPECT_FALSE(Aggregates({{.expression = "amount", .where = ""}}).ok());
}

TEST_F(DuckdbReadTest, KeysThatOccurTwiceAreCountedAndNullsApart) {
  Execute("INSERT INTO orders VALUES (7,'2026-03-02','eu',1,1),(7,'2026-03-02','eu',1,1)");
  const auto rows = *session_.CheckKeys(
      {.side = Orders(), .space = &*space_, .set = Days(1, 3), .columns = {"id"}});
  EXPECT_EQ(rows.at(Day(1, 0)).duplicate_keys, 0);
  EXPECT_EQ(rows.at(Day(2, 0)).duplicate_keys, 2);
  EXPECT_EQ(rows.at(Day(2, 0)).samples, (std::vector<std::string>{"4", "7"}));
  const auto nulls = *session_.CheckKeys(
      {.side = Orders(), .space = &*space_, .set = Days(1, 3), .columns = {"region", "amount"}});
  EXPECT_EQ(nulls.at(Day(1, 1)).null_rows, 1);
  EXPECT_EQ(nulls.at(Day(1, 1)).duplicate_keys, 0);
}

TEST_F(DuckdbReadTest, KeysOfATableWithoutPartitionsAndWithCollationAreByteExact) {
  Execute("CREATE TABLE c(k VARCHAR COLLATE NOCASE); INSERT INTO c VALUES ('a'),('A'),('b'),('b')");
  const PartitionSpace whole(std::nullopt, {}, false);
  const PartitionSet all = PartitionSet::Rectangle({PartitionSpace::AllTime()}, {{0, 1}});
  const Side side{.sql = QuoteName("c"), .filter = "", .time = {}, .dimension_columns = {}};
  const auto rows =
      *session_.CheckKeys({.side = side, .space = &whole, .set = all, .columns = {"k"}});
  EXPECT_EQ(rows.begin()->second.duplicate_keys, 1);
  EXPECT_EQ(rows.begin()->second.samples, (std::vector<std::string>{"b"}));
}

TEST_F(DuckdbReadTest, UnassignedRowsHaveNoTimeOrNoListedValue) {
  EXPECT_EQ(*session_.CountUnassigned(Orders(), *space_), 0);
  Execute(
      "INSERT INTO orders VALUES (8, NULL, 'eu', 1, 1), (9, '2026-03-02', 'mars', 1, 1), "
      "(10, '2026-03-02', NULL, 1, 1), (11, NULL, NULL, 1, 1)");
  EXPECT_EQ(*session_.CountUnassigned(Orders(), *space_), 4);
  Side filtered = Orders();
  filtered.filter = "id = 9 OR id = 1";
  EXPECT_EQ(*session_.CountUnassigned(filtered, *space_), 1);
}

TEST_F(DuckdbReadTest, AListedNullIsAssigned) {
  const PartitionSpace space(std::nullopt,
                             {Dimension{.name = "region", .values = {{std::nullopt}}}}, false);
  Execute("INSERT INTO orders VALUES (10, '2026-03-02', NULL, 1, 1)");
  EXPECT_EQ(*session_.CountUnassigned(Orders(), space), 6);
}

TEST_F(DuckdbReadTest, RowsBeforeTheBeginOfTheGridAreNotUnassigned) {
  Grid::Spec spec;
  spec.by = "day";
  spec.begin = "2026-03-02";
  EXPECT_EQ(*session_.CountUnassigned(Orders(), PartitionSpace(*Grid::Make(spec), {}, true)), 0);
}

}  // namespace
}  // namespace retrofill
