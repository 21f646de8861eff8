#include "config/first_config.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "config/config_folder_test.h"

namespace retrofill {
namespace {

// The text with the example that stands in comments at its end, made real.
std::string WithExample(const std::string& text) {
  std::string real;
  bool example = false;
  for (const std::string& line : Lines(text)) {
    if (line == "# tables:") example = true;
    if (line == "#") example = false;
    real += (example ? line.substr(2) : line) + "\n";
  }
  return real;
}

TEST(FirstConfig, EmptyFolderGetsOneThatPasses) {
  ConfigFolder folder("first_empty");
  folder.Write("retrofill.yml", EmptyFirstConfig());
  const Checked<Configuration> loaded = folder.Load();
  EXPECT_TRUE(loaded.ok()) << Listing(loaded.errors);
}

TEST(FirstConfig, DuckdbFileGetsASourceForEachRelation) {
  ConfigFolder folder("first_duckdb");
  const std::string text = DuckdbFirstConfig(
      "shop.duckdb", {{.schema = "main",
                       .name = "orders",
                       .columns = {{.name = "id", .type = "BIGINT"},
                                   {.name = "day", .type = "DATE"},
                                   {.name = "ordered_at", .type = "TIMESTAMP"}}},
                      {.schema = "main", .name = "products", .columns = {{"id", "BIGINT"}}}});
  folder.Write("retrofill.yml", text);
  const Checked<Configuration> loaded = folder.Load();
  ASSERT_TRUE(loaded.ok()) << Listing(loaded.errors) << text;
  const Project& project = loaded.value.project;
  EXPECT_EQ(project.connections.at("warehouse").path, JoinPath(folder.path(), "shop.duckdb"));
  EXPECT_EQ(project.sources.at("main.orders").event_time, "ordered_at");
  EXPECT_FALSE(project.sources.at("main.products").event_time.has_value());
  EXPECT_NE(text.find("  # id BIGINT, day DATE, ordered_at TIMESTAMP\n"), std::string::npos);
}

TEST(FirstConfig, ExampleInCommentsPassesOnceItsFileIsThere) {
  ConfigFolder folder("first_example");
  const std::string text = DuckdbFirstConfig(
      "shop.duckdb",
      {{.schema = "main", .name = "orders", .columns = {{"ordered_at", "TIMESTAMP"}}}});
  folder.Write("sql/daily_totals.sql", "select 1");
  folder.Write("retrofill.yml", WithExample(text));
  const Checked<Configuration> loaded = folder.Load();
  ASSERT_TRUE(loaded.ok()) << Listing(loaded.errors) << WithExample(text);
  EXPECT_EQ(loaded.value.project.tables.at("daily_totals").inputs.at(0).source, "main.orders");
}

TEST(FirstConfig, NamesOfAnyKindPass) {
  ConfigFolder folder("first_names");
  const std::string text = DuckdbFirstConfig(
      "a $b \"c\".duckdb",
      {{.schema = "main", .name = "My Table", .columns = {{"no", "TIMESTAMP"}, {"a\nb", "INT"}}},
       {.schema = "main", .name = "My_Table", .columns = {}},
       {.schema = "main", .name = "x\"y$z", .columns = {{"null", "DATE"}}},
       {.schema = "é", .name = "../up", .columns = {}}});
  folder.Write("retrofill.yml", text);
  const Checked<Configuration> loaded = folder.Load();
  ASSERT_TRUE(loaded.ok()) << Listing(loaded.errors) << text;
  const auto& sources = loaded.value.project.sources;
  EXPECT_EQ(sources.size(), 4U);
  EXPECT_EQ(sources.at("main.My_Table").relation, "main.\"My Table\"");
  EXPECT_EQ(sources.at("main.My_Table").event_time, "no");
  EXPECT_EQ(sources.at("main.My_Table_2").relation, "main.\"My_Table\"");
  EXPECT_EQ(sources.at("main.x_y_z").relation, "main.\"x\"\"y$z\"");
  EXPECT_EQ(loaded.value.project.connections.at("warehouse").path,
            JoinPath(folder.path(), "a $b \"c\".duckdb"));
}

}  // namespace
}  // namespace retrofill
