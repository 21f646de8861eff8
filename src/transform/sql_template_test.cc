#include "transform/sql_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "transform/sql_tokens.h"

namespace retrofill {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SqlTemplate Parsed(const std::string& text) {
  Result<SqlTemplate> sql = ParseSqlTemplate("sql/t.sql", text);
  EXPECT_TRUE(sql.ok()) << (sql.ok() ? "" : sql.error().message());
  return sql.ok() ? *sql : SqlTemplate();
}

Error Refused(const std::string& text) {
  Result<SqlTemplate> sql = ParseSqlTemplate("sql/t.sql", text);
  EXPECT_FALSE(sql.ok()) << text;
  return sql.ok() ? Error(ErrorCode::kInternal, "none", "") : sql.error();
}

RenderContext Orders() {
  RenderContext context;
  context.sources["main.orders"] = "\"main\".\"orders\"";
  context.windows["main.orders"] = "(w)";
  context.parameters["as_of"] = "TIMESTAMPTZ '2026-02-10 09:14:05+00'";
  context.parameters["region"] = "'eu'";
  context.self = "\"t\"";
  context.partition = "(p)";
  return context;
}

TEST(SqlTemplateTest, PlaceholdersAreReplaced) {
  const SqlTemplate sql = Parsed(
      "select a from {{ source('main.orders') }} where {{window( \"main.orders\" )}} and r = "
      ":region");
  const auto rendered = Render(sql, Orders());
  ASSERT_TRUE(rendered.ok());
  EXPECT_EQ(rendered->sql, "select a from \"main\".\"orders\" where (w) and r = 'eu'\n");
  EXPECT_THAT(sql.Arguments(PlaceholderKind::kSource), ElementsAre("main.orders"));
  EXPECT_TRUE(sql.UsesParameter("region"));
  EXPECT_FALSE(sql.Uses(PlaceholderKind::kThis));
}

TEST(SqlTemplateTest, TextThatIsNoUtf8IsRefusedWithItsPlace) {
  for (const std::string bad : {"\xfc", "\xef\xbf", "\xe2\x28\xa1"}) {
    const Error error = Refused("-- größer\nselect 'gr" + bad + "n' as a");
    EXPECT_EQ(error.id(), "X0206");
    EXPECT_THAT(error.message(), HasSubstr("not UTF-8"));
    ASSERT_TRUE(error.diagnostic().origin.has_value());
    EXPECT_EQ(error.diagnostic().origin->line, 2);
    EXPECT_EQ(error.diagnostic().origin->column, 11);
  }
}

TEST(SqlTemplateTest, NothingIsFoundInStringsQuotedNamesAndComments) {
  const std::string text =
      "select ':region', \":region\", $$ :region {{ x }} $$, e'\\':region' -- {{ nonsense }} "
      ":region\n"
      "/* {{ /* nested */ :region }} */ from t";
  const SqlTemplate sql = Parsed(text);
  EXPECT_TRUE(sql.placeholders.empty());
  EXPECT_EQ(Render(sql, Orders())->sql, text + "\n");
}

TEST(SqlTemplateTest, CastsAreNotParameters) {
  const SqlTemplate sql = Parsed("select a::region, :as_of::date from t");
  EXPECT_THAT(sql.Arguments(PlaceholderKind::kParameter), ElementsAre("as_of"));
}

TEST(SqlTemplateTest, SlicesAndStructsStayAsWritten) {
  const std::string text = "select a[lo:hi], {'k':v, 'n': {'m':v}}, b[1:2] from t";
  EXPECT_EQ(Render(Parsed(text), Orders())->sql, text + "\n");
}

TEST(SqlTemplateTest, AnUnknownParameterIsRefusedWithItsNearestName) {
  const auto rendered = Render(Parsed("select 1\nfrom t where r = :regoin"), Orders());
  ASSERT_FALSE(rendered.ok());
  EXPECT_EQ(rendered.error().id(), "X0206");
  const Origin& origin = *rendered.error().diagnostic().origin;
  EXPECT_EQ(origin.line, 2);
  EXPECT_EQ(origin.column, 18);
  EXPECT_EQ(origin.length, 7);
  EXPECT_EQ(origin.label, "did you mean `:region`?");
}

TEST(SqlTemplateTest, AnUnknownPlaceholderIsRefusedWithItsPlace) {
  const Error error = Refused("select 1\nfrom {{ sourc('x') }}");
  EXPECT_EQ(error.id(), "X0206");
  EXPECT_EQ(error.diagnostic().origin->line, 2);
  EXPECT_EQ(error.diagnostic().origin->column, 6);
  EXPECT_EQ(error.diagnostic().origin->length, 16);
  EXPECT_EQ(error.diagnostic().origin->label, "did you mean `source`?");
}

TEST(SqlTemplateTest, LoopsAndMacrosAreRefused) {
  EXPECT_EQ(Refused("select {{ run_started_at }}").id(), "X0206");
  EXPECT_EQ(Refused("select {{ source(x) }}").id(), "X0206");
  EXPECT_EQ(Refused("select {{ this.name }}").id(), "X0206");
  EXPECT_EQ(Refused("select {{ source('a') ").id(), "X0206");
}

TEST(SqlTemplateTest, AnEmptyFileIsC0111) {
  EXPECT_EQ(Refused("").id(), "C0111");
  EXPECT_EQ(Refused("  -- nothing\n/* here */ ;").id(), "C0111");
}

TEST(SqlTemplateTest, TwoStatementsAreX0205AtTheSecond) {
  const Error error = Refused("select ';';\nselect 2");
  EXPECT_EQ(error.id(), "X0205");
  EXPECT_EQ(error.diagnostic().origin->line, 2);
  EXPECT_EQ(Refused("delete from t").id(), "X0205");
}

TEST(SqlTemplateTest, ASemicolonAndACommentAtTheEndAreDropped) {
  EXPECT_EQ(Render(Parsed("select 1 ; -- done"), Orders())->sql, "select 1 \n");
}

TEST(SqlTemplateTest, AnOpenQuoteIsX0206) {
  const Error error = Refused("select 'abc");
  EXPECT_EQ(error.id(), "X0206");
  EXPECT_EQ(error.diagnostic().origin->column, 8);
}

TEST(SqlTemplateTest, AnEnginePlaceIsMovedToTheUsersFile) {
  const SqlTemplate sql = Parsed("select ä, {{ this }}.x,\n nope from {{ source('main.orders') }}");
  const auto rendered = Render(sql, Orders());
  ASSERT_TRUE(rendered.ok());
  const size_t nope = rendered->sql.find("nope");
  Error error =
      Fail(ErrorCode::kInvalid, "X0206", "no column").At(OriginIn("", rendered->sql, nope, 4));
  const Error moved = InTemplate(std::move(error), sql, *rendered);
  EXPECT_EQ(moved.diagnostic().origin->file, "sql/t.sql");
  EXPECT_EQ(moved.diagnostic().origin->line, 2);
  EXPECT_EQ(moved.diagnostic().origin->column, 2);
  EXPECT_THAT(moved.diagnostic().origin->lines,
              ElementsAre("select ä, {{ this }}.x,", HasSubstr(" nope from")));
}

TEST(SqlTemplateTest, APlaceInsideAReplacementMarksThePlaceholder) {
  const SqlTemplate sql = Parsed("select 1 from {{ source('main.orders') }}");
  const auto rendered = Render(sql, Orders());
  const auto [offset, length] = rendered->Written(rendered->sql.find("orders"));
  EXPECT_EQ(sql.text.substr(offset, length), "{{ source('main.orders') }}");
}

TEST(SqlTemplateTest, ColumnsCountCharacters) {
  const std::string text = "select 'é' || b";
  EXPECT_EQ(OriginIn("f", text, text.find('b'), 1).column, 15);
}

TEST(TransformDigestTest, LayoutAndCommentsDoNotMatter) {
  const std::string digest = TransformDigest("select a, b from t where x = 'a  b'");
  EXPECT_EQ(digest.size(), 64U);
  EXPECT_EQ(digest, TransformDigest("select a,\n\tb -- two\nfrom t /* here */ where x = 'a  b'\n"));
}

TEST(TransformDigestTest, WordsAndQuotedBlanksDoMatter) {
  const std::string digest = TransformDigest("select a from t where x = 'a  b'");
  EXPECT_NE(digest, TransformDigest("select a from t where x = 'a b'"));
  EXPECT_NE(digest, TransformDigest("select b from t where x = 'a  b'"));
  EXPECT_NE(TransformDigest("select a--b\n"), TransformDigest("select a - -b"));
}

TEST(AllowancesTest, TheReasonIsKept) {
  const auto found = Allowances(
      "select 1 -- retrofill: allow I0117 names never change\n"
      "-- retrofill: allow I0119\nfrom t");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].id, "I0117");
  EXPECT_EQ(found[0].reason, "names never change");
}

}  // namespace
}  // namespace retrofill
