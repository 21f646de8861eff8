#include <absl/time/time.h>

#include <algorithm>

#include "base/check.h"
#include "base/text.h"
#include "model/window.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_hash.h"
#include "warehouse/duckdb_scratch.h"

namespace retrofill {
namespace {

bool IsNumber(const std::string& type) {
  constexpr std::string_view kNumbers[] = {"TINYINT", "SMALLINT", "INTEGER",   "BIGINT",
                                           "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
                                           "UBIGINT", "UHUGEINT", "FLOAT",     "DOUBLE"};
  return type.substr(0, 7) == "DECIMAL" ||
         std::find(std::begin(kNumbers), std::end(kNumbers), type) != std::end(kNumbers);
}

// Another value of the same type; the same one for types that have no next value. NULL stays NULL.
std::string Edited(const ColumnShape& column) {
  const std::string name = QuoteName(column.name);
  if (IsNumber(column.type)) {
    // At the largest value there is no next one.
    return fmt::format("coalesce(try_cast({0} + 1 as {1}), try_cast({0} - 1 as {1}))", name,
                       column.type);
  }
  if (column.type == "VARCHAR") return name + " || '~'";
  if (column.type == "BOOLEAN") return "not " + name;
  if (column.type == "DATE") return fmt::format("cast({} + 1 as DATE)", name);
  if (column.type.substr(0, 9) == "TIMESTAMP") {
    return fmt::format("cast({} + interval 1 microsecond as {})", name, column.type);
  }
  return name;
}

std::string Columns(const RelationShape& shape, const std::vector<std::string>& keep,
                    const std::string& special, const std::string& special_value, bool edit) {
  std::vector<std::string> columns;
  for (const ColumnShape& column : shape.columns) {
    const std::string value = column.name == special                ? special_value
                              : !edit || HasName(keep, column.name) ? QuoteName(column.name)
                                                                    : Edited(column);
    columns.push_back(fmt::format("{} as {}", value, QuoteName(column.name)));
  }
  return Join(columns, ", ");
}

// One unit before an instant on the column's own scale.
std::string JustBefore(const TimeColumn& time, const std::string& instant) {
  const bool stamp = time.kind == ColumnKind::kTimestampLocal ||
                     time.kind == ColumnKind::kTimestampUtc ||
                     time.kind == ColumnKind::kTimestampTz;
  return instant + (stamp ? " - interval 1 microsecond" : " - 1");
}

// Where sentinels go: just before the window, its end, and a partition further either way.
std::vector<std::string> PlacesOutside(const ScratchCopy& copy) {
  const TimeColumn& time = *copy.from.time;
  const Grid& grid = copy.space->grid();
  const Interval window = ReadWindow(grid, copy.window->Hull(), copy.before, copy.after);
  const Interval before = grid.Containing(window.start - absl::Microseconds(1));
  const Interval after = grid.Containing(window.end);
  return {JustBefore(time, RenderInstant(time, grid, window.start)),
          RenderInstant(time, grid, window.end), RenderInstant(time, grid, before.start),
          RenderInstant(time, grid, after.end)};
}

}  // namespace

std::string PlainColumns(const RelationShape& shape) {
  std::vector<std::string> columns;
  for (const ColumnShape& column : shape.columns) columns.push_back(QuoteName(column.name));
  return Join(columns, ", ");
}

std::string EditedColumns(const RelationShape& shape, const std::vector<std::string>& keep) {
  return Columns(shape, keep, "", "", true);
}

std::string DrawnOrder(const RelationShape& shape, uint64_t order) {
  if (order == 0) return "";
  return " order by " + RowHash(shape.columns, order);
}

std::vector<std::string> SentinelSelects(const ScratchCopy& copy, const std::string& window_rows,
                                         int64_t limit) {
  std::vector<std::string> selects;
  std::vector<std::string> dimensions;
  for (const auto& column : copy.from.dimension_columns) {
    if (column) dimensions.push_back(*column);
  }
  uint64_t drawn = 1;
  const auto add = [&](const std::string& columns, const std::string& where = "") {
    selects.push_back(fmt::format("select {} from (select * from {}{} limit {}){}", columns,
                                  window_rows, DrawnOrder(copy.shape, ++drawn), limit, where));
  };
  if (copy.from.time && copy.space->has_time()) {
    const ColumnShape* time = copy.shape.Find(copy.from.time->name);
    RF_CHECK(time != nullptr, "{}", copy.from.time->name);
    for (const std::string& place : PlacesOutside(copy)) {
      add(Columns(copy.shape, dimensions, time->name,
                  fmt::format("cast({} as {})", place, time->type), copy.sentinels_edited));
    }
  }
  for (const std::string& dimension : dimensions) {
    std::vector<std::string> keep = dimensions;
    if (copy.from.time) keep.push_back(copy.from.time->name);
    const ColumnShape* column = copy.shape.Find(dimension);
    if (column == nullptr) continue;
    // NULL has no next value: such a row would stay inside its partition.
    add(Columns(copy.shape, keep, column->name, Edited(*column), copy.sentinels_edited),
        fmt::format(" where {} is not null", QuoteName(column->name)));
  }
  return selects;
}

}  // namespace retrofill
