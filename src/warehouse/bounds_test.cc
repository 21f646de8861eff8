#include "warehouse/bounds.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

Zone ZoneNamed(std::string_view name) { return *Zone::Load(name); }

Grid GridBy(std::string by, const Zone& zone) {
  Grid::Spec spec;
  spec.by = std::move(by);
  spec.zone = zone;
  return *Grid::Make(spec);
}

absl::Time At(const Zone& zone, int year, int month, int day, int hour = 0) {
  return zone.FirstAtOrAfter(absl::CivilSecond(year, month, day, hour, 0, 0));
}

const Dimension kRegion{.name = "region", .values = {{"eu"}, {"us"}, {"apac"}}};
const Dimension kChannel{.name = "channel", .values = {{"web"}, {std::nullopt}}};

Side SideOf(ColumnKind kind, const Zone& zone, std::vector<std::optional<std::string>> columns) {
  return {.sql = "t",
          .filter = "",
          .time = TimeColumn{.name = "day", .kind = kind, .zone = zone},
          .dimension_columns = std::move(columns)};
}

PartitionSet Days(const Zone& zone, int first, int end, std::vector<CellRange> cells) {
  return PartitionSet::Rectangle({{At(zone, 2026, 3, first), At(zone, 2026, 3, end)}},
                                 std::move(cells));
}

TEST(RenderBounds, AFullProductIsOneTermPerDimension) {
  const PartitionSpace space(GridBy("day", Zone()), {kRegion, kChannel}, true);
  EXPECT_EQ(RenderBounds(SideOf(ColumnKind::kDate, Zone(), {"region", "channel"}), space,
                         Days(Zone(), 1, 4, {{0, 6}})),
            R"("day" >= DATE '2026-03-01' and "day" < DATE '2026-03-04' and "region" in ('eu', )"
            R"('us', 'apac') and ("channel" = 'web' or "channel" is null))");
}

TEST(RenderBounds, SomeCellsAreNeverACrossProduct) {
  const PartitionSpace space(GridBy("day", Zone()), {kRegion, kChannel}, true);
  // eu/web and us/NULL: a product of the two lists would also hold eu/NULL.
  EXPECT_EQ(
      RenderBounds(SideOf(ColumnKind::kDate, Zone(), {"region", "channel"}), space,
                   Days(Zone(), 1, 2, {{0, 1}, {3, 4}})),
      R"("day" >= DATE '2026-03-01' and "day" < DATE '2026-03-02' and )"
      R"((("region" = 'us' and "channel" is null) or ("region" = 'eu' and "channel" = 'web')))");
}

TEST(RenderBounds, ADimensionThatTheSideLacksHasNoTerm) {
  const PartitionSpace space(GridBy("day", Zone()), {kRegion}, true);
  EXPECT_EQ(RenderBounds(SideOf(ColumnKind::kDate, Zone(), {std::nullopt}), space,
                         Days(Zone(), 1, 2, {{1, 2}})),
            R"("day" >= DATE '2026-03-01' and "day" < DATE '2026-03-02')");
}

TEST(RenderBounds, TheFilterOfTheSideIsAlwaysThere) {
  const PartitionSpace space(GridBy("day", Zone()), {}, true);
  Side side = SideOf(ColumnKind::kDate, Zone(), {});
  side.filter = "_rf_unit in (3) or false";
  EXPECT_EQ(RenderBounds(side, space, Days(Zone(), 1, 2, {{0, 1}})),
            R"("day" >= DATE '2026-03-01' and "day" < DATE '2026-03-02' and )"
            "(_rf_unit in (3) or false)");
}

TEST(RenderBounds, QuotesNamesAndValues) {
  const Dimension odd{.name = "we\"ird", .values = {{"it's"}}};
  const PartitionSpace space(std::nullopt, {odd}, false);
  Side side{.sql = "t", .filter = "", .time = std::nullopt, .dimension_columns = {"we\"ird"}};
  EXPECT_EQ(
      RenderBounds(side, space, PartitionSet::Rectangle({PartitionSpace::AllTime()}, {{0, 1}})),
      R"("we""ird" = 'it''s')");
}

