#include "model/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace retrofill {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

absl::Time Utc(int year, int month, int day, int hour = 0, int minute = 0, int second = 0) {
  return absl::FromCivil(absl::CivilSecond(year, month, day, hour, minute, second),
                         absl::UTCTimeZone());
}

Dimension Texts(std::string name, std::vector<std::string> values) {
  Dimension dimension{.name = std::move(name), .type = DimensionType::kText, .values = {}};
  for (std::string& value : values) dimension.values.push_back({std::move(value)});
  return dimension;
}

struct TableSpec {
  std::string by = "day";
  std::string zone = "UTC";
  std::string begin = "2020-01-01";
  std::string end = {};
  std::vector<Dimension> dimensions = {};
};

// A table with what a selection needs to know of it.
struct TestTable {
  explicit TestTable(TableSpec spec) {
    std::optional<Grid> grid;
    if (!spec.by.empty()) {
      Result<Zone> zone = Zone::Load(spec.zone);
      EXPECT_TRUE(zone.ok());
      Result<Grid> made = Grid::Make({.by = spec.by,
                                      .zone = *zone,
                                      .week_start = absl::Weekday::monday,
                                      .begin = spec.begin,
                                      .end = spec.end});
      EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message());
      grid = *made;
    }
    space = std::make_unique<PartitionSpace>(grid, spec.dimensions, false);
    context.space = space.get();
    context.table = "revenue_daily";
    context.as_of = Utc(2026, 2, 10, 9, 14, 5);
    context.watermark = Utc(2026, 2, 10);
  }

  Result<Selection> Resolve(SelectionArguments arguments) const {
    return ResolveSelection(arguments, context);
  }
  Result<Selection> Words(std::vector<std::string> words, Align align = Align::kNone) const {
    return Resolve(
        {.words = std::move(words), .start = {}, .end = {}, .except = {}, .align = align});
  }
  Result<Selection> Instants(std::string start, std::string end, Align align = Align::kNone) const {
    return Resolve({.words = {}, .start = start, .end = end, .except = {}, .align = align});
  }
  std::string Text(const Result<Selection>& selection) const {
    if (!selection.ok()) return selection.error().id() + ": " + selection.error().message();
    return SetText(selection->set, *space, 9);
  }
  int64_t Count(const Result<Selection>& selection) const {
    EXPECT_TRUE(selection.ok()) << (selection.ok() ? "" : selection.error().message());
    return selection.ok() ? selection->set.Count(*space) : -1;
  }

  std::unique_ptr<PartitionSpace> space;
  SelectionContext context;
};

// The table of the product document, 4.3.
TestTable Revenue() { return TestTable({.dimensions = {Texts("region", {"eu", "us", "apac"})}}); }

