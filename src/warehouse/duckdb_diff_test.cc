#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>

#include "base/db/duckdb.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_session.h"

namespace retrofill {
namespace {

class DuckdbDiffTest : public testing::Test {
 protected:
  DuckdbDiffTest()
      : database_(std::move(DuckdbDatabase::Open(":memory:", DuckdbAccess::kReadWrite)).value()),
        session_(std::move(database_->Connect()).value(), shared_,
                 "duckdb-" + DuckdbDatabase::LibraryVersion()) {}

  void Execute(const std::string& sql) {
    const Result<int64_t> done = session_.connection().Execute(sql);
    ASSERT_TRUE(done.ok()) << done.error().message() << "\n" << sql;
  }

  DiffResult Diff(DiffRequest request) {
    const Result<std::optional<RelationShape>> shape = session_.Describe(request.before);
    EXPECT_TRUE(shape.ok() && shape->has_value());
    request.shape = **shape;
    Result<DiffResult> result = session_.Diff(request);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message());
    if (!result.ok()) return {};
    return std::move(result).value();
  }

  // A diff of the tables `before` and `after` as one whole.
  DiffRequest Whole(std::vector<std::string> grain) {
    DiffRequest request;
    request.before.sql = QuoteName("before");
    request.after.sql = QuoteName("after");
    request.space = &whole_;
    request.set = PartitionSet::Rectangle({PartitionSpace::AllTime()}, {{0, 1}});
    request.grain = std::move(grain);
    return request;
  }

  void CreateExample() {
    Execute(
        "CREATE TABLE before(id INTEGER, v VARCHAR); CREATE TABLE after(id INTEGER, v VARCHAR)");
    Execute(
        "INSERT INTO before VALUES (1,'x'),(2,'y'),(3,'z'),(4,'w'),(4,'w'),(5,'p'),(5,'p'),"
        "(NULL,'n'),(7,'q'),(8,'r'),(8,'s')");
    Execute(
        "INSERT INTO after VALUES (1,'x'),(2,'Y'),(4,'w'),(5,'p'),(5,'p'),(5,'p'),(NULL,'n'),"
        "(NULL,'n'),(7,'q'),(9,'t'),(8,'r'),(8,'S'),(8,'S')");
  }

