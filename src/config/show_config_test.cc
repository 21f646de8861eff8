#include "config/show_config.h"

#include <gtest/gtest.h>

#include "config/complete_config_test.h"
#include "config/config_folder_test.h"

namespace retrofill {
namespace {

YamlNode Read(std::string_view text) {
  Result<YamlNode> node = ReadYaml(text, {.name = "retrofill.yml"});
  EXPECT_TRUE(node.ok()) << text;
  return node.ok() ? std::move(node).value() : YamlNode{};
}

bool SameValues(const YamlNode& a, const YamlNode& b) {
  if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size() ||
      a.entries.size() != b.entries.size()) {
    return false;
  }
  for (size_t i = 0; i < a.items.size(); ++i) {
    if (!SameValues(a.items[i], b.items[i])) return false;
  }
  for (size_t i = 0; i < a.entries.size(); ++i) {
    if (a.entries[i].key != b.entries[i].key ||
        !SameValues(a.entries[i].value, b.entries[i].value)) {
      return false;
    }
  }
  return true;
}

TEST(ShowConfig, PrintsBlocksAndShortLists) {
  EXPECT_EQ(ConfigText(Read("{a: {b: [1, x], c: ''}, d: [{e: 1, f: 2}, {}], g: ~}")),
            "a:\n"
            "  b: [1, x]\n"
            "  c: \"\"\n"
            "d:\n"
            "  - e: 1\n"
            "    f: 2\n"
            "  - {}\n"
            "g: null\n");
}

TEST(ShowConfig, ReadsBackToTheSameValues) {
  const YamlNode complete = Read(kCompleteConfig);
  EXPECT_TRUE(SameValues(Read(ConfigText(complete)), complete));
  EXPECT_TRUE(SameValues(Read(ConfigText(complete, {.origin = true})), complete));
  const YamlNode odd = Read(
      "a: \"no\"\nb: 'x: y'\nc: \"# no comment\"\nd: |\n  two\n  lines\ne: [[1, [2]], [{k: v}]]\n"
      "\"key: odd\": \"tab\\t\"\nf: \"a, b\"\ng: '*'\nh: \"ä\"\ni: \" blank \"\nj: \"null\"\n");
  EXPECT_TRUE(SameValues(Read(ConfigText(odd)), odd)) << ConfigText(odd);
}

TEST(ShowConfig, QuotesStayWhereYamlWouldReadSomethingElse) {
  EXPECT_EQ(ConfigText(Read("a: [\"no\", \"08\", \"eu\", no]")), "a: [\"no\", \"08\", eu, no]\n");
}

TEST(ShowConfig, OriginOfEachValueIsKeptThroughIncludes) {
  ConfigFolder folder("origin");
  folder.Write("base.yml", "defaults:\n  order: newest_first\n  publish: manual\n");
  folder.Write("retrofill.yml",
               "version: 1\ninclude: [base.yml]\ndefaults:\n  order: oldest_first\n");
  const Checked<Configuration> loaded = folder.Load();
  ASSERT_TRUE(loaded.ok()) << Listing(loaded.errors);
  EXPECT_EQ(ConfigText(loaded.value.merged, {.origin = true}),
            "defaults:\n"
            "  order: oldest_first                                         # retrofill.yml:4\n"
            "  publish: manual                                             # base.yml:3\n"
            "version: 1                                                    # retrofill.yml:1\n"
            "include: [base.yml]                                           # retrofill.yml:2\n");
}

TEST(ShowConfig, ReferencesStayAndSecretsDoNot) {
  EXPECT_EQ(ConfigText(Read("a: {password: hunter2, token: \"${T}\"}")),
            "a:\n  password: \"***\"\n  token: \"${T}\"\n");
}

}  // namespace
}  // namespace retrofill