TEST(Selection, CountsOfTheExamples) {
  const TestTable table = Revenue();
  const std::vector<std::pair<std::vector<std::string>, int64_t>> rows = {
      {{"2026-01-31"}, 3},
      {{"2026-01-31/eu"}, 1},
      {{"2026-01"}, 93},
      {{"2026-01/eu"}, 31},
      {{"2026-W05"}, 21},
      {{"2025-11..2026-01"}, 276},
      {{"2025-11..2026-01-15"}, 228},
      {{"2026-01-30.."}, 33},
      {{"..2020-01-02"}, 6},
      {{".."}, 6696},
      {{}, 6696},
      {{"all"}, 6696},
      {{"2026-01,2025-12-24"}, 96},
      {{"2026-01", "2025-12-24"}, 96},
      {{"2026-01,!2026-01-15"}, 90},
      {{"!2026-01-15,2026-01"}, 90},
      {{"2026-01,!2026-01-15/eu"}, 92},
      {{"2026-01,!2026-01-15.."}, 42},
      {{"2026-01", "region=eu,us"}, 62},
      {{"2026-01", "region!=apac"}, 62},
      {{"region=eu"}, 2232},
      {{"7d.."}, 21},
      {{"2026"}, 1095},
      {{"2027-01"}, 93},
      {{"2025-Q4"}, 276},
      {{"today"}, 3},
      {{"yesterday/us"}, 1},
      {{"2026-01-31/\"eu\""}, 1},
      {{"2026-01-31/eu,2026-01-31/eu"}, 1},
  };
  for (const auto& [words, count] : rows) {
    SCOPED_TRACE(testing::PrintToString(words));
    EXPECT_EQ(table.Count(table.Words(words)), count);
  }
  EXPECT_EQ(table.Text(table.Words({"2026-W05"})), "2026-01-26..2026-02-01");
  EXPECT_EQ(table.Text(table.Words({"7d.."})), "2026-02-03..2026-02-09");
  EXPECT_EQ(table.Count(table.Instants("2026-01-01", "2026-02-01")), 93);
  EXPECT_EQ(table.Text(table.Instants("2024-10-01", "2024-10-04")),
            "2024-10-01..2024-10-03");  // W09
  EXPECT_EQ(table.Instants("2024-10-01", "2024-10-03T24:00").error().id(), "P0109");
  EXPECT_EQ(table.Text(table.Instants("2024-10-01T02:00:00+02:00", "2024-10-01T20:00-04:00")),
            "2024-10-01");
}

TEST(Selection, ExceptionsCountWhereverTheyStand) {
  const TestTable table = Revenue();
  EXPECT_EQ(table.Count(table.Resolve({.words = {"2026-01"},
                                       .start = {},
                                       .end = {},
                                       .except = {"2026-01-15,2026-01-16/eu"},
                                       .align = Align::kNone})),
            89);
  EXPECT_EQ(table.Count(table.Resolve({.words = {},
                                       .start = "2026-01-01",
                                       .end = "2026-02-01",
                                       .except = {"2026-01-15"},
                                       .align = Align::kNone})),
            90);
  EXPECT_EQ(table.Text(table.Words({"2026-01,!2026-01-15,2026-01-10..2026-01-20"})),
            "2026-01-01..2026-01-14, 2026-01-16..2026-01-31");
}

TEST(Selection, ExclusionOutsideOfTheRangeIsAWarning) {
  const TestTable table = Revenue();
  const Result<Selection> apart = table.Words({"2026-01,!2025-12-24"});
  ASSERT_EQ(table.Count(apart), 93);
  ASSERT_EQ(apart->warnings.size(), 1U);
  EXPECT_EQ(apart->warnings[0].message, "`!2025-12-24` lies outside of the selection");
  EXPECT_EQ(apart->warnings[0].level, Level::kWarning);
  EXPECT_EQ(table.Words({"2026-01,!2019-05"})->warnings.size(), 1U);
  EXPECT_TRUE(table.Words({"2026-01,!2026-01-02"})->warnings.empty());
}

TEST(Selection, StatesKeepWhatTheyName) {
  TestTable table = Revenue();
  const PartitionSet missing = table.Words({"2026-01-03,2025-12-24"})->set;
  const PartitionSet failed = table.Words({"2026-01-04/eu"})->set;
  table.context.state = [&](std::string_view state,
                            const PartitionSet& within) -> Result<PartitionSet> {
    if (state == "missing") return Intersection(missing, within);
    if (state == "failed") return failed;
    return PartitionSet();
  };
  EXPECT_EQ(table.Text(table.Words({"@missing"})), "2025-12-24, 2026-01-03");
  EXPECT_EQ(table.Text(table.Words({"2026-01", "@missing,@failed"})), "2026-01-03, 2026-01-04/eu");
  EXPECT_EQ(table.Count(table.Words({"2026-01", "!@missing"})), 90);
  EXPECT_EQ(table.Text(table.Words({"2026-01", "@missing", "region=us"})), "2026-01-03/us");
  EXPECT_EQ(table.Count(table.Words({"2025..", "!@blocked"})), 1215);
  const Result<Selection> none = table.Words({"2026-01", "@stale"});
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(none->uses_state);
  EXPECT_TRUE(none->set.empty());
  table.context.state = nullptr;
  EXPECT_EQ(table.Words({"@missing"}).error().id(), "P0109");
}

