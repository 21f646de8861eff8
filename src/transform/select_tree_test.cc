#include "transform/select_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "warehouse/duckdb_warehouse.h"

namespace retrofill {
namespace {

using ::testing::HasSubstr;

class SelectTreeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto warehouse = OpenDuckdb(":memory:", Access::kReadWrite);
    ASSERT_TRUE(warehouse.ok()) << warehouse.error().message();
    warehouse_ = *std::move(warehouse);
    auto scratch = warehouse_->OpenScratch(::testing::TempDir() + "select-tree");
    ASSERT_TRUE(scratch.ok()) << scratch.error().message();
    scratch_ = *std::move(scratch);
  }

  SelectTree Tree(const std::string& sql) {
    auto text = scratch_->SerializeSelect(sql);
    EXPECT_TRUE(text.ok()) << sql;
    auto tree = SelectTree::Parse(*text);
    EXPECT_TRUE(tree.ok()) << (tree.ok() ? "" : tree.error().message());
    return *tree;
  }
  // The select with random ties, as the engine prints it; empty if nothing is tied.
  std::string Tied(const std::string& sql) {
    const auto tied = Tree(sql).WithRandomTies();
    if (!tied) return "";
    const auto text = scratch_->DeserializeSelect(tied->Text());
    EXPECT_TRUE(text.ok());
    EXPECT_TRUE(Tree(*text).SameQuery(*tied)) << *text;
    return *text;
  }
  std::vector<QueryFact> Facts(const std::string& sql, FactKind kind) {
    std::vector<QueryFact> found;
    for (QueryFact& fact : Tree(sql).Facts()) {
      if (fact.kind == kind) found.push_back(std::move(fact));
    }
    return found;
  }

  std::unique_ptr<Warehouse> warehouse_;
  std::unique_ptr<Scratch> scratch_;
};

TEST_F(SelectTreeTest, ClocksAreFoundInEveryForm) {
  EXPECT_EQ(Facts("select now(), current_date, get_current_timestamp(), today(), age(x) from t",
                  FactKind::kClock)
                .size(),
            5U);
  EXPECT_TRUE(Facts("select age(x, y), 'now()', \"today\" from t", FactKind::kClock).empty());
}

TEST_F(SelectTreeTest, AFactKnowsItsPlaceAndItsColumn) {
  const auto facts = Facts("select 1 as a, now() as loaded_at", FactKind::kClock);
  ASSERT_EQ(facts.size(), 1U);
  EXPECT_EQ(facts[0].position, 15U);
  EXPECT_EQ(facts[0].column, "loaded_at");
}

TEST_F(SelectTreeTest, CommonTableExpressionsAreNoTables) {
  const auto facts = Facts("with c as (select * from a.t) select * from c, u", FactKind::kTable);
  ASSERT_EQ(facts.size(), 2U);
  EXPECT_EQ(facts[0].name, "a.t");
  EXPECT_EQ(facts[1].name, "u");
}

TEST_F(SelectTreeTest, ALimitGetsARandomLastKey) {
  EXPECT_THAT(Tied("select a from t order by b desc limit 1"), HasSubstr("b DESC, random()"));
  EXPECT_THAT(Tied("select a from t limit 1"), HasSubstr("ORDER BY random()"));
}

TEST_F(SelectTreeTest, WindowsThatNumberRowsGetOneAndRanksDoNot) {
  EXPECT_THAT(Tied("select row_number() over (order by a) from t"), HasSubstr("random()"));
  EXPECT_THAT(Tied("select lag(b) over (partition by c order by a) from t"), HasSubstr("random()"));
  EXPECT_EQ(Tied("select rank() over (order by a), sum(b) over (order by a) from t"), "");
}

TEST_F(SelectTreeTest, AggregatesThatTakeARowGetOneAndOthersDoNot) {
  EXPECT_THAT(Tied("select first(a) from t"), HasSubstr("random()"));
  EXPECT_THAT(Tied("select string_agg(a, ',' order by b) from t"), HasSubstr("random()"));
  EXPECT_EQ(Tied("select sum(a), count(distinct b), max(c) from t order by 1"), "");
}

TEST_F(SelectTreeTest, SetOperationsAreLeftAlone) {
  EXPECT_EQ(Tied("select a from t union all select b from u order by 1 limit 2"), "");
}

TEST_F(SelectTreeTest, LargeNumbersAndFractionsSurvive) {
  const std::string sql = "select 123456789012345678901234567890, 0.1, 1e308, 9223372036854775807";
  const auto text = scratch_->DeserializeSelect(Tree(sql).Text());
  ASSERT_TRUE(text.ok());
  EXPECT_TRUE(Tree(*text).SameQuery(Tree(sql))) << *text;
}

TEST_F(SelectTreeTest, DeepExpressionsAreRead) {
  std::string sum = "a";
  for (int i = 0; i < 200; ++i) sum += " + a";
  EXPECT_EQ(Facts("select " + sum + " + random() from t", FactKind::kVolatile).size(), 1U);
}

TEST_F(SelectTreeTest, AListThatIsSortedDependsOnNoOrder) {
  EXPECT_TRUE(Facts("select list(a order by a) from t", FactKind::kOrdered).empty());
  EXPECT_EQ(Facts("select list(a order by b) from t", FactKind::kOrdered).size(), 1U);
}

TEST_F(SelectTreeTest, AStatementThatIsNoSelectIsRefused) {
  const auto text = scratch_->SerializeSelect("select from where");
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(SelectTree::Parse(*text).error().id(), "X0206");
}

}  // namespace
}  // namespace retrofill
