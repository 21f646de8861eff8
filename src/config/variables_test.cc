#include "config/variables.h"

#include <gtest/gtest.h>

#include "config/config_folder_test.h"

namespace retrofill {
namespace {

std::optional<std::string> Variables(std::string_view name) {
  if (name == "HOST") return "db.example.com";
  if (name == "EMPTY") return "";
  return std::nullopt;
}

std::string Expand(std::string_view text) {
  const Result<Expansion> expansion = ExpandReferences(text, Variables, "nowhere");
  return expansion.ok() ? expansion->text
                        : fmt::format("{} {}", expansion.error().id(), expansion.error().message());
}

TEST(Variables, FormsOfReferences) {
  EXPECT_EQ(Expand("plain"), "plain");
  EXPECT_EQ(Expand("a ${HOST} b ${HOST}"), "a db.example.com b db.example.com");
  EXPECT_EQ(Expand("${NONE:-fallback}"), "fallback");
  EXPECT_EQ(Expand("${NONE:-}"), "");
  EXPECT_EQ(Expand("${HOST:-fallback}"), "db.example.com");
  EXPECT_EQ(Expand("${HOST:?needed}"), "db.example.com");
}

TEST(Variables, EmptyCountsAsUnsetOnlyWhereADefaultIsGiven) {
  EXPECT_EQ(Expand("${EMPTY}"), "");
  EXPECT_EQ(Expand("${EMPTY:-x}"), "x");
  EXPECT_EQ(Expand("${EMPTY:?why}"), "C0108 the environment variable `EMPTY` is not set");
}

TEST(Variables, DollarsAreWrittenTwice) {
  EXPECT_EQ(Expand("$$"), "$");
  EXPECT_EQ(Expand("$${HOST}"), "${HOST}");
  EXPECT_EQ(Expand("$$${HOST}"), "$db.example.com");
  EXPECT_EQ(Expand("5$ a$b $"), "5$ a$b $");
}

TEST(Variables, OtherFormsAreRefused) {
  EXPECT_EQ(Expand("${}"), "C0103 `${}` is no reference");
  EXPECT_EQ(Expand("${1A}"), "C0103 `${1A}` is no reference");
  EXPECT_EQ(Expand("${HOST:+x}"), "C0103 `${HOST:+x}` is no reference");
  EXPECT_EQ(Expand("${HOST"), "C0103 `${` without `}` in a value");
}

TEST(Variables, FilesAreReadWithoutTheirLastNewline) {
  ConfigFolder folder("variables_file");
  folder.Write("secret", "two\nlines\n\n");
  const Result<Expansion> read = ExpandReferences("<${file:secret}>", Variables, folder.path());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->text, "<two\nlines>");
  folder.Write("empty", "\n");
  const Result<Expansion> empty = ExpandReferences("${file:empty}", Variables, folder.path());
  ASSERT_FALSE(empty.ok());
  EXPECT_EQ(empty.error().id(), "C0111");
  const Result<Expansion> absent = ExpandReferences("${file:absent}", Variables, folder.path());
  ASSERT_FALSE(absent.ok());
  EXPECT_EQ(absent.error().id(), "C0111");
}

TEST(Variables, ReferencesAreFoundUnlessEscaped) {
  EXPECT_TRUE(HasReference("a ${B}"));
  EXPECT_TRUE(HasReference("$$${B}"));
  EXPECT_FALSE(HasReference("$${B}"));
  EXPECT_FALSE(HasReference("$B {x}"));
}

TEST(Variables, SecretKeysAreKnownByTheirLastPart) {
  EXPECT_TRUE(IsSecretKey("password"));
  EXPECT_TRUE(IsSecretKey("sasl.password"));
  EXPECT_TRUE(IsSecretKey("Token"));
  EXPECT_FALSE(IsSecretKey("tokens"));
  EXPECT_FALSE(IsSecretKey("secret_name"));
}

}  // namespace
}  // namespace retrofill
