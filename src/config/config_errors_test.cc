// Every problem of the family C01, provoked, with its place.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/text.h"
#include "config/config_folder_test.h"

namespace retrofill {
namespace {

constexpr std::string_view kHead = R"(version: 1
connections: {db: {type: duckdb, path: db.duckdb}}
sources: {raw: {}}
)";

// Loads the text behind three lines that declare the connection `db` and the source `raw`, beside
// a file a.sql.
Checked<Configuration> LoadBehindHead(std::string_view name, std::string_view text) {
  ConfigFolder folder(name);
  folder.Write("a.sql", "select 1");
  folder.Write("retrofill.yml", std::string(kHead) + std::string(text));
  return folder.Load();
}

std::string ListingBehindHead(std::string_view name, std::string_view text) {
  return Listing(LoadBehindHead(name, text).errors);
}

std::string ListingOf(std::string_view name, std::string_view text) {
  ConfigFolder folder(name);
  folder.Write("retrofill.yml", text);
  return Listing(folder.Load().errors);
}

std::string TableWith(std::string_view line) {
  return fmt::format(
      "tables:\n"
      "  daily:\n"
      "    transform: {{sql: a.sql}}\n"
      "    unreconciled: nothing to compare\n"
      "    {}\n",
      line);
}

TEST(ConfigErrors, C0101TextIsNotYaml) {
  EXPECT_EQ(ListingOf("c0101", "version: 1\ntables: {daily: [}\n").substr(0, 24),
            "C0101 retrofill.yml:2:18");
}

TEST(ConfigErrors, C0102PinnedUnknownKey) {
  std::string text = "version: 1\nconnections: {db: {type: duckdb, path: db.duckdb}}\n";
  while (Lines(text).size() < 68) text += "#\n";
  text += "tables:\n  daily:\n    looback: 3\n    transform: {sql: a.sql}\n";
  ConfigFolder folder("c0102");
  folder.Write("a.sql", "select 1");
  folder.Write("retrofill.yml", text);
  const Checked<Configuration> loaded = folder.Load();
  ASSERT_EQ(loaded.errors.size(), 1U) << Listing(loaded.errors);
  const Diagnostic& diagnostic = loaded.errors[0].diagnostic();
  EXPECT_EQ(loaded.errors[0].code(), ErrorCode::kInvalid);
  EXPECT_EQ(diagnostic.message, "unknown key `looback`");
  EXPECT_EQ(diagnostic.origin->file, "retrofill.yml");
  EXPECT_EQ(diagnostic.origin->line, 71);
  EXPECT_EQ(diagnostic.origin->column, 5);
  EXPECT_EQ(diagnostic.origin->length, 7);
  EXPECT_EQ(diagnostic.origin->lines, std::vector<std::string>{"    looback: 3"});
  EXPECT_EQ(diagnostic.origin->label, "did you mean `lookback`?");
  EXPECT_TRUE(diagnostic.notes.empty());
  EXPECT_TRUE(diagnostic.helps.empty());
}

TEST(ConfigErrors, C0102WithoutANearKeyListsThem) {
  const Checked<Configuration> loaded = LoadBehindHead("c0102_far", "defaults: {colour: red}\n");
  ASSERT_EQ(loaded.errors.size(), 1U);
  EXPECT_EQ(loaded.errors[0].message(), "unknown key `colour`");
  EXPECT_EQ(loaded.errors[0].diagnostic().origin->label, "");
  ASSERT_EQ(loaded.errors[0].diagnostic().helps.size(), 1U);
  EXPECT_TRUE(loaded.errors[0].diagnostic().helps[0].starts_with(
      "the keys of `defaults` are `timezone`, `pool`,"));
}

TEST(ConfigErrors, C0102NamesAreFreeButTheirKeysAreNot) {
  EXPECT_EQ(ListingBehindHead("c0102_names", "pools: {anything: {slot: 3}}\n"),
            "C0102 retrofill.yml:4:20 unknown key `slot`\n");
}

TEST(ConfigErrors, C0103BadValuesOfEachForm) {
  const Checked<Configuration> loaded = LoadBehindHead("c0103_forms", R"(defaults:
  timezone: Mars/Olympus
  order: oldest_frist
  max_failed: 150%
  attempts: {max: 0, backoff: 10min..30s}
  keep: {undo: 5m, stage: soon}
  require: {clean_git: yes, proof: 14}
  as_of: yesterday
)");
  std::vector<std::string> places;
  for (const Error& error : loaded.errors) {
    EXPECT_EQ(error.id(), "C0103");
    EXPECT_FALSE(error.diagnostic().helps.empty()) << error.message();
    places.push_back(
        fmt::format("{}:{}", error.diagnostic().origin->line, error.diagnostic().origin->column));
  }
  EXPECT_EQ(places, (std::vector<std::string>{"5:13", "6:10", "7:15", "8:19", "8:31", "9:16",
                                              "9:27", "10:24", "10:36", "11:10"}));
  EXPECT_EQ(loaded.errors[1].message(), "`defaults.order` cannot be `oldest_frist`");
  EXPECT_EQ(loaded.errors[1].diagnostic().origin->label, "did you mean `oldest_first`?");
  EXPECT_EQ(loaded.errors[1].diagnostic().helps[0], "write `oldest_first` or `newest_first`");
  EXPECT_EQ(loaded.errors[5].diagnostic().helps[0], "write `5min`");
}

TEST(ConfigErrors, C0103ShapesAreChecked) {
  EXPECT_EQ(ListingBehindHead("c0103_shapes", R"(defaults: [1]
pools: text
tables:
  daily: {transform: {sql: a.sql}, grain: order_date, unreconciled: short, reconcile: {count: {}}}
)"),
            "C0103 retrofill.yml:4:11 `defaults` cannot be a list\n"
            "C0103 retrofill.yml:5:8 `pools` cannot be `text`\n"
            "C0103 retrofill.yml:7:43 `tables.daily.grain` cannot be `order_date`\n"
            "C0103 retrofill.yml:7:69 `tables.daily.unreconciled` cannot be `short`\n"
            "C0103 retrofill.yml:7:87 `tables.daily.reconcile` cannot be a map\n");
}

TEST(ConfigErrors, C0103NeededKeys) {
  EXPECT_EQ(ListingOf("c0103_needed", R"yaml(connections:
  a: {path: x.duckdb}
  b: {type: duckdb}
tables:
  daily: {partition: {by: day}, connection: a}
  weekly: {transform: {}, connection: b, reconcile: [{sum: {source: "sum(a)"}}]}
)yaml"),
            "C0103 retrofill.yml:1:1 the file needs the key `version`\n"
            "C0103 retrofill.yml:2:3 `connections.a` needs the key `type`\n"
            "C0103 retrofill.yml:3:3 connection `b` needs the key `path`\n"
            "C0103 retrofill.yml:5:3 table `daily` needs the key `transform`\n"
            "C0103 retrofill.yml:5:11 `tables.daily.partition` needs the key `column`\n"
            "C0103 retrofill.yml:6:12 the transform of table `weekly` names no SQL file\n"
            "C0103 retrofill.yml:6:55 `tables.weekly.reconcile.sum` needs the key `target`\n");
}

TEST(ConfigErrors, C0103VersionOfTheFormat) {
  EXPECT_EQ(ListingOf("c0103_version", "version: 2\n"),
            "C0103 retrofill.yml:1:10 `version` cannot be `2`\n");
}

TEST(ConfigErrors, C0103KeysThatAreNotAvailableAreNeverIgnored) {
  EXPECT_EQ(ListingBehindHead("c0103_later", TableWith("schedule: nightly") +
                                                 "serve: {listen: nonsense, unknown: 1}\n"),
            "C0103 retrofill.yml:8:15 `schedule: nightly` is not available in this version\n"
            "C0103 retrofill.yml:9:1 key `serve` is not available in this version\n");
}

TEST(ConfigErrors, C0103KeysOfAnotherTypeAreNamedWithoutIt) {
  EXPECT_EQ(ListingOf("c0103_of_type",
                      "version: 1\nconnections: {db: {type: duckdb, path: a.duckdb, host: h}}\n"),
            "C0103 retrofill.yml:2:50 key `host` is not available in this version\n");
}

TEST(ConfigErrors, C0103RulesThatAreNotAvailable) {
  EXPECT_EQ(
      ListingBehindHead("c0103_rules", TableWith("reconcile: [{fresh: {column: a}}, {count: "
                                                 "{source: a, target: b, severity: approve}}]")),
      "C0103 retrofill.yml:8:18 key `fresh` is not available in this version\n"
      "C0103 retrofill.yml:8:80 `severity: approve` is not available in this version\n");
}

TEST(ConfigErrors, C0103ReferencesOnlyWhereTheyAreAllowed) {
  EXPECT_EQ(ListingBehindHead("c0103_reference", "project: \"${NAME}\"\n"),
            "C0103 retrofill.yml:4:10 `project` may hold no reference such as `${VAR}`\n");
}

TEST(ConfigErrors, C0103PartitionsThatCannotBeCut) {
  const auto listing = [](std::string_view partition) {
    const Checked<Configuration> loaded =
        LoadBehindHead("c0103_partition", TableWith("partition: " + std::string(partition)));
    std::string places;
    for (const Error& error : loaded.errors) {
      places += fmt::format("{} {}:{} ", error.id(), error.diagnostic().origin->line,
                            error.diagnostic().origin->column);
    }
    return places;
  };
  EXPECT_EQ(listing("{by: fortnight, column: d}"), "C0103 8:21 ");
  EXPECT_EQ(listing("{by: month, column: d, begin: 2025-01-15}"), "C0103 8:46 ");
  EXPECT_EQ(listing("{by: day, column: d, begin: 2025-01-15, end: 2025-01-01}"), "C0103 8:61 ");
  EXPECT_EQ(listing("{column: d}"), "C0103 8:17 ");
  EXPECT_EQ(listing("{}"), "C0103 8:5 ");
  EXPECT_EQ(listing("{by: hour, column: d, column_format: yyyymmdd}"), "C0103 8:53 ");
  EXPECT_EQ(listing("{by: day, column: d, dimensions: {region: []}}"), "C0103 8:58 ");
  EXPECT_EQ(listing("{by: day, column: d, dimensions: {region: [eu, eu]}}"), "C0103 8:63 ");
  EXPECT_EQ(listing("{by: day, column: d, dimensions: {region: {query: select 1, column: c}}}"),
            "C0103 8:59 ");
  EXPECT_EQ(listing("{by: day, column: d}"), "");
}

TEST(ConfigErrors, C0103CronLines) {
  const auto listing = [](std::string_view partition) {
    return ListingBehindHead("c0103_cron", TableWith("partition: " + std::string(partition)));
  };
  EXPECT_EQ(listing("{cron: 0 8 1 * *, column: d, begin: 2025-01-01, end: 2025-12}"), "");
  EXPECT_EQ(listing("{cron: \"*/15 * * * *\", column: d, begin: 2025-01-01T00:15}"), "");
  EXPECT_EQ(listing("{cron: 0 8 1 * *}"),
            "C0103 retrofill.yml:8:5 `tables.daily.partition` needs the key `column`\n");
  EXPECT_EQ(listing("{cron: 0 8 1 * *, by: month, column: d}"),
            "C0103 retrofill.yml:8:23 `tables.daily.partition` has both `by` and `cron`\n");
  EXPECT_EQ(listing("{by: 0 8 1 * *, column: d}"),
            "C0103 retrofill.yml:8:21 `tables.daily.partition.by` cannot be `0 8 1 * *`\n");
  EXPECT_EQ(listing("{cron: day, column: d}"),
            "C0103 retrofill.yml:8:23 cron line `day` has 1 fields\n");
  EXPECT_EQ(listing("{cron: 0 0 8 1 * *, column: d}"),
            "C0103 retrofill.yml:8:23 cron line `0 0 8 1 * *` has 6 fields\n");
  EXPECT_EQ(listing("{cron: 0 8 30 feb *, column: d}"),
            "C0103 retrofill.yml:8:23 cron line `0 8 30 feb *` names no date that exists\n");
  EXPECT_EQ(listing("{cron: 0 8 1 * *, column: d, begin: 2025-01-02}"),
            "C0103 retrofill.yml:8:52 `begin: 2025-01-02` is not a partition by 0 8 1 * *\n");
  EXPECT_EQ(listing("{cron: 0 8 1 * *, column: d, column_format: yyyymmdd}"),
            "C0103 retrofill.yml:8:60 integer dates cannot be cut by `0 8 1 * *`, only by `day` or "
            "longer\n");
}

TEST(ConfigErrors, C0103RulesThatSayTooLittleOrTooMuch) {
  EXPECT_EQ(ListingBehindHead("c0103_rule_options", R"(tables:
  daily:
    transform: {sql: a.sql}
    reconcile:
      - {count: {source: a, target: b}, sum: {source: a, target: b}}
      - sql: {source: select 1}
      - sql: {no_rows: select 1, within: 1}
      - unique: {columns: []}
      - count: {name: same, source: a, target: b, within: -1}
      - count: {name: same, source: a, target: b, within: {abs: 0.01, rel: 0.001%}}
)"),
            "C0103 retrofill.yml:8:9 an entry of `reconcile` has 2 keys instead of one rule\n"
            "C0103 retrofill.yml:9:9 rule `sql` needs `source` and `target`, or `no_rows` alone\n"
            "C0103 retrofill.yml:10:34 `within` says nothing beside `no_rows`\n"
            "C0103 retrofill.yml:11:27 rule `unique` names no column\n"
            "C0103 retrofill.yml:12:59 `tables.daily.reconcile.5.count.within` cannot be `-1`\n"
            "C0103 retrofill.yml:13:23 two rules are named `same`\n");
}

TEST(ConfigErrors, C0103PoolOfAnotherConnection) {
  EXPECT_EQ(ListingOf("c0103_pool", R"(version: 1
connections: {a: {type: duckdb, path: a.duckdb}, b: {type: duckdb, path: b.duckdb}}
pools: {small: {connection: b}}
tables: {t: {connection: a, pool: small, transform: {sql: retrofill.yml}}}
)"),
            "C0103 retrofill.yml:4:35 table `t` is on connection `a`, its pool `small` is for "
            "`b`\n");
}

TEST(ConfigErrors, C0103ConnectionMustBeNamedAmongSeveral) {
  EXPECT_EQ(ListingOf("c0103_connection", R"(version: 1
connections: {a: {type: duckdb, path: a.duckdb}, b: {type: duckdb, path: b.duckdb}}
sources: {raw: {}}
)"),
            "C0103 retrofill.yml:3:11 source `raw` does not name its connection\n");
}

TEST(ConfigErrors, C0103SourcesOfTwoKindsOrOfNone) {
  EXPECT_EQ(ListingOf("c0103_files", R"(version: 1
connections: {db: {type: duckdb, path: db.duckdb}}
sources:
  a: {files: data/*.xlsx}
  b: {files: data/*.csv.gz, relation: b}
  c: {files: DATA/*.PARQUET}
)"),
            "C0103 retrofill.yml:4:14 files `data/*.xlsx` are of no known format\n"
            "C0103 retrofill.yml:5:14 source `b` has both `relation` and `files`\n");
}

TEST(ConfigErrors, C0103NumbersThatNoCounterHolds) {
  EXPECT_EQ(ListingBehindHead("c0103_large", "pools: {p: {slots: 99999999999}}\n"),
            "C0103 retrofill.yml:4:20 `pools.p.slots` cannot be `99999999999`\n");
}

TEST(ConfigErrors, C0103NamesThatCannotBeTyped) {
  EXPECT_EQ(ListingBehindHead("c0103_names", "pools: {\"a b\": {}, ../x: {}}\n"),
            "C0103 retrofill.yml:4:9 `a b` is no name\n"
            "C0103 retrofill.yml:4:20 `../x` is no name\n");
}

TEST(ConfigErrors, C0103FileThatIncludesItself) {
  ConfigFolder folder("c0103_include");
  folder.Write("retrofill.yml", "version: 1\ninclude: [a.yml]\n");
  folder.Write("a.yml", "include: [retrofill.yml]\n");
  EXPECT_EQ(Listing(folder.Load().errors), "C0103 a.yml:1:11 `retrofill.yml` includes itself\n");
}

TEST(ConfigErrors, C0104PinnedYamlBoolean) {
  std::string text(kHead);
  while (Lines(text).size() < 61) text += "#\n";
  text +=
      "tables:\n  daily:\n    transform: {sql: a.sql}\n"
      "    partition:\n      dimensions: {region: [eu, no, se]}\n";
  ConfigFolder folder("c0104");
  folder.Write("a.sql", "select 1");
  folder.Write("retrofill.yml", text);
  const Checked<Configuration> loaded = folder.Load();
  ASSERT_EQ(loaded.errors.size(), 1U) << Listing(loaded.errors);
  const Diagnostic& diagnostic = loaded.errors[0].diagnostic();
  EXPECT_EQ(diagnostic.id, "C0104");
  EXPECT_EQ(diagnostic.message, "dimension value `no` is a boolean in YAML");
  EXPECT_EQ(diagnostic.origin->line, 66);
  EXPECT_EQ(diagnostic.origin->column, 33);
  EXPECT_EQ(diagnostic.origin->length, 2);
  EXPECT_EQ(diagnostic.origin->lines,
            std::vector<std::string>{"      dimensions: {region: [eu, no, se]}"});
  EXPECT_EQ(diagnostic.origin->label, "YAML 1.1 reads this as false");
  EXPECT_EQ(diagnostic.helps, std::vector<std::string>{"write \"no\""});
}

TEST(ConfigErrors, C0104NumbersAndWordsInEveryCase) {
  const Checked<Configuration> loaded = LoadBehindHead(
      "c0104_all",
      TableWith("partition: {dimensions: {d: [on, YES, False, 1e3, 08, 1:30, -1, .5, 0x1F, .nan, "
                "oN, 1.2.3, \"08\", eu-1, e3, 2024-01-01]}}"));
  std::vector<std::string> values;
  for (const Error& error : loaded.errors) {
    EXPECT_EQ(error.id(), "C0104");
    values.push_back(error.message());
  }
  ASSERT_EQ(values.size(), 10U) << Listing(loaded.errors);
  EXPECT_EQ(values[0], "dimension value `on` is a boolean in YAML");
  EXPECT_EQ(values[3], "dimension value `1e3` is a number in YAML");
  EXPECT_EQ(values[4], "dimension value `08` is a number in YAML");
}

TEST(ConfigErrors, C0105KeysOfTheUserInTheProject) {
  EXPECT_EQ(ListingBehindHead("c0105_project", "cli: {color: never}\n"),
            "C0105 retrofill.yml:4:1 key `cli` is not allowed in this file\n");
}

TEST(ConfigErrors, C0105KeysOfTheProjectInTheFileOfTheUser) {
  ConfigFolder folder("c0105_user");
  folder.Write("config.yml", "cli: {color: never}\ntables: {}\nnonsense: 1\n");
  const std::string path = JoinPath(folder.path(), "config.yml");
  const Checked<CliSettings> loaded = LoadSettings({path});
  EXPECT_EQ(Listing(loaded.errors),
            fmt::format("C0105 {0}:2:1 key `tables` is not allowed in this file\n"
                        "C0105 {0}:3:1 key `nonsense` is not allowed in this file\n",
                        path));
}

TEST(ConfigErrors, C0106SecretsAreNeverShown) {
  const Checked<Configuration> loaded = LoadBehindHead(
      "c0106", "notify:\n  - {webhook: x, secret: hunter2}\nschedules: {s: {token: \"${T}\"}}\n");
  ASSERT_EQ(loaded.errors.size(), 3U) << Listing(loaded.errors);
  const Error& error = loaded.errors[1];
  EXPECT_EQ(error.id(), "C0106");
  EXPECT_EQ(error.message(), "`notify.secret` is written in the file");
  EXPECT_EQ(error.diagnostic().origin->line, 5);
  EXPECT_EQ(error.diagnostic().origin->column, 26);
  EXPECT_TRUE(error.diagnostic().origin->lines.empty());
}

TEST(ConfigErrors, C0107SecretFileThatOthersCanRead) {
  ConfigFolder folder("c0107");
  folder.Write("path.txt", "db.duckdb\n");
  folder.Write("retrofill.yml",
               "version: 1\nconnections: {db: {type: duckdb, path: \"${file:path.txt}\"}}\n");
  const std::string secret = JoinPath(folder.path(), "path.txt");
  ASSERT_EQ(chmod(secret.c_str(), 0644), 0);
  const Checked<Configuration> open = folder.Load();
  EXPECT_TRUE(open.ok());
  EXPECT_EQ(open.value.project.connections.at("db").path, JoinPath(folder.path(), "db.duckdb"));
  ASSERT_EQ(open.warnings.size(), 1U);
  EXPECT_EQ(open.warnings[0].id, "C0107");
  EXPECT_EQ(open.warnings[0].level, Level::kWarning);
  EXPECT_EQ(open.warnings[0].origin->line, 2);
  ASSERT_EQ(chmod(secret.c_str(), 0600), 0);
  EXPECT_TRUE(folder.Load().warnings.empty());
}

TEST(ConfigErrors, C0108VariableThatIsNotSet) {
  const Checked<Configuration> loaded = LoadBehindHead("c0108", "pools: {}\n");
  EXPECT_TRUE(loaded.ok());
  ConfigFolder folder("c0108");
  folder.Write("retrofill.yml", R"(version: 1
connections:
  a: {type: duckdb, path: "${PLACE}/a.duckdb"}
  b: {type: duckdb, path: "${PLACE:?the folder of the data}/b.duckdb"}
)");
  const Checked<Configuration> unset = folder.Load();
  EXPECT_EQ(Listing(unset.errors),
            "C0108 retrofill.yml:3:27 the environment variable `PLACE` is not set\n"
            "C0108 retrofill.yml:4:27 the environment variable `PLACE` is not set\n");
  EXPECT_EQ(unset.errors[1].diagnostic().notes, std::vector<std::string>{"the folder of the data"});
}

TEST(ConfigErrors, C0109UnknownNamesWithASuggestion) {
  const Checked<Configuration> loaded = LoadBehindHead("c0109", R"(pools: {small: {connection: bd}}
defaults: {pool: smal}
tables:
  daily:
    connection: warehouse
    pool: elsewhere
    transform: {sql: a.sql}
    inputs: [{source: rwa}, {table: dayly}]
)");
  EXPECT_EQ(Listing(loaded.errors),
            "C0109 retrofill.yml:4:29 unknown connection `bd`\n"
            "C0109 retrofill.yml:5:18 unknown pool `smal`\n"
            "C0109 retrofill.yml:8:17 unknown connection `warehouse`\n"
            "C0109 retrofill.yml:9:11 unknown pool `elsewhere`\n"
            "C0109 retrofill.yml:11:23 unknown source `rwa`\n"
            "C0109 retrofill.yml:11:37 unknown table `dayly`\n");
  EXPECT_EQ(loaded.errors[5].diagnostic().origin->label, "did you mean `daily`?");
  EXPECT_EQ(loaded.errors[3].diagnostic().helps, std::vector<std::string>{"known here: `small`"});
}

TEST(ConfigErrors, C0110TablesFormACycle) {
  EXPECT_EQ(ListingBehindHead("c0110", R"(tables:
  a: {transform: {sql: a.sql}, inputs: [{table: c}]}
  b: {transform: {sql: a.sql}, inputs: [{table: a}]}
  c: {transform: {sql: a.sql}, inputs: [{table: b}]}
  d: {transform: {sql: a.sql}, inputs: [{table: c}]}
)"),
            "C0110 retrofill.yml:6:49 tables form a cycle: a reads c reads b reads a\n");
}

TEST(ConfigErrors, C0103TwoTablesThatWriteOneRelation) {
  EXPECT_EQ(ListingBehindHead("c0103_relation", R"(tables:
  a: {transform: {sql: a.sql}, unreconciled: nothing to compare}
  b: {transform: {sql: a.sql}, unreconciled: nothing to compare, relation: Main.A}
  c: {transform: {sql: a.sql}, unreconciled: nothing to compare, relation: other.a}
)"),
            "C0103 retrofill.yml:6:76 tables `a` and `b` both write `Main.A`\n");
}

TEST(ConfigErrors, C0110TableThatReadsItsOwnFuture) {
  EXPECT_EQ(
      ListingBehindHead("c0110_self", TableWith("inputs: [{table: daily, window: {after: 1d}}]")),
      "C0110 retrofill.yml:8:22 table `daily` reads its own later partitions\n");
}

TEST(ConfigErrors, C0111SqlFilesMissingEmptyOrUnreadable) {
  ConfigFolder folder("c0111");
  folder.Write("empty.sql", " \n");
  folder.Write("folder.sql/x", "x");
  folder.Write("retrofill.yml", std::string(kHead) + R"(tables:
  a: {transform: {sql: missing.sql}}
  b: {transform: {sql: empty.sql}}
  c: {transform: {sql: folder.sql}}
include: [absent.yml]
)");
  EXPECT_EQ(Listing(folder.Load().errors).substr(0, 24), "C0111 retrofill.yml:8:11");
  folder.Write("absent.yml", "{}");
  EXPECT_EQ(Listing(folder.Load().errors),
            "C0111 retrofill.yml:5:24 the SQL file `missing.sql` of table `a` does not exist\n"
            "C0111 retrofill.yml:6:24 the SQL file `empty.sql` of table `b` is empty\n"
            "C0111 retrofill.yml:7:24 the SQL file `folder.sql` of table `c` is a folder\n");
}

TEST(ConfigErrors, ProblemsOfAllFilesComeTogetherInOrder) {
  ConfigFolder folder("all_files");
  folder.Write("a.yml", "defaults: {oder: x}\n");
  folder.Write("retrofill.yml",
               "version: 1\ninclude: [a.yml]\npools: {p: {slots: none}}\nprojct: x\n");
  EXPECT_EQ(Listing(folder.Load().errors),
            "C0103 retrofill.yml:3:9 pool `p` has no connection\n"
            "C0103 retrofill.yml:3:20 `pools.p.slots` cannot be `none`\n"
            "C0102 retrofill.yml:4:1 unknown key `projct`\n"
            "C0102 a.yml:1:12 unknown key `oder`\n");
}

TEST(ConfigErrors, EmptyFileSaysNothing) {
  EXPECT_EQ(ListingOf("empty", "# nothing\n"),
            "C0103 retrofill.yml:0:0 `retrofill.yml` says nothing\n");
}

TEST(ConfigErrors, BrokenIncludeHidesWhatDependsOnIt) {
  ConfigFolder folder("broken_include");
  folder.Write("a.yml", "connections: {db: [\n");
  folder.Write("a.sql", "select 1");
  folder.Write("retrofill.yml",
               "version: 1\ninclude: [a.yml]\ntables: {t: {transform: {sql: a.sql}}}\n");
  const Checked<Configuration> loaded = folder.Load();
  ASSERT_EQ(loaded.errors.size(), 1U) << Listing(loaded.errors);
  EXPECT_EQ(loaded.errors[0].id(), "C0101");
  EXPECT_EQ(loaded.errors[0].diagnostic().origin->file, "a.yml");
}

}  // namespace
}  // namespace retrofill