TEST(RenderBounds, AWholeTableHasNothingToCutBy) {
  const PartitionSpace space(std::nullopt, {}, false);
  EXPECT_EQ(RenderBounds({.sql = "t", .filter = "", .time = {}, .dimension_columns = {}}, space,
                         PartitionSet::Rectangle({PartitionSpace::AllTime()}, {{0, 1}})),
            "true");
}

TEST(RenderBounds, ScatteredRunsKeepAHullForTheEngine) {
  const PartitionSpace space(GridBy("day", Zone()), {}, true);
  const PartitionSet set = Union(Days(Zone(), 1, 2, {{0, 1}}), Days(Zone(), 10, 11, {{0, 1}}));
  EXPECT_EQ(RenderBounds(SideOf(ColumnKind::kDate, Zone(), {}), space, set),
            R"("day" >= DATE '2026-03-01' and "day" < DATE '2026-03-11' and )"
            R"((("day" >= DATE '2026-03-01' and "day" < DATE '2026-03-02') or )"
            R"(("day" >= DATE '2026-03-10' and "day" < DATE '2026-03-11')))");
}

TEST(RenderBounds, ReadsFurtherByCalendarArithmetic) {
  const Zone new_york = ZoneNamed("America/New_York");
  const PartitionSpace space(GridBy("day", new_york), {}, false);
  // 2026-03-08 has 23 hours in New York: two days before the 9th is the 7th at 05:00 UTC.
  EXPECT_EQ(RenderBounds(SideOf(ColumnKind::kTimestampUtc, Zone(), {}), space,
                         Days(new_york, 9, 10, {{0, 1}}), {.count = 2, .unit = Span::Unit::kDay},
                         {.count = 1, .unit = Span::Unit::kHour}),
            R"("day" >= TIMESTAMP '2026-03-07 05:00:00' and )"
            R"("day" < TIMESTAMP '2026-03-10 05:00:00')");
}

TEST(RenderBounds, MonthsBeforeAreClampedToTheLastDay) {
  const PartitionSpace space(GridBy("day", Zone()), {}, true);
  EXPECT_EQ(RenderBounds(SideOf(ColumnKind::kDate, Zone(), {}), space,
                         Days(Zone(), 31, 32, {{0, 1}}), {.count = 1, .unit = Span::Unit::kMonth}),
            R"("day" >= DATE '2026-02-28' and "day" < DATE '2026-04-01')");
}

TEST(RenderBounds, HoursAfterReadTheWholeDate) {
  const PartitionSpace space(GridBy("day", Zone()), {}, true);
  EXPECT_EQ(RenderBounds(SideOf(ColumnKind::kDate, Zone(), {}), space, Days(Zone(), 1, 2, {{0, 1}}),
                         {}, {.count = 1, .unit = Span::Unit::kHour}),
            R"("day" >= DATE '2026-03-01' and "day" < DATE '2026-03-03')");
}

TEST(RenderBounds, HoursAfterReadOneDateMoreBeforeAShortDay) {
  // 2026-03-08 has 23 hours in New York. An hour after the 7th ends lies in the 8th; 23 hours after
  // is where the 9th starts, of which nothing is read.
  const Zone new_york = ZoneNamed("America/New_York");
  const PartitionSpace space(GridBy("day", new_york), {}, true);
  const auto bounds = [&](int64_t minutes) {
    return RenderBounds(SideOf(ColumnKind::kDate, new_york, {}), space,
                        Days(new_york, 7, 8, {{0, 1}}), {},
                        {.count = minutes, .unit = Span::Unit::kMinute});
  };
  const std::string start = R"("day" >= DATE '2026-03-07' and "day" < DATE )";
  EXPECT_EQ(bounds(60), start + "'2026-03-09'");
  EXPECT_EQ(bounds(23 * 60), start + "'2026-03-09'");
  EXPECT_EQ(bounds(23 * 60 + 1), start + "'2026-03-10'");
}