struct ErrorRow {
  std::vector<std::string> words;
  const char* id;
  const char* says;  // in message, notes or helps
};

std::string Everything(const Error& error) {
  std::string out = error.message();
  for (const std::string& note : error.diagnostic().notes) out += "\n" + note;
  for (const std::string& help : error.diagnostic().helps) out += "\n" + help;
  return out;
}

TEST(Selection, ErrorsOfTheTable) {
  const TestTable table = Revenue();
  const std::vector<ErrorRow> rows = {
      {{"!2026-01"}, "P0101", "did you mean `'..,!2026-01'`?"},
      {{"!2026-01", "region=eu"}, "P0101", "nothing to subtract"},
      {{"2026-01,!2026-01"}, "P0102", "the selection is empty"},
      {{"2026-01/eu", "region=us"}, "P0102", "no partition passes"},
      {{"2026-01..2025-11"}, "P0103", "write `2025-11..2026-01`"},
      {{"2026-02..2026-01"}, "P0103", "write `2026-01..2026-02`"},
      {{"2026-01-31T05"}, "P0104", "`2026-01-31` is cut: 1 of 24 h covered"},
      {{"2026-01-31T05"}, "P0104", "`--align out` takes `2026-01-31`"},
      {{"2026-01-31T05"}, "P0104", "`--align in` leaves nothing"},
      {{"2026-02-30"}, "P0105", "2026-02 has 28 days"},
      {{"2026-02-30"}, "P0105", "`2026-02-28` and `2026-03-01`"},
      {{"2026-13"}, "P0105", "12 months"},
      {{"2024-W53"}, "P0105", "`2024-W52` and `2025-W01`"},
      {{"2019-12..2020-01"}, "P0106", "begins 2020-01-01"},
      {{"2019-12..2020-01"}, "P0106", "the part inside is `2020-01-01..2020-01-31`"},
      {{"2019"}, "P0106", "no part of it lies inside"},
      {{"..2019-11"}, "P0106", "ends before the table"},
      {{"region=ue"}, "P0108", "did you mean `eu`?"},
      {{"2026-01/ue"}, "P0108", "did you mean `eu`?"},
      {{"region=mars"}, "P0108", "`eu`, `us`, `apac`"},
      {{"area=eu"}, "P0108", "did you mean `region=eu`?"},
      {{"regoin=mars"}, "P0108", "did you mean `region`?"},
      {{"\"a"}, "P0109", "the quote is not closed"},
      {{"\"a\\n\""}, "P0109", "are escapes"},
      {{std::string("2026\0", 5)}, "P0109", "NUL"},
      {{std::string("\"a\0b\"", 5)}, "P0109", "NUL"},
      {{"2026-01-31/a/b"}, "P0109", "quote a value that has a `/` in it"},
      {{"2025-11..2026-01/eu"}, "P0109", "`2025-11..2026-01 region=eu`"},
      {{"2026-01 region=eu"}, "P0109", "an argument of its own"},
      {{""}, "P0109", "empty"},
      {{","}, "P0109", "an entry of the list is empty"},
      {{"2026-01,"}, "P0109", "an entry of the list is empty"},
      {{"!"}, "P0109", "what to leave out"},
      {{"@gone"}, "P0109", "`@missing`"},
      {{"2026-01,@missing"}, "P0109", "an argument of its own"},
      {{"2026-01,region=eu"}, "P0109", "an argument of its own"},
      {{"region="}, "P0109", "an entry of the list is empty"},
      {{"region=a/b"}, "P0109", "region=\"a/b\""},
      {{"eu"}, "P0109", "is not a time"},
      {{"\"2026-01-01..2026-01-05\""}, "P0109", "is not a time"},
      {{"2026-01/--x"}, "P0109", "write `\"--x\"`"},
      {{"2026-01/\xC3\xA9"}, "P0109", "put any other in quotes"},
      {{"2026-01-01T05+0000"}, "P0109", "write `2026-01-01T05`"},
      {{"2026-01/eu..us"}, "P0109", "a range takes no `/`"},
      {{"2026-01..2026-02..2026-03"}, "P0109", "from a time to a time"},
      {{"region=eu", "region=us"}, "P0110", "`region=eu,us`"},
      {{"2026-03.."}, "P0102", "no complete partition yet"},
  };
  for (const ErrorRow& row : rows) {
    SCOPED_TRACE(testing::PrintToString(row.words));
    const Result<Selection> selection = table.Words(row.words);
    ASSERT_FALSE(selection.ok());
    EXPECT_EQ(selection.error().id(), row.id) << Everything(selection.error());
    EXPECT_EQ(selection.error().code(), ErrorCode::kInvalid);
    EXPECT_THAT(Everything(selection.error()), HasSubstr(row.says));
  }
}

