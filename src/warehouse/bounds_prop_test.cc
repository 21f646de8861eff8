// Bounds and grouping must select the same rows: on a real DuckDB, for every kind of column, grain
// and zone, in sessions of three time zones.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/db/duckdb.h"
#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/grouped_scan.h"
#include "warehouse/position.h"

namespace retrofill {
namespace {

struct Database {
  std::unique_ptr<DuckdbDatabase> database =
      std::move(DuckdbDatabase::Open(":memory:", DuckdbAccess::kReadWrite)).value();
  std::unique_ptr<DuckdbConnection> connection = std::move(database->Connect()).value();

  void Execute(const std::string& sql) {
    const Result<int64_t> done = connection->Execute(sql);
    RC_ASSERT(done.ok());
  }
  DuckdbRows Query(const std::string& sql) {
    Result<DuckdbRows> rows = connection->Query(sql);
    if (!rows.ok()) RC_FAIL(rows.error().message() + "\n" + sql);
    return std::move(rows).value();
  }
};

struct KindCase {
  ColumnKind kind;
  const char* type;
};
const KindCase kKinds[] = {{ColumnKind::kDate, "DATE"},
                           {ColumnKind::kTimestampLocal, "TIMESTAMP"},
                           {ColumnKind::kTimestampUtc, "TIMESTAMP"},
                           {ColumnKind::kTimestampTz, "TIMESTAMPTZ"},
                           {ColumnKind::kEpochSeconds, "BIGINT"},
                           {ColumnKind::kEpochMillis, "BIGINT"},
                           {ColumnKind::kEpochMicros, "BIGINT"},
                           {ColumnKind::kEpochNanos, "BIGINT"},
                           {ColumnKind::kYyyymmdd, "INTEGER"}};

bool HoldsDates(ColumnKind kind) {
  return kind == ColumnKind::kDate || kind == ColumnKind::kYyyymmdd;
}

// A literal of the value one step before the literal of an instant.
std::string JustBefore(ColumnKind kind, const std::string& literal) {
  switch (kind) {
    case ColumnKind::kTimestampLocal:
    case ColumnKind::kTimestampUtc:
    case ColumnKind::kTimestampTz:
      return literal + " - INTERVAL 1 microsecond";
    case ColumnKind::kDate:
    case ColumnKind::kEpochSeconds:
    case ColumnKind::kEpochMillis:
    case ColumnKind::kEpochMicros:
    case ColumnKind::kEpochNanos:
    case ColumnKind::kYyyymmdd:
      break;
  }
  return literal + " - 1";
}

// Rows at the start of each slot, one step before it, and without a time, in each region, an
// unlisted one and NULL.
void FillTable(Database& db, const TimeColumn& column, const char* type, const Grid& grid,
               const std::vector<Interval>& slots) {
  std::vector<std::string> times = {"NULL"};
  for (const Interval& slot : slots) {
    const std::string start = RenderInstant(column, grid, slot.start);
    times.push_back(start);
    times.push_back(JustBefore(column.kind, start));
  }
  times.push_back(RenderInstant(column, grid, slots.back().end));
  times.push_back(JustBefore(column.kind, RenderInstant(column, grid, slots.back().end)));
  db.Execute(fmt::format("CREATE OR REPLACE TABLE t(id INTEGER, ts {}, region VARCHAR)", type));
  int id = 0;
  std::vector<std::string> rows;
  for (const std::string& time : times) {
    for (const char* region : {"'eu'", "'us'", "'moon'", "NULL"}) {
      rows.push_back(fmt::format("({}, {}, {})", id++, time, region));
    }
  }
  db.Execute("INSERT INTO t VALUES " + Join(rows, ", "));
}

std::set<std::string> IdsOf(const DuckdbRows& rows) {
  std::set<std::string> ids;
  for (const auto& row : rows.rows) ids.insert(row[0].value_or("NULL"));
  return ids;
}

using IdsByPartition = std::map<Partition, std::set<std::string>>;

IdsByPartition IdsByBounds(Database& db, const Side& side, const PartitionSpace& space,
                           const PartitionSet& set) {
  IdsByPartition ids;
  for (const Partition& partition : set.Partitions(space)) {
    const PartitionSet one = PartitionSet::Of(space, {partition});
    std::set<std::string> found =
        IdsOf(db.Query("SELECT id FROM t WHERE " + RenderBounds(side, space, one)));
    if (!found.empty()) ids[partition] = std::move(found);
  }
  return ids;
}

IdsByPartition IdsByGroup(Database& db, const GroupedScan& scan, bool others) {
  IdsByPartition ids;
  const DuckdbRows rows = db.Query(scan.Select("string_agg(id, ',')"));
  for (const auto& row : rows.rows) {
    const GroupedScan::Group group = scan.GroupOf(row);
    RC_ASSERT(group.partitions.size() + group.others.size() <= 1u);
    for (const Partition& partition : others ? group.others : group.partitions) {
      for (const std::string& id : Split(*row[scan.key_count()], ',')) ids[partition].insert(id);
    }
  }
  return ids;
}

Grid AnyGrid(const KindCase& kind, const Zone& zone) {
  std::vector<std::string> grains = {"day", "week", "month", "quarter", "year"};
  const bool clock_changes = zone.HasClockChanges();
  if (!HoldsDates(kind.kind) && !(kind.kind == ColumnKind::kTimestampLocal && clock_changes)) {
    grains.insert(grains.end(), {"15m", "hour", "6h"});
  }
  Grid::Spec spec;
  spec.by = *rc::gen::elementOf(grains);
  spec.zone = zone;
  spec.week_start =
      *rc::gen::element(absl::Weekday::monday, absl::Weekday::sunday, absl::Weekday::wednesday);
  return *Grid::Make(spec);
}

RC_GTEST_PROP(BoundsProperty, GroupingAndBoundsSelectTheSameRows, ()) {
  static Database db;
  const KindCase kind =
      *rc::gen::elementOf(std::vector<KindCase>(std::begin(kKinds), std::end(kKinds)));
  const Zone zone = *Zone::Load(*rc::gen::element<std::string>(
      "UTC", "America/New_York", "Asia/Kathmandu", "America/Sao_Paulo", "Australia/Lord_Howe",
      "America/St_Johns", "Pacific/Apia", "America/Havana"));
  const Grid grid = AnyGrid(kind, zone);
  // Around changes of the clock as often as anywhere else.
  const absl::CivilDay day =
      *rc::gen::oneOf(rc::gen::element(absl::CivilDay(2018, 11, 3), absl::CivilDay(2026, 3, 7),
                                       absl::CivilDay(2011, 12, 29), absl::CivilDay(2006, 10, 28),
                                       absl::CivilDay(2026, 10, 31), absl::CivilDay(1969, 12, 31)),
                      rc::gen::map(rc::gen::inRange(-3000, 20000),
                                   [](int days) { return absl::CivilDay(1970, 1, 1) + days; }));
  std::vector<Interval> slots = {grid.Containing(zone.StartOfDate(day))};
  const int count = *rc::gen::inRange(3, 9);
  while (static_cast<int>(slots.size()) < count) slots.push_back(grid.Next(slots.back()));

  const TimeColumn column{
      .name = "ts", .kind = kind.kind, .zone = IsCivil(kind.kind) ? zone : Zone()};
  const Dimension region{.name = "region", .values = {{"eu"}, {"us"}, {std::nullopt}}};
  const PartitionSpace space(grid, {region}, IsCivil(kind.kind));
  const Side side{.sql = "t", .filter = "", .time = column, .dimension_columns = {"region"}};
  // A hole in time, and cells that are no product.
  const PartitionSet set =
      Union(PartitionSet::Rectangle({{slots[0].start, slots[0].end}}, {{0, 3}}),
            PartitionSet::Rectangle({{slots[2].start, slots.back().end}}, {{0, 1}, {2, 3}}));

  db.Execute("SET TimeZone = 'UTC'");
  FillTable(db, column, kind.type, grid, slots);
  db.Execute(
      fmt::format("SET TimeZone = '{}'",
                  *rc::gen::element<std::string>("UTC", "America/Los_Angeles", "Asia/Kathmandu")));

  const IdsByPartition by_bounds = IdsByBounds(db, side, space, set);
  const Result<GroupedScan> scan = GroupedScan::OfSet(side, space, set);
  RC_ASSERT(scan.ok());
  RC_ASSERT(IdsByGroup(db, *scan, false) == by_bounds);
  const Result<GroupedScan> whole = GroupedScan::OfWhole(*db.connection, side, space, set);
  RC_ASSERT(whole.ok());
  RC_ASSERT(IdsByGroup(db, *whole, false) == by_bounds);

  // Every slot's first row is in it, and the row one step before it is not.
  for (size_t i = 0; i < slots.size(); ++i) {
    const Partition first_cell{slots[i], 0};
    if (!set.Contains(first_cell)) continue;
    const std::string at_start = std::to_string(4 * (1 + 2 * i));
    const std::string before = std::to_string(4 * (2 + 2 * i));
    RC_ASSERT(by_bounds.at(first_cell).contains(at_start));
    RC_ASSERT(!by_bounds.at(first_cell).contains(before));
  }

  // All partitions at once select what they select one by one.
  std::set<std::string> together =
      IdsOf(db.Query("SELECT id FROM t WHERE " + RenderBounds(side, space, set)));
  std::set<std::string> apart;
  for (const auto& [partition, ids] : by_bounds) apart.insert(ids.begin(), ids.end());
  RC_ASSERT(together == apart);

  // The rest: other partitions of the space by their own bounds, no row lost.
  std::set<std::string> rest;
  for (const auto& [partition, ids] : IdsByGroup(db, *whole, true)) {
    const PartitionSet one = PartitionSet::Of(space, {partition});
    RC_ASSERT(IdsOf(db.Query("SELECT id FROM t WHERE " + RenderBounds(side, space, one))) == ids);
    rest.insert(ids.begin(), ids.end());
  }
  int64_t left = 0;
  for (const auto& row : db.Query(whole->Select("count(*)")).rows) {
    if (whole->GroupOf(row).kind != GroupedScan::Kind::kPartitions) {
      left += *ParseInteger(*row[whole->key_count()]);
    }
  }
  const int64_t total = *ParseInteger(*db.Query("SELECT count(*) FROM t").rows[0][0]);
  RC_ASSERT(static_cast<int64_t>(apart.size() + rest.size()) + left == total);
}

}  // namespace
}  // namespace retrofill