TEST(RenderBounds, HoursAfterScatteredRunsReachNoFurtherThanTheRuns) {
  const Zone new_york = ZoneNamed("America/New_York");
  const PartitionSpace space(GridBy("day", new_york), {}, true);
  const PartitionSet set = Union(Days(new_york, 1, 2, {{0, 1}}), Days(new_york, 7, 8, {{0, 1}}));
  const Span hour{.count = 1, .unit = Span::Unit::kHour};
  EXPECT_EQ(RenderBounds(SideOf(ColumnKind::kDate, new_york, {}), space, set, {}, hour),
            R"("day" >= DATE '2026-03-01' and "day" < DATE '2026-03-09' and )"
            R"((("day" >= DATE '2026-03-01' and "day" < DATE '2026-03-03') or )"
            R"(("day" >= DATE '2026-03-07' and "day" < DATE '2026-03-09')))");
  EXPECT_EQ(RenderBounds(SideOf(ColumnKind::kTimestampUtc, Zone(), {}), space, set, {}, hour),
            R"("day" >= TIMESTAMP '2026-03-01 05:00:00' and )"
            R"("day" < TIMESTAMP '2026-03-08 06:00:00' and )"
            R"((("day" >= TIMESTAMP '2026-03-01 05:00:00' and )"
            R"("day" < TIMESTAMP '2026-03-02 06:00:00') or )"
            R"(("day" >= TIMESTAMP '2026-03-07 05:00:00' and )"
            R"("day" < TIMESTAMP '2026-03-08 06:00:00')))");
}

TEST(RenderBoundsDeathTest, AnEmptySetHasNoBounds) {
  const PartitionSpace space(GridBy("day", Zone()), {}, true);
  EXPECT_DEATH(RenderBounds(SideOf(ColumnKind::kDate, Zone(), {}), space, PartitionSet()),
               "empty set");
}

TEST(RenderInstant, IsALiteralOfTheColumnsType) {
  const Zone new_york = ZoneNamed("America/New_York");
  const Grid grid = GridBy("day", new_york);
  const absl::Time start = At(new_york, 2026, 3, 8);
  const auto literal = [&](ColumnKind kind, const Zone& zone) {
    return RenderInstant({.name = "t", .kind = kind, .zone = zone}, grid, start);
  };
  EXPECT_EQ(literal(ColumnKind::kDate, new_york), "DATE '2026-03-08'");
  EXPECT_EQ(literal(ColumnKind::kTimestampLocal, new_york), "TIMESTAMP '2026-03-08 00:00:00'");
  EXPECT_EQ(literal(ColumnKind::kTimestampUtc, Zone()), "TIMESTAMP '2026-03-08 05:00:00'");
  EXPECT_EQ(literal(ColumnKind::kTimestampTz, Zone()), "TIMESTAMPTZ '2026-03-08 05:00:00+00:00'");
  EXPECT_EQ(literal(ColumnKind::kEpochSeconds, Zone()), "1772946000");
  EXPECT_EQ(literal(ColumnKind::kEpochMillis, Zone()), "1772946000000");
  EXPECT_EQ(literal(ColumnKind::kEpochMicros, Zone()), "1772946000000000");
  EXPECT_EQ(literal(ColumnKind::kEpochNanos, Zone()), "1772946000000000000");
  EXPECT_EQ(literal(ColumnKind::kYyyymmdd, new_york), "20260308");
}

TEST(RenderInstant, ACivilColumnReadsMidnightEvenWhereItWasSkipped) {
  const Zone sao_paulo = ZoneNamed("America/Sao_Paulo");
  const Grid grid = GridBy("day", sao_paulo);
  const absl::Time start = At(sao_paulo, 2018, 11, 4);
  EXPECT_EQ(RenderInstant({.name = "t", .kind = ColumnKind::kTimestampLocal, .zone = sao_paulo},
                          grid, start),
            "TIMESTAMP '2018-11-04 00:00:00'");
  EXPECT_EQ(
      RenderInstant({.name = "t", .kind = ColumnKind::kTimestampUtc, .zone = Zone()}, grid, start),
      "TIMESTAMP '2018-11-04 03:00:00'");
}

TEST(RenderInstant, KeepsMicroseconds) {
  EXPECT_EQ(RenderInstant({.name = "t", .kind = ColumnKind::kTimestampUtc, .zone = Zone()},
                          GridBy("day", Zone()), absl::FromUnixMicros(-1)),
            "TIMESTAMP '1969-12-31 23:59:59.999999'");
}

