#include "warehouse/position.h"

#include "warehouse/bounds.h"

namespace retrofill {
namespace {

const absl::CivilDay kEpochDay(1970, 1, 1);

int64_t MicrosOf(absl::CivilSecond reading) {
  return absl::ToUnixMicros(absl::FromCivil(reading, absl::UTCTimeZone()));
}

}  // namespace

bool IsCivil(ColumnKind kind) {
  return kind == ColumnKind::kDate || kind == ColumnKind::kTimestampLocal ||
         kind == ColumnKind::kYyyymmdd;
}

absl::CivilSecond ReadingAt(const TimeColumn& column, const Grid& grid, absl::Time t) {
  if (column.zone.name() == grid.zone().name()) {
    const Interval slot = grid.Containing(t);
    if (slot.start == t) return grid.NominalStart(slot);
  }
  return column.zone.CivilAt(t);
}

int64_t PositionOf(const TimeColumn& column, const Grid& grid, absl::Time t) {
  switch (column.kind) {
    case ColumnKind::kDate:
      return absl::CivilDay(ReadingAt(column, grid, t)) - kEpochDay;
    case ColumnKind::kTimestampLocal:
      return MicrosOf(ReadingAt(column, grid, t));
    case ColumnKind::kTimestampUtc:
    case ColumnKind::kTimestampTz:
    case ColumnKind::kEpochMicros:
      return absl::ToUnixMicros(t);
    case ColumnKind::kEpochSeconds:
      return absl::ToUnixSeconds(t);
    case ColumnKind::kEpochMillis:
      return absl::ToUnixMillis(t);
    case ColumnKind::kEpochNanos:
      return absl::ToUnixNanos(t);
    case ColumnKind::kYyyymmdd: {
      const absl::CivilSecond reading = ReadingAt(column, grid, t);
      return reading.year() * 10000 + reading.month() * 100 + reading.day();
    }
  }
  return 0;
}

std::string PositionExpression(const TimeColumn& column) {
  const std::string name = QuoteName(column.name);
  switch (column.kind) {
    case ColumnKind::kDate:
      return fmt::format("CASE WHEN isfinite({0}) THEN {0} - DATE '1970-01-01' END", name);
    case ColumnKind::kTimestampLocal:
    case ColumnKind::kTimestampUtc:
    case ColumnKind::kTimestampTz:
      return fmt::format("epoch_us({})", name);
    case ColumnKind::kEpochSeconds:
    case ColumnKind::kEpochMillis:
    case ColumnKind::kEpochMicros:
    case ColumnKind::kEpochNanos:
    case ColumnKind::kYyyymmdd:
      return name;
  }
  return name;
}

}  // namespace retrofill
