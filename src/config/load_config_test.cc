#include "config/load_config.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "config/config_folder_test.h"

namespace retrofill {
namespace {

TEST(LoadConfig, MinimalFileGetsEveryDefault) {
  ConfigFolder folder("minimal");
  folder.Write("sql/revenue_daily.sql", "select 1\n");
  folder.Write("retrofill.yml", kMinimalConfig);
  const Checked<Configuration> loaded = folder.Load();
  ASSERT_TRUE(loaded.ok()) << Listing(loaded.errors);
  EXPECT_TRUE(loaded.warnings.empty());
  const Project& project = loaded.value.project;
  EXPECT_EQ(project.name, folder.name());
  EXPECT_EQ(project.folder, folder.path());
  EXPECT_EQ(project.config_file, JoinPath(folder.path(), "retrofill.yml"));
  EXPECT_EQ(project.state_folder, JoinPath(folder.path(), ".retrofill"));
  EXPECT_EQ(project.journal_path, JoinPath(folder.path(), ".retrofill/journal.db"));
  EXPECT_FALSE(project.as_of.has_value());
  EXPECT_EQ(project.connections.at("warehouse").path, JoinPath(folder.path(), "shop.duckdb"));
  const Source& orders = project.sources.at("main.orders");
  EXPECT_EQ(orders.relation, "main.orders");
  EXPECT_EQ(orders.connection, "warehouse");
  EXPECT_EQ(orders.event_time, "ordered_at");
  EXPECT_EQ(orders.timezone, "UTC");
  EXPECT_EQ(orders.lag, absl::ZeroDuration());
  EXPECT_FALSE(orders.retention_days.has_value());
  ASSERT_EQ(project.pools.size(), 1U);
  EXPECT_EQ(project.pools.at("default@warehouse").connection, "warehouse");
  EXPECT_EQ(project.pools.at("default@warehouse").slots, 0);
}

TEST(LoadConfig, MinimalTableGetsEveryDefault) {
  ConfigFolder folder("minimal_table");
  folder.Write("sql/revenue_daily.sql", "select 1\n");
  folder.Write("retrofill.yml", kMinimalConfig);
  const Checked<Configuration> loaded = folder.Load();
  ASSERT_TRUE(loaded.ok()) << Listing(loaded.errors);
  const Table& table = loaded.value.project.tables.at("revenue_daily");
  EXPECT_EQ(table.connection, "warehouse");
  EXPECT_EQ(table.relation, "revenue_daily");
  EXPECT_EQ(table.pool, "default@warehouse");
  EXPECT_EQ(table.timezone, "UTC");
  EXPECT_EQ(table.order, Order::kOldestFirst);
  EXPECT_EQ(table.publish, PublishMode::kAtEnd);
  EXPECT_EQ(table.on_failure, OnFailure::kContinue);
  EXPECT_EQ(table.attempts.max, 3);
  EXPECT_EQ(table.attempts.backoff_min, absl::Seconds(30));
  EXPECT_EQ(table.attempts.backoff_max, absl::Minutes(10));
  EXPECT_FALSE(table.max_failed.count.has_value());
  EXPECT_DOUBLE_EQ(table.max_failed.share, 0.05);
  EXPECT_EQ(table.keep.undo, absl::Hours(30 * 24));
  EXPECT_EQ(table.require_proof, absl::Hours(14 * 24));
  EXPECT_EQ(table.refresh, RefreshPolicy::kAuto);
  EXPECT_EQ(table.lookback, 0);
  EXPECT_FALSE(table.batch.has_value());
  EXPECT_EQ(table.proof.samples, 6);
  ASSERT_TRUE(table.partition.has_value());
  EXPECT_EQ(table.partition->by, "day");
  EXPECT_EQ(table.partition->column, "order_date");
  EXPECT_EQ(table.partition->begin, "2025-01-01");
  EXPECT_EQ(table.grain, (std::vector<std::string>{"order_date", "product_id"}));
  ASSERT_EQ(table.inputs.size(), 1U);
  EXPECT_EQ(table.inputs[0].source, "main.orders");
  EXPECT_EQ(table.sql_file, "sql/revenue_daily.sql");
  ASSERT_EQ(table.rules.size(), 1U);
  EXPECT_EQ(table.rules[0].kind, RuleKind::kSum);
  EXPECT_EQ(table.rules[0].name, "sum(amount - refund) = sum(net_revenue)");
  EXPECT_TRUE(table.rules[0].within.abs.zero());
  EXPECT_EQ(table.origin.line, 7);
}

TEST(LoadConfig, EveryKeyOfThisVersionIsRead) {
  ConfigFolder folder("every_key");
  folder.Write("a.sql", "select 1");
  folder.Write("retrofill.yml", R"(version: 1
project: shop
defaults:
  timezone: Europe/Berlin
  order: newest_first
  publish: manual
  on_failure: stop
  max_failed: 3
  attempts: {max: 5, backoff: 1s..2min}
  keep: {undo: 2d, stage: 1d}
  require: {clean_git: false, proof: 7d}
  as_of: 2026-02-10T09:14:05Z
journal: {path: state/j.db}
connections:
  lake: {type: duckdb, path: "${DATA:-data}/lake.duckdb"}
  other: {type: duckdb, path: other.duckdb}
pools:
  small: {connection: lake, slots: 2, unit_time: 5s, session: {threads: 3, memory_limit: 4GB}}
sources:
  raw:
    connection: lake
    files: data/*.parquet
    event_time: ts
    timezone: America/New_York
    lag: 2h
    retention: 100d
    complete: select true
tables:
  hourly:
    connection: lake
    relation: main.hourly_v2
    timezone: UTC
    pool: small
    partition:
      {by: 6h, column: at, column_holds: utc, begin: "2026-01-01", dimensions: {region: [eu, null, "no"]}}
    inputs: [{source: raw, window: {before: 27d, after: 1h}}]
    transform: {sql: a.sql}
    lookback: 2
    parallel: ordered
    batch: 31
    allow_empty: true
    schedule: none
    refresh: never
    proof: {samples: 3, max_rows: 1000, ignore_columns: {loaded_at: load stamp}}
    tags: [finance]
    unreconciled: nothing to compare with
)");
  const Checked<Configuration> loaded = folder.Load();
  ASSERT_TRUE(loaded.ok()) << Listing(loaded.errors);
  const Project& project = loaded.value.project;
  EXPECT_EQ(project.name, "shop");
  EXPECT_EQ(absl::FormatTime(*project.as_of, absl::UTCTimeZone()), "2026-02-10T09:14:05+00:00");
  EXPECT_EQ(project.journal_path, JoinPath(folder.path(), "state/j.db"));
  EXPECT_EQ(project.connections.at("lake").path, JoinPath(folder.path(), "data/lake.duckdb"));
  const Pool& pool = project.pools.at("small");
  EXPECT_EQ(pool.slots, 2);
  EXPECT_EQ(pool.unit_time, absl::Seconds(5));
  EXPECT_EQ(pool.threads, 3);
  EXPECT_EQ(pool.memory_limit, "4GB");
  const Source& source = project.sources.at("raw");
  EXPECT_EQ(source.files, JoinPath(folder.path(), "data/*.parquet"));
  EXPECT_EQ(source.relation, "");
  EXPECT_EQ(source.timezone, "America/New_York");
  EXPECT_EQ(source.lag, absl::Hours(2));
  EXPECT_EQ(source.retention_days, 100);
  EXPECT_EQ(source.complete, "select true");
  const Table& table = project.tables.at("hourly");
  EXPECT_EQ(table.relation, "main.hourly_v2");
  EXPECT_EQ(table.order, Order::kNewestFirst);
  EXPECT_EQ(table.publish, PublishMode::kManual);
  EXPECT_EQ(table.on_failure, OnFailure::kStop);
  EXPECT_EQ(table.max_failed.count, 3);
  EXPECT_EQ(table.attempts.max, 5);
  EXPECT_EQ(table.attempts.backoff_max, absl::Minutes(2));
  EXPECT_EQ(table.keep.stage, absl::Hours(24));
  EXPECT_EQ(table.require_proof, absl::Hours(7 * 24));
  EXPECT_EQ(table.timezone, "UTC");
  EXPECT_EQ(table.partition->holds, ColumnHolds::kUtc);
  const std::vector<DimensionValue> values = {{.text = "eu"}, {}, {.text = "no"}};
  EXPECT_EQ(table.partition->dimensions.at(0).values, values);
  EXPECT_EQ(table.inputs.at(0).before, (Span{.count = 27, .unit = Span::Unit::kDay}));
  EXPECT_EQ(table.inputs.at(0).after, (Span{.count = 1, .unit = Span::Unit::kHour}));
  EXPECT_EQ(table.lookback, 2);
  EXPECT_TRUE(table.parallel_ordered);
  EXPECT_EQ(table.batch, 31);
  EXPECT_TRUE(table.allow_empty);
  EXPECT_EQ(table.refresh, RefreshPolicy::kNever);
  EXPECT_EQ(table.proof.samples, 3);
  EXPECT_EQ(table.proof.max_rows, 1000);
  EXPECT_EQ(table.proof.ignore_columns.at("loaded_at"), "load stamp");
  EXPECT_EQ(table.tags, std::vector<std::string>{"finance"});
  EXPECT_EQ(table.unreconciled, "nothing to compare with");
}

TEST(LoadConfig, SearchGoesUpward) {
  ConfigFolder folder("upward");
  folder.Write("retrofill.yml", "version: 1\n");
  folder.Write("a/b/file", "x");
  const Result<std::string> found = FindConfigFile(JoinPath(folder.path(), "a/b"));
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(*found, JoinPath(folder.path(), "retrofill.yml"));
}

TEST(LoadConfig, SearchWithoutAFileIsAnErrorWithAWayOut) {
  const Result<std::string> found = FindConfigFile("/nonexistent/deep");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().id(), "C0111");
  EXPECT_EQ(found.error().diagnostic().helps.size(), 1U);
}

TEST(LoadConfig, OwnKeysWinOverIncludes) {
  ConfigFolder folder("includes");
  folder.Write("base.yml", R"(version: 1
defaults: {order: newest_first, publish: manual}
connections: {db: {type: duckdb, path: base.duckdb}}
tables: {t: {transform: {sql: a.sql}, tags: [one, two], unreconciled: from the base file}}
)");
  folder.Write("a.sql", "select 1");
  folder.Write("staging.yml", R"(version: 1
include: [base.yml]
defaults: {order: oldest_first}
connections: {db: {path: staging.duckdb}}
tables: {t: {tags: [three]}}
)");
  const Checked<Configuration> loaded = folder.Load("staging.yml");
  ASSERT_TRUE(loaded.ok()) << Listing(loaded.errors);
  const Table& table = loaded.value.project.tables.at("t");
  EXPECT_EQ(table.order, Order::kOldestFirst);
  EXPECT_EQ(table.publish, PublishMode::kManual);
  EXPECT_EQ(table.tags, std::vector<std::string>{"three"});
  EXPECT_EQ(loaded.value.project.connections.at("db").path,
            JoinPath(folder.path(), "staging.duckdb"));
  EXPECT_EQ(table.unreconciled, "from the base file");
}

TEST(LoadConfig, FilesOfTheDefaultFolderAreIncludedByName) {
  ConfigFolder folder("default_include");
  folder.Write("retrofill.d/20.yml", "defaults: {order: newest_first}\n");
  folder.Write("retrofill.d/10.yml", "defaults: {order: oldest_first, publish: manual}\n");
  folder.Write("retrofill.d/.hidden.yml", "defaults: {order: oldest_first}\n");
  folder.Write("retrofill.d/note.txt", "no YAML: [");
  folder.Write("retrofill.d/sql/a.sql", "select 1");
  folder.Write("retrofill.d/30.yml", R"(connections: {db: {type: duckdb, path: db.duckdb}}
tables: {t: {transform: {sql: sql/a.sql}, unreconciled: has no source}}
)");
  folder.Write("retrofill.yml", "version: 1\n");
  const Checked<Configuration> loaded = folder.Load();
  ASSERT_TRUE(loaded.ok()) << Listing(loaded.errors);
  const Table& table = loaded.value.project.tables.at("t");
  EXPECT_EQ(table.order, Order::kNewestFirst);
  EXPECT_EQ(table.publish, PublishMode::kManual);
  // Relative to the file that names them.
  EXPECT_EQ(table.sql_file, "retrofill.d/sql/a.sql");
  EXPECT_EQ(loaded.value.project.connections.at("db").path,
            JoinPath(folder.path(), "retrofill.d/db.duckdb"));
}

TEST(LoadConfig, SettingsOfTheUserComeBeforeThoseOfTheSystem) {
  ConfigFolder folder("settings");
  folder.Write("retrofill.yml", "version: 1\n");
  folder.Write("user.yml", "cli: {color: never, progress: false}\n");
  folder.Write("system.yml", "cli: {color: always, format: json}\n");
  const Checked<Configuration> loaded = LoadConfiguration(
      {.config_file = JoinPath(folder.path(), "retrofill.yml"),
       .environment = NoVariables(),
       .setting_files = {JoinPath(folder.path(), "user.yml"), JoinPath(folder.path(), "system.yml"),
                         JoinPath(folder.path(), "absent.yml")}});
  ASSERT_TRUE(loaded.ok()) << Listing(loaded.errors);
  EXPECT_EQ(loaded.value.cli.color, "never");
  EXPECT_EQ(loaded.value.cli.format, "json");
  EXPECT_EQ(loaded.value.cli.progress, false);
}

TEST(LoadConfig, SettingFilesFollowXdg) {
  const VariableReader home = [](std::string_view name) -> std::optional<std::string> {
    if (name == "HOME") return "/h";
    return std::nullopt;
  };
  EXPECT_EQ(SettingFiles(home).at(0), "/h/.config/retrofill/config.yml");
  const VariableReader xdg = [](std::string_view name) -> std::optional<std::string> {
    return name == "XDG_CONFIG_HOME" ? "/x" : "/h";
  };
  EXPECT_EQ(SettingFiles(xdg),
            (std::vector<std::string>{"/x/retrofill/config.yml", "/etc/xdg/retrofill/config.yml"}));
}

TEST(LoadConfig, DeclaredDefaultPoolIsUsed) {
  ConfigFolder folder("default_pool");
  folder.Write("a.sql", "select 1");
  folder.Write("retrofill.yml", R"(version: 1
connections: {db: {type: duckdb, path: db.duckdb}}
pools: {default: {slots: 2}}
tables: {t: {transform: {sql: a.sql}, unreconciled: has no source}}
)");
  const Checked<Configuration> loaded = folder.Load();
  ASSERT_TRUE(loaded.ok()) << Listing(loaded.errors);
  EXPECT_EQ(loaded.value.project.tables.at("t").pool, "default");
  EXPECT_EQ(loaded.value.project.pools.at("default").connection, "db");
  EXPECT_EQ(loaded.value.project.pools.size(), 1U);
}

TEST(LoadConfig, TableThatReadsItselfIsSequential) {
  ConfigFolder folder("self");
  folder.Write("a.sql", "select 1");
  folder.Write("retrofill.yml", R"(version: 1
connections: {db: {type: duckdb, path: db.duckdb}}
tables: {t: {transform: {sql: a.sql}, inputs: [{table: t, window: {before: 1d}}], unreconciled: has no source}}
)");
  const Checked<Configuration> loaded = folder.Load();
  ASSERT_TRUE(loaded.ok()) << Listing(loaded.errors);
  EXPECT_TRUE(loaded.value.project.tables.at("t").self_reference);
}

}  // namespace
}  // namespace retrofill