TEST(RenderSlot, ExistsOnlyWhereTheEnginesCalendarIsTheGrids) {
  const Zone new_york = ZoneNamed("America/New_York");
  const PartitionSpace local(GridBy("month", new_york), {}, true);
  EXPECT_EQ(RenderSlot(SideOf(ColumnKind::kDate, new_york, {}), local),
            R"(CAST(date_trunc('month', "day") AS DATE))");
  EXPECT_FALSE(RenderSlot(SideOf(ColumnKind::kDate, Zone(), {}), local));
  EXPECT_FALSE(RenderSlot(SideOf(ColumnKind::kTimestampUtc, Zone(), {}), local));
  EXPECT_FALSE(RenderSlot(SideOf(ColumnKind::kTimestampTz, Zone(), {}), local));
  EXPECT_FALSE(RenderSlot(SideOf(ColumnKind::kEpochSeconds, Zone(), {}), local));
  const PartitionSpace utc(GridBy("day", Zone()), {}, false);
  EXPECT_EQ(RenderSlot(SideOf(ColumnKind::kTimestampUtc, Zone(), {}), utc),
            R"(CAST("day" AS DATE))");
  EXPECT_FALSE(RenderSlot(SideOf(ColumnKind::kTimestampUtc, Zone(), {}),
                          PartitionSpace(GridBy("hour", Zone()), {}, false)));
}

TEST(SlotOfText, TurnsADateIntoItsSlot) {
  const PartitionSpace space(GridBy("month", Zone()), {}, true);
  const Side side = SideOf(ColumnKind::kDate, Zone(), {});
  const std::optional<Interval> slot = SlotOfText(side, space, "2026-03-01");
  ASSERT_TRUE(slot);
  EXPECT_EQ(slot->start, At(Zone(), 2026, 3, 1));
  EXPECT_EQ(slot->end, At(Zone(), 2026, 4, 1));
  for (const char* text : {"infinity", "-infinity", "0044-03-15 (BC)", "2026-02-30", "12026-01-01",
                           "1899-12-31", ""}) {
    EXPECT_FALSE(SlotOfText(side, space, text)) << text;
  }
}

TEST(SlotOfText, ADateThatTheZoneSkippedIsReadBeforeTheNextSlot) {
  const Zone apia = ZoneNamed("Pacific/Apia");
  const PartitionSpace space(GridBy("day", apia), {}, true);
  const std::optional<Interval> slot =
      SlotOfText(SideOf(ColumnKind::kDate, apia, {}), space, "2011-12-30");
  ASSERT_TRUE(slot);
  EXPECT_EQ(space.grid().KeyText(*slot), "2011-12-29");
}

TEST(SlotOfText, NothingBeforeBeginOrAfterEndIsASlot) {
  Grid::Spec spec;
  spec.by = "day";
  spec.begin = "2026-03-02";
  spec.end = "2026-03-03";
  const PartitionSpace space(*Grid::Make(spec), {}, true);
  const Side side = SideOf(ColumnKind::kDate, Zone(), {});
  EXPECT_FALSE(SlotOfText(side, space, "2026-03-01"));
  EXPECT_TRUE(SlotOfText(side, space, "2026-03-02"));
  EXPECT_TRUE(SlotOfText(side, space, "2026-03-03"));
  EXPECT_FALSE(SlotOfText(side, space, "2026-03-04"));
}

TEST(QuoteRelation, QuotesEachPartOnce) {
  EXPECT_EQ(QuoteRelation("analytics.revenue_daily"), R"("analytics"."revenue_daily")");
  EXPECT_EQ(QuoteRelation(R"(db."odd.name".t)"), R"("db"."odd.name"."t")");
  EXPECT_EQ(QuoteRelation(R"("a""b")"), R"("a""b")");
}

TEST(FilesRelation, KnowsTheFormatByTheExtension) {
  EXPECT_EQ(*FilesRelation("/data/*.parquet"), "read_parquet('/data/*.parquet')");
  EXPECT_EQ(*FilesRelation("/it's/x.CSV.gz"), "read_csv('/it''s/x.CSV.gz')");
  EXPECT_EQ(*FilesRelation("/d/*.jsonl"), "read_json('/d/*.jsonl', format='newline_delimited')");
  EXPECT_EQ(FilesRelation("/d/*.xls").error().id(), "C0103");
}

}  // namespace
}  // namespace retrofill
