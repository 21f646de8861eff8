#include "model/mapping.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/selection.h"
#include "model/watermark.h"
#include "model/window.h"

namespace retrofill {
namespace {

struct SpaceSpec {
  std::string by = "day";
  std::string zone = "UTC";
  std::string end = {};
  absl::Weekday week_start = absl::Weekday::monday;
  std::vector<Dimension> dimensions = {};
  bool civil = false;
};

PartitionSpace Space(const SpaceSpec& spec) {
  if (spec.by.empty()) return PartitionSpace(std::nullopt, spec.dimensions, false);
  Result<Zone> zone = Zone::Load(spec.zone);
  EXPECT_TRUE(zone.ok());
  Result<Grid> grid = Grid::Make(
      {.by = spec.by, .zone = *zone, .week_start = spec.week_start, .begin = {}, .end = spec.end});
  EXPECT_TRUE(grid.ok());
  return PartitionSpace(std::move(*grid), spec.dimensions, spec.civil);
}

Dimension Texts(std::string name, std::vector<std::string> values) {
  Dimension dimension{.name = std::move(name), .type = DimensionType::kText, .values = {}};
  for (std::string& value : values) dimension.values.push_back({std::move(value)});
  return dimension;
}

PartitionSet Select(const PartitionSpace& space, const std::string& word) {
  const SelectionContext context{.space = &space,
                                 .table = "t",
                                 .as_of = absl::FromUnixSeconds(1'800'000'000),
                                 .watermark = absl::FromUnixSeconds(1'800'000'000),
                                 .state = {}};
  Result<Selection> selection = ResolveSelection(
      {.words = {word}, .start = {}, .end = {}, .except = {}, .align = Align::kNone}, context);
  EXPECT_TRUE(selection.ok()) << word << ": "
                              << (selection.ok() ? "" : selection.error().message());
  return selection.ok() ? selection->set : PartitionSet();
}

Span Days(int64_t n) { return {n, Span::Unit::kDay}; }

struct MapRow {
  SpaceSpec up;
  std::string changed;
  SpaceSpec down;
  std::string stale;
  Span before = {};
};

TEST(Downstream, FollowsTheTable) {  // P01, P04, P05
  const SpaceSpec day;
  const SpaceSpec week{.by = "week"};
  const SpaceSpec sunday_week{.by = "week", .week_start = absl::Weekday::sunday};
  const SpaceSpec month{.by = "month"};
  const SpaceSpec hour{.by = "hour"};
  const SpaceSpec new_york{.zone = "America/New_York"};
  const SpaceSpec tokyo{.zone = "Asia/Tokyo"};
  const SpaceSpec ending{.end = "2023-01-05"};
  const std::vector<MapRow> rows = {
      {day, "2024-02-15..2024-02-19", month, "2024-02"},
      {day, "2024-02-27..2024-03-01", month, "2024-02..2024-03"},
      {week, "2024-W09", month, "2024-02..2024-03"},
      {week, "2024-W10", month, "2024-03"},
      {day, "2025-12-30..2026-01-02", week, "2026-W01"},
      {day, "2025-12-28", week, "2025-W52"},
      {day, "2025-12-28", sunday_week, "2025-12-28"},
      {day, "2016-01-03", week, "2015-W53"},
      {day, "2018-12-31", week, "2019-W01"},
      {day, "2019-12-30", week, "2020-W01"},
      {day, "2023-01-01", week, "2022-W52"},
      {day, "2027-01-03", week, "2026-W53"},
      {month, "2024-02", day, "2024-02-01..2024-02-29"},
      {hour, "2026-03-08T04", new_york, "2026-03-07"},
      {hour, "2026-03-08T05", new_york, "2026-03-08"},
      {hour, "2026-03-09T03", new_york, "2026-03-08"},
      {hour, "2026-03-09T04", new_york, "2026-03-09"},
      {hour, "2026-11-01T03", new_york, "2026-10-31"},
      {hour, "2026-11-01T04", new_york, "2026-11-01"},
      {hour, "2026-11-02T04", new_york, "2026-11-01"},
      {hour, "2026-11-02T05", new_york, "2026-11-02"},
      {day, "2026-03-08", new_york, "2026-03-07..2026-03-08"},
      {tokyo, "2026-01-15", day, "2026-01-14..2026-01-15"},
      {tokyo, "2026-01-15", new_york, "2026-01-14..2026-01-15"},
      {day, "2026-02-10", day, "2026-02-10..2026-03-09", Days(27)},
      {day, "2026-02-10..2026-02-12", day, "2026-02-10..2026-03-11", Days(27)},
      {day, "2023-01-03", ending, "2023-01-03..2023-01-05", Days(2)},
      {day, "2023-01-05", ending, "2023-01-05", Days(2)},
      {day, "2025-11-01,2025-12-01..2026-01-31", month, "2025-11..2026-01"},
      {day, "2025-11-02,2026-01-31", month, "2025-11, 2026-01"},
      {hour, "2023-04-19T00..2023-04-20T16", day, "2023-04-19..2023-04-20"},
  };
  for (const MapRow& row : rows) {
    const PartitionSpace up = Space(row.up);
    const PartitionSpace down = Space(row.down);
    const PartitionSet stale =
        Downstream(Select(up, row.changed),
                   {.upstream = &up, .downstream = &down, .before = row.before, .after = {}});
    EXPECT_EQ(SetText(stale, down, 5), row.stale) << row.changed;
  }
}

// The 29th to 31st of March less a month are the 28th of February: what they read has holes.
TEST(Downstream, ClampedMonthsOnPartsOfADayHaveHoles) {
  const PartitionSpace space = Space({.by = "6h"});
  const InputMapping mapping{
      .upstream = &space, .downstream = &space, .before = {1, Span::Unit::kMonth}, .after = {}};
  EXPECT_EQ(SetText(Downstream(Select(space, "2026-02-28T00"), mapping), space, 5),
            "2026-02-28T00..2026-03-28T00, 2026-03-29T00, 2026-03-30T00, 2026-03-31T00");
  const PartitionSet march = Select(space, "2026-03-28T18..2026-03-29T06");
  EXPECT_EQ(SetText(Upstream(march, mapping), space, 5), "2026-02-28T00..2026-03-29T06");
}

TEST(Downstream, CivilColumnsMeetOnDates) {
  const PartitionSpace up = Space({.zone = "Asia/Tokyo", .civil = true});
  const PartitionSpace down = Space({.zone = "America/New_York", .civil = true});
  const InputMapping mapping{.upstream = &up, .downstream = &down, .before = {}, .after = {}};
  EXPECT_EQ(SetText(Downstream(Select(up, "2026-01-15"), mapping), down, 5), "2026-01-15");
  EXPECT_EQ(SetText(Upstream(Select(down, "2026-01-15"), mapping), up, 5), "2026-01-15");
  const PartitionSpace instants = Space({.zone = "America/New_York"});
  EXPECT_EQ(
      SetText(Downstream(Select(up, "2026-01-15"),
                         {.upstream = &up, .downstream = &instants, .before = {}, .after = {}}),
              instants, 5),
      "2026-01-14..2026-01-15");
}

TEST(Downstream, DateThatTheOtherZoneSkippedIsNotLost) {
  const PartitionSpace up = Space({.civil = true});
  const PartitionSpace down = Space({.zone = "Pacific/Apia", .civil = true});
  const InputMapping mapping{.upstream = &up, .downstream = &down, .before = {}, .after = {}};
  EXPECT_EQ(SetText(Downstream(Select(up, "2011-12-30"), mapping), down, 5), "2011-12-29");
  EXPECT_EQ(SetText(Upstream(Select(down, "2011-12-29"), mapping), up, 5),
            "2011-12-29..2011-12-30");
}

TEST(Downstream, CellsMatchByNameAndValue) {
  const Dimension regions = Texts("region", {"eu", "us", "apac"});
  const PartitionSpace with = Space({.dimensions = {regions}});
  const PartitionSpace reordered = Space({.dimensions = {Texts("region", {"us", "mars", "eu"})}});
  const PartitionSpace without = Space({});
  const PartitionSpace two =
      Space({.dimensions = {Texts("channel", {"web", "shop"}), Texts("region", {"us", "eu"})}});
  const auto down = [&](const PartitionSpace& from, const std::string& word,
                        const PartitionSpace& to) {
    return SetText(Downstream(Select(from, word),
                              {.upstream = &from, .downstream = &to, .before = {}, .after = {}}),
                   to, 9);
  };
  EXPECT_EQ(down(with, "2026-01-01/eu", with), "2026-01-01/eu");
  EXPECT_EQ(down(with, "2026-01-01/eu", reordered), "2026-01-01/eu");
  EXPECT_EQ(down(with, "2026-01-01/apac", reordered), "nothing");
  EXPECT_EQ(down(with, "2026-01-01", reordered), "2026-01-01/{us,eu}");
  EXPECT_EQ(down(with, "2026-01-01/eu", without), "2026-01-01");
  EXPECT_EQ(down(without, "2026-01-01", with), "2026-01-01");
  EXPECT_EQ(down(with, "2026-01-01/eu", two), "2026-01-01/{web/eu,shop/eu}");
  EXPECT_EQ(down(two, "2026-01-01/web/eu,2026-01-02/shop/us", with),
            "2026-01-01/eu, 2026-01-02/us");
}

TEST(Downstream, WholeTableIsStaleAsAWhole) {
  const PartitionSpace days = Space({});
  const PartitionSpace whole = Space({.by = ""});
  const InputMapping mapping{.upstream = &days, .downstream = &whole, .before = {}, .after = {}};
  EXPECT_EQ(SetText(Downstream(Select(days, "2026-01-01"), mapping), whole, 5), "all");
  EXPECT_TRUE(Downstream(PartitionSet(), mapping).empty());
}

TEST(Downstream, InputWithoutTimeTouchesEverythingWithin) {
  const PartitionSpace whole = Space({.by = ""});
  const PartitionSpace days = Space({.end = "2026-01-10"});
  const Interval month{Select(days, "2026-01-05").Hull().start, absl::InfiniteFuture()};
  const PartitionSet stale = Downstream(
      PartitionSet::All(whole, PartitionSpace::AllTime()),
      {.upstream = &whole, .downstream = &days, .before = {}, .after = {}, .within = month});
  EXPECT_EQ(SetText(stale, days, 5), "2026-01-05..2026-01-10");
}

struct ReadRow {
  SpaceSpec down;
  std::string partition;
  Span before;
  double hours;
  std::string first;  // UTC hour
};

TEST(Upstream, ReadsTheHoursOfTheTable) {
  const SpaceSpec new_york{.zone = "America/New_York"};
  const SpaceSpec berlin{.zone = "Europe/Berlin"};
  const SpaceSpec months{.by = "month", .zone = "America/New_York"};
  const std::vector<ReadRow> rows = {
      {new_york, "2026-03-08", {}, 23, "2026-03-08T05"},
      {new_york, "2026-11-01", {}, 25, "2026-11-01T04"},
      {new_york, "2026-06-01", {}, 24, "2026-06-01T04"},
      {berlin, "2026-03-29", Days(1), 47, "2026-03-27T23"},
      {berlin, "2026-10-25", Days(1), 49, "2026-10-23T22"},
      {new_york, "2026-03-08", Days(27), 671, "2026-02-09T05"},
      {months, "2026-03", {}, 743, "2026-03-01T05"},
      {months, "2026-11", {}, 721, "2026-11-01T04"},
  };
  const PartitionSpace hours = Space({.by = "hour"});
  for (const ReadRow& row : rows) {
    const PartitionSpace down = Space(row.down);
    const PartitionSet wanted = Select(down, row.partition);
    const PartitionSet read = Upstream(
        wanted, {.upstream = &hours, .downstream = &down, .before = row.before, .after = {}});
    EXPECT_EQ(static_cast<double>(read.Count(hours)), row.hours) << row.partition;
    EXPECT_EQ(hours.KeyText(read.At(hours, 0)), row.first) << row.partition;
    const Interval window = ReadWindow(down.grid(), wanted.Hull(), row.before, {});
    EXPECT_EQ(read.Hull(), window) << row.partition;
  }
}

TEST(Downstream, NewestHoursLeaveTheirDayToTheSchedule) {  // P02
  const PartitionSpace hours = Space({.by = "hour"});
  const PartitionSpace days = Space({});
  const PartitionSet changed = Select(hours, "2023-04-19T00..2023-04-20T16");
  EXPECT_EQ(changed.Count(hours), 41);
  const absl::Time as_of = changed.Hull().end;
  const ClassedSet stale = ClassifyAt(
      Downstream(changed, {.upstream = &hours, .downstream = &days, .before = {}, .after = {}}),
      days, as_of, {});
  EXPECT_EQ(SetText(stale.complete, days, 5), "2023-04-19");
  EXPECT_EQ(SetText(stale.open, days, 5), "2023-04-20");
  EXPECT_TRUE(stale.future.empty());
}

TEST(LaterPartitions, AreAllThatFollowInTheSameCell) {  // O26
  const PartitionSpace days = Space({.dimensions = {Texts("region", {"eu", "us"})}});
  const absl::Time until = Select(days, "2026-01-09").Hull().start;
  EXPECT_EQ(SetText(LaterPartitions(Select(days, "2026-01-02..2026-01-05"), days, until), days, 5),
            "2026-01-06..2026-01-08");
  EXPECT_EQ(
      SetText(LaterPartitions(Select(days, "2026-01-02/eu,2026-01-05/eu"), days, until), days, 5),
      "2026-01-03..2026-01-04 x eu, 2026-01-06..2026-01-08 x eu");
  EXPECT_TRUE(LaterPartitions(Select(days, "2026-02-01"), days, until).empty());
}

TEST(WithLookback, CountsPartitionsOfTheTable) {
  const PartitionSpace days = Space({});
  EXPECT_EQ(SetText(WithLookback(Select(days, "2026-01-05"), days, 2), days, 5),
            "2026-01-03..2026-01-05");
  const PartitionSpace months = Space({.by = "month"});
  EXPECT_EQ(SetText(WithLookback(Select(months, "2026-01,2026-06"), months, 2), months, 5),
            "2025-11..2026-01, 2026-04..2026-06");
  const PartitionSpace tokyo = Space({.zone = "Asia/Tokyo"});  // W27
  const PartitionSet written = WithLookback(Select(tokyo, "2026-01-15"), tokyo, 8);
  EXPECT_EQ(SetText(written, tokyo, 5), "2026-01-07..2026-01-15");
  EXPECT_EQ(absl::FormatTime("%Y-%m-%dT%H:%M", written.Hull().start, absl::UTCTimeZone()),
            "2026-01-06T15:00");
}

}  // namespace
}  // namespace retrofill