TEST(Selection, CaretStandsUnderWhatIsWrong) {
  const TestTable table = Revenue();
  const Result<Selection> unclosed = table.Words({"2026-01/\"a"});
  ASSERT_TRUE(unclosed.error().diagnostic().origin.has_value());
  EXPECT_EQ(unclosed.error().diagnostic().origin->column, 9);
  EXPECT_EQ(unclosed.error().diagnostic().origin->length, 2);
  EXPECT_THAT(unclosed.error().diagnostic().origin->lines, ElementsAre("2026-01/\"a"));
  const Result<Selection> unknown = table.Words({"region=eu,ue"});
  EXPECT_EQ(unknown.error().diagnostic().origin->column, 11);
  // Characters, not bytes.
  const Result<Selection> accent = table.Words({"region=\"\xC3\xA9\",ue"});
  EXPECT_EQ(accent.error().diagnostic().origin->column, 8);
  const Result<Selection> date = table.Words({"2026-01,2026-02-30"});
  EXPECT_EQ(date.error().diagnostic().origin->column, 9);
}

TEST(Selection, NamesAndInstantsAreNeverMixed) {
  const TestTable table = Revenue();
  const Result<Selection> both = table.Resolve({.words = {"2026-01"},
                                                .start = "2026-01-01",
                                                .end = {},
                                                .except = {},
                                                .align = Align::kNone});
  ASSERT_FALSE(both.ok());
  EXPECT_EQ(both.error().id(), "C0203");
  EXPECT_EQ(table.Count(table.Resolve({.words = {"region=eu"},
                                       .start = "2026-01-01",
                                       .end = "2026-02-01",
                                       .except = {},
                                       .align = Align::kNone})),
            31);
}

TEST(Selection, InstantsAreHalfOpen) {  // W09, W10
  const TestTable table = Revenue();
  EXPECT_EQ(table.Count(table.Instants("2024-01-01", "2024-01-02")), 3);
  EXPECT_EQ(table.Instants("2026-01-01", "2026-01-01").error().id(), "P0102");
  const Result<Selection> reversed = table.Instants("2024-01-02", "2024-01-01");
  EXPECT_EQ(reversed.error().id(), "P0103");
  EXPECT_THAT(Everything(reversed.error()), HasSubstr("--start 2024-01-01 --end 2024-01-02"));
  for (const std::string bad : {"soon", "2026-01", "2026-01-01T", "2026-01-01T10:30+2", "2026-W01",
                                "2026-01-01T10:30:00.", "2026-01-01x10:00", ""}) {
    EXPECT_EQ(table.Instants(bad, "2026-02-01").error().id(), "P0109") << bad;
  }
  EXPECT_EQ(table.Instants("2026-02-30", "2026-03-01").error().id(), "P0105");
}

