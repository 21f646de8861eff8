#include "model/space.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace retrofill {
namespace {

Grid MakeGrid(std::string_view by, std::string_view zone = "UTC") {
  Result<Zone> loaded = Zone::Load(zone);
  EXPECT_TRUE(loaded.ok());
  Result<Grid> grid = Grid::Make({.by = std::string(by),
                                  .zone = *loaded,
                                  .week_start = absl::Weekday::monday,
                                  .begin = "",
                                  .end = ""});
  EXPECT_TRUE(grid.ok());
  return std::move(*grid);
}

Dimension Texts(std::string name, std::vector<std::string> values) {
  Dimension dimension{.name = std::move(name), .type = DimensionType::kText, .values = {}};
  for (std::string& value : values) dimension.values.push_back({std::move(value)});
  return dimension;
}

Partition Key(const PartitionSpace& space, std::string_view text) {
  Result<Partition> partition = space.ParseKey(text);
  EXPECT_TRUE(partition.ok()) << text << ": "
                              << (partition.ok() ? "" : partition.error().message());
  return partition.ok() ? *partition : Partition{};
}

TEST(PartitionSpace, PrintsKeyAndIdentityText) {
  const PartitionSpace space(MakeGrid("day", "America/New_York"),
                             {Texts("region", {"eu", "us"}), Texts("channel", {"web", "shop"})},
                             false);
  const Partition partition = Key(space, "2026-03-08/eu/web");
  EXPECT_EQ(space.KeyText(partition), "2026-03-08/eu/web");
  EXPECT_EQ(space.IdentityText(partition),
            "20260308T050000Z..20260309T040000Z/channel=web/region=eu");
  EXPECT_EQ(space.ParseIdentity(space.IdentityText(partition)), partition);
}

TEST(PartitionSpace, CivilIdentityHoldsDates) {
  const PartitionSpace space(MakeGrid("day", "Asia/Taipei"), {}, true);
  EXPECT_EQ(space.IdentityText(Key(space, "2026-03-08")), "20260308..20260309");
  EXPECT_EQ(space.ParseIdentity("20260308..20260309"), Key(space, "2026-03-08"));
  EXPECT_EQ(space.ParseIdentity("20260308..20260310"), std::nullopt);
  EXPECT_EQ(space.ParseIdentity("20260230..20260301"), std::nullopt);
  const PartitionSpace hours(MakeGrid("hour"), {}, true);
  EXPECT_EQ(hours.IdentityText(Key(hours, "2026-03-08T23")), "20260308T230000..20260309T000000");
}

TEST(PartitionSpace, IdentityIsTheIntervalAndNotTheName) {  // K07
  const PartitionSpace taipei(MakeGrid("day", "Asia/Taipei"), {}, false);
  const Partition day = Key(taipei, "2026-06-10");
  EXPECT_EQ(taipei.IdentityText(day), "20260609T160000Z..20260610T160000Z");
  EXPECT_EQ(taipei.ParseIdentity("20260609T160000Z..20260610T160000Z"), day);
}

TEST(PartitionSpace, WithoutTimeThereIsOnePartitionPerCell) {
  const PartitionSpace keys(std::nullopt, {Texts("region", {"eu", "us", "all", "2026"})}, false);
  EXPECT_EQ(keys.KeyText(Key(keys, "us")), "us");
  EXPECT_EQ(keys.IdentityText(Key(keys, "us")), "/region=us");
  EXPECT_EQ(keys.ParseIdentity("/region=us"), Key(keys, "us"));
  EXPECT_EQ(keys.KeyText(Key(keys, "\"all\"")), "\"all\"");
  EXPECT_EQ(keys.KeyText(Key(keys, "2026")), "2026");
  EXPECT_FALSE(keys.ParseKey("all").ok());
  const PartitionSpace whole(std::nullopt, {}, false);
  EXPECT_EQ(whole.KeyText(Key(whole, "all")), "all");
  EXPECT_EQ(whole.IdentityText(Key(whole, "all")), "~all");
  EXPECT_EQ(whole.ParseIdentity("~all"), Key(whole, "all"));
  EXPECT_EQ(whole.ParseKey("2026-01-01").error().id(), "P0109");
}

struct ValueRow {
  std::optional<std::string> value;
  std::string key;
  std::string identity;
};

TEST(PartitionSpace, EveryValueHasItsOwnTextsThatReadBack) {  // K01, K02, K04
  const std::vector<ValueRow> rows = {
      {"us|east", R"("us|east")", "us%7Ceast"},
      {R"({"scenario":1, "version":1})", R"("{\"scenario\":1, \"version\":1}")",
       "%7B%22scenario%22%3A1%2C%20%22version%22%3A1%7D"},
      {"a..b", R"("a..b")", "a%2E%2Eb"},
      {"../up", R"("../up")", "%2E%2E%2Fup"},
      {"/etc/x", R"("/etc/x")", "%2Fetc%2Fx"},
      {"a/../../b", R"("a/../../b")", "a%2F%2E%2E%2F%2E%2E%2Fb"},
      {R"(C:\x)", R"("C:\\x")", "C%3A%5Cx"},
      {" ", R"(" ")", "%20"},
      {"\u00e9", "\"\u00e9\"", "%C3%A9"},
      {"e\u0301", "\"e\u0301\"", "e%CC%81"},
      {"50%", R"("50%")", "50%25"},
      {"50%25", R"("50%25")", "50%2525"},
      {"~null", R"("~null")", "%7Enull"},
      {"~empty", R"("~empty")", "%7Eempty"},
      {"", R"("")", "~empty"},
      {std::nullopt, "@null", "~null"},
      {"@null", R"("@null")", "%40null"},
      {"null", "null", "null"},
      {"[x]", R"("[x]")", "%5Bx%5D"},
      {"2026-01-01..2026-01-05", R"("2026-01-01..2026-01-05")", "2026-01-01%2E%2E2026-01-05"},
      {"eu'; drop table t;--", R"("eu'; drop table t;--")", "eu%27%3B%20drop%20table%20t%3B--"},
      {"-1", R"("-1")", "-1"},
      {"1.5", "1.5", "1%2E5"},
      {"line\nend\x01", "\"line\nend\x01\"", "line%0Aend%01"},
      {"\xF0\x9F\x98\x80", "\"\xF0\x9F\x98\x80\"", "%F0%9F%98%80"},
      {"\xFF", "\"\xFF\"", "%FF"},
      {"us", "us", "us"},
      {"US", "US", "US"},
  };
  Dimension dimension{.name = "region", .type = DimensionType::kText, .values = {}};
  for (const ValueRow& row : rows) dimension.values.push_back({row.value});
  ASSERT_TRUE(CheckDimensions({dimension}).ok());
  const PartitionSpace space(MakeGrid("day"), {dimension}, true);
  std::set<std::string> keys;
  std::set<std::string> identities;
  for (uint32_t cell = 0; cell < space.cell_count(); ++cell) {
    const ValueRow& row = rows[cell];
    const std::string key = "2026-06-15/" + row.key;
    const Partition partition = Key(space, key);
    EXPECT_EQ(partition.cell, cell) << key;
    EXPECT_EQ(space.KeyText(partition), key);
    const std::string identity = "20260615..20260616/region=" + row.identity;
    EXPECT_EQ(space.IdentityText(partition), identity);
    EXPECT_EQ(space.ParseIdentity(identity), partition);
    keys.insert(space.KeyText(partition));
    identities.insert(space.IdentityText(partition));
  }
  EXPECT_EQ(keys.size(), rows.size());
  EXPECT_EQ(identities.size(), rows.size());
}

TEST(PartitionSpace, PartsOfAKeyNeverRunIntoEachOther) {  // K01
  const PartitionSpace space(
      MakeGrid("day"), {Texts("a", {"us|east", "us", "us/east"}), Texts("b", {"east", ""})}, true);
  std::set<std::string> texts;
  for (uint32_t cell = 0; cell < space.cell_count(); ++cell) {
    const Partition partition{Key(space, "2026-06-15/us/east").interval, cell};
    texts.insert(space.KeyText(partition));
    texts.insert(space.IdentityText(partition));
    EXPECT_EQ(Key(space, space.KeyText(partition)), partition);
    EXPECT_EQ(space.ParseIdentity(space.IdentityText(partition)), partition);
  }
  EXPECT_EQ(texts.size(), 2U * space.cell_count());
}

TEST(PartitionSpace, RefusesIdentityTextThatIsNotCanonical) {
  const PartitionSpace space(MakeGrid("day"),
                             {Texts("region", {"a/b", "A"}), Texts("channel", {"web"})}, false);
  const std::string good = "20260308T000000Z..20260309T000000Z/channel=web/region=a%2Fb";
  EXPECT_TRUE(space.ParseIdentity(good).has_value());
  for (const std::string& text : std::vector<std::string>{
           "20260308T000000Z..20260309T000000Z/channel=web/region=a%2fb",
           "20260308T000000Z..20260309T000000Z/channel=web/region=%41",
           "20260308T000000Z..20260309T000000Z/region=a%2Fb/channel=web",
           "20260308T000000Z..20260309T000000Z/channel=web/region=a%2Fb/",
           "20260308T000000Z..20260309T000000Z/channel=web/region=a%2Fb/region=A",
           "20260308T000000Z..20260309T000000Z/channel=web", "20260308T000000Z..20260309T000000Z",
           "20260308T000000Z..20260310T000000Z/channel=web/region=A",
           "20260308T010000Z..20260309T010000Z/channel=web/region=A",
           "20260308..20260309/channel=web/region=A", "/channel=web/region=A",
           "20260308T000000Z..20260309T000000Z/channel=web/region=B",
           "20260308T000000Z..20260309T000000Z/channel=web/region=%2", "~all", "", "/", "a",
           "20260308T000000Z..20260309T000000Z/channel=web/region="}) {
    EXPECT_EQ(space.ParseIdentity(text), std::nullopt) << text;
  }
}

TEST(PartitionSpace, ParseKeySaysWhyThereIsNoPartition) {
  const PartitionSpace space(MakeGrid("day"), {Texts("region", {"eu", "us"})}, true);
  const auto id = [&](std::string_view text) {
    const Result<Partition> partition = space.ParseKey(text);
    EXPECT_FALSE(partition.ok()) << text;
    return partition.ok() ? "" : partition.error().id();
  };
  EXPECT_EQ(id("2026-01-01"), "P0109");
  EXPECT_EQ(id("2026-01/eu"), "P0104");
  EXPECT_EQ(id("2026-02-30/eu"), "P0105");
  EXPECT_EQ(id("2026-01-01/ue"), "P0108");
  EXPECT_EQ(id("2026-01-01/eu/x"), "P0109");
  EXPECT_EQ(id("2026-01-01/@missing"), "P0109");
  EXPECT_EQ(id(""), "P0109");
  EXPECT_EQ(id("2026-01-01/"), "P0109");
  EXPECT_EQ(id("eu"), "P0109");
}

TEST(CheckDimensions, RefusesWhatDoesNotFit) {
  const auto id = [](const Dimension& dimension) {
    const Status status = CheckDimensions({dimension});
    EXPECT_FALSE(status.ok());
    return status.ok() ? "" : status.error().id();
  };
  EXPECT_EQ(id(Texts("r", {})), "C0103");
  EXPECT_EQ(id(Texts("r", {"a", "b", "a"})), "C0103");
  EXPECT_EQ(id(Texts("r", {std::string("a\0b", 3)})), "C0103");
  EXPECT_EQ(id(Texts("r", {std::string(257, 'x')})), "P0212");
  EXPECT_TRUE(CheckDimensions({Texts("r", {std::string(256, 'x'), "A", "a"})}).ok());
  std::vector<Dimension> many;
  for (int i = 0; i < 8; ++i) {
    many.push_back(Texts("d" + std::to_string(i), {"0", "1", "2", "3", "4", "5", "6", "7", "8"}));
  }
  EXPECT_EQ(CheckDimensions(many).error().id(), "P0212");
}

}  // namespace
}  // namespace retrofill