  std::unique_ptr<DuckdbDatabase> database_;
  DuckdbShared shared_;
  DuckdbSession session_;
  PartitionSpace whole_{std::nullopt, {}, false};
};

std::string KindsAndKeys(const DiffResult& result) {
  std::string text;
  for (const DiffSample& sample : result.samples) {
    text += fmt::format("{}:{} ", sample.kind, sample.key[0].second);
  }
  return text;
}

TEST_F(DuckdbDiffTest, ClassifiesTheExampleOfTheDesignWithAGrain) {
  CreateExample();
  const DiffResult result = Diff(Whole({"id"}));
  EXPECT_EQ(result.rows_before, 11);
  EXPECT_EQ(result.rows_after, 13);
  EXPECT_EQ(result.added, 1);
  EXPECT_EQ(result.changed, 1);
  EXPECT_EQ(result.removed, 1);
  EXPECT_EQ(result.duplicates, 4);  // 8 changed with duplicates; 4, 5 and NULL in number
  EXPECT_EQ(result.identical, 2);   // 1 and 7
  EXPECT_EQ(KindsAndKeys(result),
            "added:9 changed:2 changed_with_duplicates:8 duplicate_count:4 duplicate_count:5 "
            "duplicate_count:NULL removed:3 ");
}

TEST_F(DuckdbDiffTest, ClassifiesTheExampleWithoutAGrainAsRows) {
  CreateExample();
  const DiffResult result = Diff(Whole({}));
  EXPECT_EQ(result.added, 6);
  EXPECT_EQ(result.removed, 4);
  EXPECT_EQ(result.changed, 0);
  EXPECT_EQ(result.identical, 7);
  int added = 0;
  int removed = 0;
  for (const DiffSample& sample : result.samples) {
    (sample.kind == "added" ? added : removed) += 1;
    ASSERT_EQ(sample.key.size(), 2u);
    EXPECT_EQ(sample.key[1].first, "v");
  }
  EXPECT_EQ(added, 5);
  EXPECT_EQ(removed, 4);
}

TEST_F(DuckdbDiffTest, SamplesShowWhatChangedAndNothingElse) {
  Execute(
      "CREATE TABLE before AS SELECT i AS id, i AS a, 'x' AS b, NULL::INTEGER AS c FROM range(5) "
      "t(i)");
  Execute(
      "CREATE TABLE after AS SELECT * FROM before; UPDATE after SET b = NULL, c = 7 WHERE id = 3");
  const DiffResult result = Diff(Whole({"id"}));
  ASSERT_EQ(result.samples.size(), 1u);
  const DiffSample& sample = result.samples[0];
  EXPECT_EQ(sample.key, (std::vector<std::pair<std::string, std::string>>{{"id", "3"}}));
  EXPECT_EQ(sample.values, (std::vector<std::tuple<std::string, std::string, std::string>>{
                               {"b", "x", "NULL"}, {"c", "NULL", "7"}}));
  ASSERT_EQ(result.columns.size(), 3u);
  EXPECT_EQ(result.columns[0].changed, 0);
  EXPECT_EQ(result.columns[1].changed, 1);
  EXPECT_EQ(result.columns[2].changed, 1);
}

TEST_F(DuckdbDiffTest, SumsAreExactAndAbsentForTexts) {
  Execute("CREATE TABLE before(id INTEGER, amount DECIMAL(18,2), note VARCHAR)");
  Execute("INSERT INTO before VALUES (1, 9007199254740993.01, 'a'), (2, 0.10, 'b')");
  Execute("CREATE TABLE after AS SELECT * FROM before; DELETE FROM after WHERE id = 2");
  const DiffResult result = Diff(Whole({"id"}));
  EXPECT_EQ(result.columns[0].name, "amount");
  EXPECT_EQ(result.columns[0].sum_before, "9007199254740993.11");
  EXPECT_EQ(result.columns[0].sum_after, "9007199254740993.01");
  EXPECT_EQ(result.columns[1].sum_before, "");
}

TEST_F(DuckdbDiffTest, ColumnsSetAsideAreNotCompared) {
  Execute("CREATE TABLE before AS SELECT 1 AS id, 1 AS a, 1 AS loaded");
  Execute("CREATE TABLE after AS SELECT 1 AS id, 1 AS a, 2 AS loaded");
  DiffRequest request = Whole({"id"});
  EXPECT_EQ(Diff(request).changed, 1);
  request.left_out = {"loaded"};
  const DiffResult result = Diff(request);
  EXPECT_EQ(result.changed, 0);
  EXPECT_EQ(result.identical, 1);
  EXPECT_EQ(result.columns.size(), 1u);
}

TEST_F(DuckdbDiffTest, TextKeysAreToldApartByBytesWhateverTheCollation) {
  Execute(
      "CREATE TABLE before(id VARCHAR COLLATE NOCASE, v INTEGER); INSERT INTO before VALUES ('a', "
      "1), ('A', 2)");
  Execute("CREATE TABLE after AS SELECT * FROM before; UPDATE after SET v = 3 WHERE v = 2");
  const DiffResult result = Diff(Whole({"id"}));
  EXPECT_EQ(result.changed, 1);
  EXPECT_EQ(result.identical, 1);
  EXPECT_EQ(result.duplicates, 0);
  EXPECT_EQ(result.samples[0].key[0].second, "A");
}

TEST_F(DuckdbDiffTest, CountsPerPartitionAndOnlyWithinTheSet) {
  Execute(
      "CREATE TABLE before AS SELECT DATE '2026-03-01' + (i // 10)::INT AS day, i AS id, i AS v "
      "FROM range(40) t(i)");
  Execute(
      "CREATE TABLE after AS SELECT * FROM before; UPDATE after SET v = -1 WHERE id IN (5, 15, 16, "
      "35)");
  Execute("DELETE FROM after WHERE id = 17");
  Grid::Spec spec;
  spec.by = "day";
  const PartitionSpace space(*Grid::Make(spec), {}, true);
  DiffRequest request = Whole({"id"});
  request.before.time = request.after.time =
      TimeColumn{.name = "day", .kind = ColumnKind::kDate, .zone = {}};
  request.space = &space;
  const absl::Time start = absl::FromCivil(absl::CivilDay(2026, 3, 1), absl::UTCTimeZone());
  request.set = PartitionSet::Rectangle({{start, start + absl::Hours(72)}}, {{0, 1}});
  const DiffResult result = Diff(request);
  EXPECT_EQ(result.changed, 3);  // the one of the fourth day is outside
  EXPECT_EQ(result.removed, 1);
  ASSERT_EQ(result.partitions.size(), 3u);
  auto part = result.partitions.begin();
  EXPECT_EQ(part->second.changed, 1);
  ++part;
  EXPECT_EQ(part->second.changed, 2);
  EXPECT_EQ(part->second.removed, 1);
  EXPECT_EQ(part->second.rows_before, 10);
  EXPECT_EQ(part->second.rows_after, 9);
  EXPECT_EQ(part->second.sums.at("v"), (std::pair<std::string, std::string>("145", "95")));
  ++part;
  EXPECT_EQ(part->second.identical, 10);
}

TEST_F(DuckdbDiffTest, EqualVersionsDifferInNothing) {
  Execute(
      "CREATE TABLE before AS SELECT i AS id, [i, NULL] AS l, 'nan'::DOUBLE AS d FROM range(100) "
      "t(i)");
  Execute("CREATE TABLE after AS SELECT * FROM before ORDER BY id DESC");
  const DiffResult result = Diff(Whole({"id"}));
  EXPECT_EQ(result.identical, 100);
  EXPECT_EQ(result.changed + result.added + result.removed + result.duplicates, 0);
  EXPECT_TRUE(result.samples.empty());
}

}  // namespace
}  // namespace retrofill