TEST(Selection, CutPartitionsAreRefusedWithBothWaysOut) {  // W14
  const TestTable table = TestTable(TableSpec{});
  const Result<Selection> cut = table.Instants("2026-01-01T10:30", "2026-01-04");
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().id(), "P0104");
  EXPECT_EQ(cut.error().message(), "`2026-01-01` is cut: 13.5 of 24 h covered");
  EXPECT_THAT(Everything(cut.error()),
              HasSubstr("`--align in` takes `2026-01-02..2026-01-03` (2)"));
  EXPECT_THAT(Everything(cut.error()),
              HasSubstr("`--align out` takes `2026-01-01..2026-01-03` (3)"));
  const Result<Selection> in = table.Instants("2026-01-01T10:30", "2026-01-04", Align::kIn);
  EXPECT_EQ(table.Text(in), "2026-01-02..2026-01-03");
  EXPECT_THAT(in->cut, ElementsAre("2026-01-01"));
  const Result<Selection> out = table.Instants("2026-01-01T10:30", "2026-01-04", Align::kOut);
  EXPECT_EQ(table.Text(out), "2026-01-01..2026-01-03");
  EXPECT_TRUE(out->cut.empty());
  EXPECT_EQ(table.Instants("2026-01-01T10:30", "2026-01-01T11:00", Align::kIn).error().id(),
            "P0102");
  const Result<Selection> both = table.Instants("2026-01-01T10:30", "2026-01-03T02:00");
  EXPECT_THAT(Everything(both.error()), HasSubstr("`2026-01-03` is cut: 2 of 24 h covered"));
}

TEST(Selection, YearToDecember31IsNoWholeYear) {  // W16
  const TestTable table = TestTable({.by = "year", .begin = "2020"});
  const Result<Selection> cut = table.Instants("2021-01-01", "2021-12-31");
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().id(), "P0104");
  EXPECT_THAT(Everything(cut.error()), HasSubstr("8736 of 8760 h"));
  EXPECT_THAT(Everything(cut.error()),
              HasSubstr("24 h from 2021-12-31T00:00Z to 2022-01-01T00:00Z"));
  EXPECT_THAT(Everything(cut.error()), HasSubstr("--end 2022-01-01"));
  EXPECT_EQ(table.Text(table.Instants("2021-01-01", "2022-01-01")), "2021");
}

TEST(Selection, MonthOnAWeeklyTable) {
  const TestTable table = TestTable({.by = "week", .begin = "2020-W01"});
  EXPECT_EQ(table.Words({"2026-01"}).error().id(), "P0104");
  EXPECT_EQ(table.Text(table.Words({"2026-01"}, Align::kIn)), "2026-W02..2026-W04");
  EXPECT_EQ(table.Text(table.Words({"2026-01"}, Align::kOut)), "2026-W01..2026-W05");
  EXPECT_THAT(table.Words({"2026-01"}, Align::kIn)->cut, ElementsAre("2026-W01", "2026-W05"));
}

TEST(Selection, MinutesIncludeTheFirstAndNotTheEnd) {  // W15
  const TestTable table = TestTable({.by = "1m", .begin = "2026-01-01"});
  const Result<Selection> minutes = table.Instants("2026-08-23T01:00:00Z", "2026-08-23T01:05:00Z");
  EXPECT_EQ(table.Count(minutes), 5);
  EXPECT_EQ(table.Text(minutes), "2026-08-23T01..2026-08-23T01:04");
}

