#include "config/yaml_reader.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

Result<YamlNode> Read(std::string_view text) {
  return ReadYaml(text, {.name = "retrofill.yml", .folder = "project", .order = 0});
}

YamlNode MustRead(std::string_view text) {
  Result<YamlNode> node = Read(text);
  EXPECT_TRUE(node.ok()) << (node.ok() ? "" : node.error().message());
  return node.ok() ? *node : YamlNode{};
}

Error MustFail(std::string_view text) {
  Result<YamlNode> node = Read(text);
  EXPECT_FALSE(node.ok());
  return node.ok() ? Error(ErrorCode::kInternal, "", "") : node.error();
}

TEST(YamlReader, KeysAndValuesKnowTheirPlaces) {
  const YamlNode root = MustRead("version: 1\ntables:\n  daily: {grain: [a, \"b c\"]}\n");
  const YamlEntry* tables = root.Find("tables");
  ASSERT_NE(tables, nullptr);
  EXPECT_EQ(tables->key_place.line, 2);
  EXPECT_EQ(tables->key_place.column, 1);
  EXPECT_EQ(tables->key_place.length, 6);
  const YamlNode& daily = tables->value.Find("daily")->value;
  EXPECT_EQ(daily.place.column, 10);
  EXPECT_EQ(daily.place.length, 1);
  const YamlNode& grain = daily.Find("grain")->value;
  ASSERT_EQ(grain.items.size(), 2U);
  EXPECT_EQ(grain.items[1].text, "b c");
  EXPECT_EQ(grain.items[1].place.line, 3);
  EXPECT_EQ(grain.items[1].place.column, 22);
  EXPECT_EQ(grain.items[1].place.length, 5);
}

TEST(YamlReader, ColumnsCountCharacters) {
  const YamlNode root = MustRead("ä: {ö: x}\n");
  const YamlEntry* inner = root.Find("ä")->value.Find("ö");
  ASSERT_NE(inner, nullptr);
  EXPECT_EQ(inner->key_place.column, 5);
  EXPECT_EQ(inner->key_place.length, 1);
  EXPECT_EQ(inner->value.place.column, 8);
}

TEST(YamlReader, QuotesAndBlocksAreRemembered) {
  const YamlNode root = MustRead("a: no\nb: \"no\"\nc: 'it''s'\nd: |\n  no\n");
  EXPECT_FALSE(root.Find("a")->value.quoted);
  EXPECT_TRUE(root.Find("b")->value.quoted);
  EXPECT_TRUE(root.Find("c")->value.quoted);
  EXPECT_EQ(root.Find("c")->value.text, "it's");
  EXPECT_EQ(root.Find("c")->value.place.length, 7);
  EXPECT_TRUE(root.Find("d")->value.quoted);
}

TEST(YamlReader, NullsAreNoTexts) {
  const YamlNode root = MustRead("a:\nb: ~\nc: null\nd: \"\"\n");
  EXPECT_TRUE(root.Find("a")->value.is_null());
  EXPECT_TRUE(root.Find("b")->value.is_null());
  EXPECT_TRUE(root.Find("c")->value.is_null());
  EXPECT_TRUE(root.Find("d")->value.is_scalar());
  EXPECT_EQ(root.Find("a")->value.place.line, 1);
}

TEST(YamlReader, EmptyFilesAreNull) {
  EXPECT_TRUE(MustRead("").is_null());
  EXPECT_TRUE(MustRead("# only a comment\n").is_null());
}

TEST(YamlReader, AliasesAreCopies) {
  const YamlNode root = MustRead("a: &x {k: v}\nb: *x\n");
  EXPECT_EQ(root.Find("b")->value.Find("k")->value.text, "v");
}

TEST(YamlReader, ByteOrderMarkShiftsNothing) {
  const YamlNode root = MustRead("\xEF\xBB\xBFversion: 1\n");
  EXPECT_EQ(root.Find("version")->key_place.column, 1);
  EXPECT_EQ(root.Find("version")->key_place.length, 7);
}

TEST(YamlReader, BrokenYamlNamesThePlace) {
  const Error error = MustFail("version: 1\ntables: {a: [1, 2}\n");
  EXPECT_EQ(error.id(), "C0101");
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  ASSERT_TRUE(error.diagnostic().origin.has_value());
  EXPECT_EQ(error.diagnostic().origin->line, 2);
  EXPECT_EQ(error.diagnostic().origin->lines, std::vector<std::string>{"tables: {a: [1, 2}"});
}

TEST(YamlReader, KeyTwiceIsRefusedAtTheSecond) {
  const Error error = MustFail("a: 1\nb: 2\na: 3\n");
  EXPECT_EQ(error.id(), "C0101");
  EXPECT_EQ(error.message(), "`retrofill.yml` is not YAML: key `a` stands twice in one map");
  EXPECT_EQ(error.diagnostic().origin->line, 3);
  EXPECT_EQ(error.diagnostic().origin->column, 1);
}

TEST(YamlReader, KeysMustBeTexts) { EXPECT_EQ(MustFail("? [a, b]\n: 1\n").id(), "C0101"); }

TEST(YamlReader, SecondDocumentIsRefused) {
  const Error error = MustFail("a: 1\n---\nb: 2\n");
  EXPECT_EQ(error.id(), "C0101");
  EXPECT_EQ(error.diagnostic().origin->line, 2);
}

TEST(YamlReader, TextBehindTheDocumentIsRefused) {
  EXPECT_EQ(MustFail(",a\n").id(), "C0101");
  EXPECT_EQ(MustFail("{a: 1} , b: 2\n").id(), "C0101");
  EXPECT_EQ(MustRead("---\na: 1\n...\n# end\n").Find("a")->value.text, "1");
}

TEST(YamlReader, TextThatIsNotUtf8IsRefusedAtItsLine) {
  const Error error = MustFail("a: 1\nb: \xff\n");
  EXPECT_EQ(error.id(), "C0101");
  EXPECT_EQ(error.diagnostic().origin->line, 2);
}

TEST(YamlReader, AliasesThatMultiplyEndInAnError) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i <= 8; ++i) {
    text += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i,
                        i - 1);
  }
  EXPECT_EQ(MustFail(text).id(), "C0101");
}

TEST(YamlReader, AliasOfItselfEndsInAnError) { EXPECT_EQ(MustFail("a: &a [*a]\n").id(), "C0101"); }

TEST(YamlReader, DeepNestingEndsInAnError) {
  const std::string deep(5000, '[');
  EXPECT_EQ(MustFail("a: " + deep).id(), "C0101");
}

}  // namespace
}  // namespace retrofill