TEST(Selection, HoursOfADayFollowTheZone) {
  const TestTable hours = TestTable({.by = "hour", .zone = "America/New_York"});
  EXPECT_EQ(hours.Count(hours.Words({"2026-03-08"})), 23);
  EXPECT_EQ(hours.Count(hours.Words({"2026-11-01"})), 25);
  EXPECT_EQ(hours.Count(hours.Words({"2026-11-01T01-0400,2026-11-01T01-0500"})), 2);
  EXPECT_THAT(Everything(hours.Words({"2026-11-01T01"}).error()),
              HasSubstr("`2026-11-01T01-0400` or `2026-11-01T01-0500`"));
  EXPECT_THAT(Everything(hours.Words({"2026-03-08T02-0500"}).error()), HasSubstr("does not exist"));
  EXPECT_EQ(hours.Instants("2026-11-01T01:00", "2026-11-02").error().id(), "P0105");
  EXPECT_EQ(hours.Instants("2026-03-08T02:30", "2026-03-09").error().id(), "P0105");
  const TestTable berlin = TestTable({.zone = "Europe/Berlin"});
  EXPECT_EQ(berlin.Count(berlin.Words({"2026-03-28..2026-03-30"})), 3);
  EXPECT_EQ(berlin.Count(berlin.Instants("2026-03-28", "2026-03-31")), 3);
  const TestTable apia = TestTable({.zone = "Pacific/Apia", .begin = "2010-01-01"});
  EXPECT_EQ(apia.Words({"2011-12-30"}).error().id(), "P0105");
  EXPECT_EQ(apia.Count(apia.Words({"2011-12"})), 30);
}

TEST(Selection, RelativeWordsClampAtMonthEnds) {  // W21
  TestTable table = TestTable(TableSpec{});
  table.context.as_of = Utc(2024, 2, 29, 12);
  table.context.watermark = Utc(2024, 2, 29);
  const Result<Selection> year = table.Words({"1y.."});
  EXPECT_EQ(table.Text(year), "2023-02-28..2024-02-28");
  EXPECT_EQ(table.Count(year), 366);
  EXPECT_EQ(table.Text(table.Words({"today"})), "2024-02-29");
  EXPECT_EQ(table.Text(table.Words({"1mo..yesterday"})), "2024-01-29..2024-02-28");
}

TEST(Selection, RelativeWordOfTokyoIsATokyoDay) {  // W27
  TestTable table = TestTable({.zone = "Asia/Tokyo"});
  table.context.as_of = Utc(2026, 1, 14, 23);
  EXPECT_EQ(table.Text(table.Words({"8d..today"})), "2026-01-07..2026-01-15");
}

TEST(Selection, WithoutBeginAnOpenStartIsRefused) {
  const TestTable table = TestTable({.begin = ""});
  for (const std::string word : {"..2026-01", ".."}) {
    const Result<Selection> open = table.Words({word});
    ASSERT_FALSE(open.ok());
    EXPECT_EQ(open.error().id(), "P0107");
    EXPECT_THAT(Everything(open.error()), HasSubstr("`partition.begin`"));
  }
  EXPECT_EQ(table.Count(table.Words({"2026-01-30.."})), 11);
}

TEST(Selection, EndOfTheTableIsIncluded) {
  const TestTable table = TestTable({.end = "2023-01-05"});
  EXPECT_EQ(table.Text(table.Words({"2023-01-01.."})), "2023-01-01..2023-01-05");
  EXPECT_EQ(table.Words({"2023-01"}).error().id(), "P0106");
  EXPECT_THAT(Everything(table.Words({"2023-01"}).error()),
              HasSubstr("the part inside is `2023-01-01..2023-01-05`"));
}

TEST(Selection, WithoutTimeWordsArePlainValues) {
  const TestTable table =
      TestTable({.by = "",
                 .dimensions = {Texts("region", {"eu", "us", "today", "2026", "7d", "a..b", ""}),
                                Texts("channel", {"web", "shop"})}});
  EXPECT_EQ(table.Count(table.Words({})), 14);
  EXPECT_EQ(table.Count(table.Words({"all"})), 14);
  EXPECT_EQ(table.Count(table.Words({"eu"})), 2);
  EXPECT_EQ(table.Count(table.Words({"eu/web,today,2026/shop"})), 4);
  EXPECT_EQ(table.Count(table.Words({"\"a..b\"/web"})), 1);
  EXPECT_EQ(table.Count(table.Words({"\"\""})), 2);
  EXPECT_EQ(table.Count(table.Words({"eu,!eu/web"})), 1);
  EXPECT_EQ(table.Count(table.Words({"channel=web", "region!=eu"})), 6);
  EXPECT_EQ(table.Words({"eu..us"}).error().id(), "P0109");
  EXPECT_EQ(table.Words({"!eu"}).error().diagnostic().helps[0], "did you mean `'all,!eu'`?");
  EXPECT_EQ(table.Instants("2026-01-01", "2026-01-02").error().id(), "P0109");
}

TEST(Selection, WholeTableHasOneKey) {  // T25
  const TestTable table = TestTable({.by = ""});
  EXPECT_EQ(table.Count(table.Words({"all"})), 1);
  EXPECT_EQ(table.Count(table.Words({})), 1);
  EXPECT_EQ(table.Words({"2024-06-01"}).error().id(), "P0204");
  EXPECT_EQ(table.Words({".."}).error().id(), "P0204");
  EXPECT_EQ(table.Instants("2024-06-01", "2024-06-02").error().id(), "P0204");
  EXPECT_EQ(table.Words({"region=eu"}).error().code(), ErrorCode::kRefused);
}

TEST(Selection, StrangeValuesSelectOnePartitionAndReadBack) {  // K01, K02, K04
  const std::vector<std::string> values = {R"({"scenario":1, "version":1})",
                                           "a..b",
                                           "[x]",
                                           "us|east",
                                           "2026-01-01..2026-01-05",
                                           "/etc/x",
                                           "../up",
                                           "a/../../b",
                                           R"(C:\x)",
                                           "eu'; drop table t;--",
                                           " ",
                                           "",
                                           "@null",
                                           "@missing",
                                           "!eu",
                                           "eu,us",
                                           "-",
                                           "--end",
                                           "region=eu",
                                           "all",
                                           "\"",
                                           "tab\tand\nline"};
  Dimension dimension = Texts("region", values);
  dimension.values.push_back({std::nullopt});
  for (const bool with_time : {true, false}) {
    const TestTable table = TestTable({.by = with_time ? "day" : "", .dimensions = {dimension}});
    for (uint32_t cell = 0; cell < table.space->cell_count(); ++cell) {
      const Interval day{Utc(2026, 6, 15), Utc(2026, 6, 16)};
      const Partition partition{with_time ? day : PartitionSpace::AllTime(), cell};
      const std::string key = table.space->KeyText(partition);
      const Result<Selection> selection = table.Words({key});
      ASSERT_EQ(table.Count(selection), 1) << key;
      EXPECT_EQ(selection->set.Partitions(*table.space)[0], partition) << key;
      const Result<Partition> read = table.space->ParseKey(key);
      ASSERT_TRUE(read.ok()) << key;
      EXPECT_EQ(*read, partition) << key;
    }
  }
}

TEST(Selection, NullIsAValueOnlyWhereItIsListed) {
  Dimension region = Texts("region", {"eu"});
  region.values.push_back({std::nullopt});
  const TestTable with = TestTable({.dimensions = {region}});
  EXPECT_EQ(with.Text(with.Words({"2026-01-01/@null"})), "2026-01-01/@null");
  EXPECT_EQ(with.Count(with.Words({"2026-01-01", "region=@null"})), 1);
  EXPECT_EQ(with.Count(with.Words({"2026-01-01", "region!=@null"})), 1);
  const TestTable without = Revenue();
  EXPECT_EQ(without.Words({"2026-01-01/@null"}).error().id(), "P0108");
}

TEST(Selection, FutureIsNamedLiterally) {  // W23
  TestTable table = TestTable(TableSpec{});
  table.context.as_of = Utc(2026, 9, 30, 12);
  table.context.watermark = Utc(2026, 9, 30);
  EXPECT_EQ(table.Count(table.Words({"2026-09-25..2026-10-09"})), 15);
  EXPECT_EQ(table.Count(table.Instants("2026-09-25", "2026-10-10")), 15);
  EXPECT_EQ(table.Text(table.Words({"2026-09-25.."})), "2026-09-25..2026-09-29");
}

}  // namespace
}  // namespace retrofill
