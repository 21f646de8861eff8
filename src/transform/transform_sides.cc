#include "transform/transform_sides.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "transform/dimension_types.h"
#include "transform/source_files.h"
#include "warehouse/bounds.h"

namespace retrofill {
namespace {

const std::vector<Dimension>& DimensionsOf(const Table& table) {
  static const std::vector<Dimension> none;
  return table.partition ? table.partition->dimensions : none;
}

bool Civil(ColumnKind kind) {
  return kind == ColumnKind::kDate || kind == ColumnKind::kTimestampLocal ||
         kind == ColumnKind::kYyyymmdd;
}

// Whether partitions are a day or longer.
bool WholeDays(const std::string& by) {
  return by == "day" || by == "week" || by == "month" || by == "quarter" || by == "year";
}

// The dimension columns that a relation carries under their own name.
std::vector<std::optional<std::string>> CarriedDimensions(const Table& table,
                                                          const RelationShape& shape) {
  std::vector<std::optional<std::string>> carried;
  for (const Dimension& dimension : DimensionsOf(table)) {
    const auto found = std::find_if(
        shape.columns.begin(), shape.columns.end(),
        [&](const ColumnShape& column) { return SameName(column.name, dimension.name); });
    carried.push_back(found == shape.columns.end() ? std::nullopt
                                                   : std::optional<std::string>(found->name));
  }
  return carried;
}

Result<const ColumnShape*> NeedColumn(const RelationShape& shape, const std::string& name,
                                      const std::string& relation, const Origin& origin) {
  std::vector<std::string> names;
  for (const ColumnShape& column : shape.columns) {
    if (SameName(column.name, name)) return &column;
    names.push_back(column.name);
  }
  Origin place = origin;
  if (const auto nearest = Nearest(name, names)) {
    place.label = fmt::format("did you mean `{}`?", *nearest);
  }
  return Fail(ErrorCode::kInvalid, "C0103", "`{}` has no column `{}`", relation, name)
      .Note(fmt::format("its columns are {}", Join(names, ", ")))
      .At(std::move(place));
}

Result<Grid> GridOf(const Table& table) {
  const PartitionSpec& spec = *table.partition;
  Grid::Spec grid;
  grid.by = spec.by;
  RF_ASSIGN(grid.zone, Zone::Load(table.timezone));
  RF_ASSIGN(grid.week_start, ParseWeekday(spec.week_start));
  grid.begin = spec.begin;
  grid.end = spec.end;
  return Grid::Make(grid);
}

// A naive timestamp outside of UTC could hold either: a guess would be hours off.
Status CheckHolds(const PartitionSpec& spec, const TimeColumn& time, const ColumnShape& column) {
  const bool naive =
      time.kind == ColumnKind::kTimestampLocal || time.kind == ColumnKind::kTimestampUtc;
  if (!naive || spec.holds != ColumnHolds::kUnset || time.zone.utc()) return Ok();
  return Fail(ErrorCode::kInvalid, "C0103",
              "column `{}` is {}, which says no zone, and the table's zone is {}", column.name,
              column.type, time.zone.name())
      .Help(fmt::format("write `column_holds: local` if it holds wall-clock times of {}, "
                        "`column_holds: utc` if it holds UTC",
                        time.zone.name()))
      .At(spec.origin);
}

// Whether values of the column tell the partitions of the grid apart.
Status CheckCut(const PartitionSpec& spec, const TimeColumn& time, const ColumnShape& column,
                const Grid& grid) {
  if (!grid.by_clock()) return Ok();
  if (time.kind == ColumnKind::kDate || time.kind == ColumnKind::kYyyymmdd) {
    return Fail(ErrorCode::kInvalid, "C0103",
                "column `{}` holds dates: they cannot be cut by `{}`, only by `day` or longer",
                column.name, spec.by)
        .Help("write by: day, or name a column that holds times")
        .At(spec.origin);
  }
  if (time.kind == ColumnKind::kTimestampLocal && grid.prints_offset()) {
    return Fail(ErrorCode::kInvalid, "C0103",
                "column `{}` holds wall-clock times of {}, which repeat when its clocks go back: "
                "partitions of `{}` would share them",
                column.name, time.zone.name(), spec.by)
        .Help("write by: day or longer, or use a column that holds instants or UTC")
        .At(spec.origin);
  }
  return Ok();
}

// Cuts by a table's own partition column.
Result<std::optional<TimeColumn>> PartitionTime(const Table& table, const RelationShape& shape) {
  if (!table.partition || table.partition->by.empty()) return std::optional<TimeColumn>();
  const PartitionSpec& spec = *table.partition;
  RF_ASSIGN(const ColumnShape* column, NeedColumn(shape, spec.column, table.relation, spec.origin));
  RF_ASSIGN(TimeColumn time, TimeColumnOf(*column, spec.holds, spec.column_unit, spec.column_format,
                                          table.timezone, spec.origin));
  RF_TRY(CheckHolds(spec, time, *column));
  RF_ASSIGN(const Grid grid, GridOf(table));
  RF_TRY(CheckCut(spec, time, *column, grid));
  return std::optional<TimeColumn>(std::move(time));
}

// A side of a source: its relation or files, cut by its event time.
Result<TransformInput> SourceInput(const Table& table, const Source& source, Session& session) {
  TransformInput input;
  input.name = source.name;
  if (source.files.empty()) {
    input.side.sql = QuoteRelation(source.relation);
  } else {
    RF_ASSIGN(input.side.sql, FilesRelation(source.files));
  }
  Result<std::optional<RelationShape>> described = session.Describe(input.side);
  if (!described.ok()) return OfSource(source, SourceRead::kColumns, std::move(described).error());
  std::optional<RelationShape> shape = *std::move(described);
  if (!shape) {
    return Fail(ErrorCode::kRefused, "P0303", "source `{}` does not exist: there is no `{}`",
                source.name, source.files.empty() ? source.relation : source.files)
        .Help("name it with `relation` or `files`")
        .At(source.origin);
  }
  input.shape = std::move(*shape);
  input.side.dimension_columns = CarriedDimensions(table, input.shape);
  if (!source.event_time) return input;
  RF_ASSIGN(const ColumnShape* column,
            NeedColumn(input.shape, *source.event_time, source.name, source.origin));
  RF_ASSIGN(TimeColumn time,
            TimeColumnOf(*column, ColumnHolds::kUnset, "", "", source.timezone, source.origin));
  input.side.time = std::move(time);
  return input;
}

// A side of an upstream table, cut by its partition column.
Result<TransformInput> TableInput(const Table& table, const Table& upstream, Session& session) {
  TransformInput input;
  input.name = upstream.name;
  input.table = true;
  input.own = upstream.name == table.name;
  input.side.sql = QuoteRelation(upstream.relation);
  RF_ASSIGN(std::optional<RelationShape> shape, session.Describe(input.side));
  if (!shape) {
    return Fail(ErrorCode::kRefused, "P0303", "table `{}` does not exist yet: there is no `{}`",
                upstream.name, upstream.relation)
        .Help(fmt::format("build it first: retrofill run {}", upstream.name))
        .At(upstream.origin);
  }
  input.shape = std::move(*shape);
  input.side.dimension_columns = CarriedDimensions(table, input.shape);
  RF_ASSIGN(input.side.time, PartitionTime(upstream, input.shape));
  return input;
}

// A target that does not exist yet: a date for whole days, else a naive timestamp in UTC.
Result<Side> GuessedTarget(const Table& table) {
  Side side;
  side.sql = QuoteRelation(table.relation);
  for (const Dimension& dimension : DimensionsOf(table)) {
    side.dimension_columns.emplace_back(dimension.name);
  }
  if (!table.partition || table.partition->by.empty()) return side;
  const ColumnShape column{table.partition->column,
                           WholeDays(table.partition->by) ? "DATE" : "TIMESTAMP", true};
  RF_ASSIGN(TimeColumn time, TimeColumnOf(column, table.partition->holds, "", "", table.timezone,
                                          table.partition->origin));
  side.time = std::move(time);
  return side;
}

// Some partition of the space, to bind the SQL with.
PartitionSet AnyUnit(const PartitionSpace& space) {
  Partition partition{{absl::InfinitePast(), absl::InfiniteFuture()}, 0};
  if (space.has_time()) {
    partition.interval =
        space.grid().Containing(space.grid().begin().value_or(absl::FromUnixSeconds(946684800)));
  }
  return PartitionSet::Of(space, {partition});
}

// Of a target that does not exist yet: the columns the transform would give.
Result<RelationShape> ShapeOfResult(const Table& table, const TransformSides& sides,
                                    const SqlTemplate& sql, Session& session) {
  RF_ASSIGN(const PartitionSpace space, SpaceOf(table, sides));
  RF_ASSIGN(const RenderedSql rendered,
            Render(sql, ContextFor(table, sides, space, AnyUnit(space), absl::UnixEpoch())));
  Result<RelationShape> shape = session.Bind(rendered.sql);
  if (!shape.ok()) return InTemplate(std::move(shape).error(), sql, rendered);
  return shape;
}

// Cuts the target by these columns.
Status CutTarget(const Table& table, const RelationShape& shape, TransformSides& sides) {
  sides.target.dimension_columns = CarriedDimensions(table, shape);
  RF_ASSIGN(sides.target.time, PartitionTime(table, shape));
  RF_ASSIGN(sides.dimensions,
            TypedDimensions(DimensionsOf(table), shape,
                            table.partition ? table.partition->origin : table.origin));
  return Ok();
}

}  // namespace

const TransformInput* TransformSides::Find(std::string_view name) const {
  for (const TransformInput& input : inputs) {
    if (input.name == name) return &input;
  }
  return nullptr;
}

Result<std::vector<Input>> InputsOf(const Project& project, const Table& table,
                                    const SqlTemplate& sql) {
  std::vector<Input> inputs = table.inputs;
  for (const Placeholder& placeholder : sql.placeholders) {
    const bool named = placeholder.kind != PlaceholderKind::kParameter &&
                       placeholder.kind != PlaceholderKind::kThis &&
                       placeholder.kind != PlaceholderKind::kPartition;
    if (!named) continue;
    const bool known = std::any_of(inputs.begin(), inputs.end(), [&](const Input& input) {
      return input.name() == placeholder.argument;
    });
    if (known) continue;
    Input input;
    input.origin = sql.OriginOf(placeholder.offset, placeholder.length);
    const bool source = project.sources.count(placeholder.argument) > 0;
    const bool upstream = project.tables.count(placeholder.argument) > 0;
    if (source && placeholder.kind != PlaceholderKind::kRef) {
      input.source = placeholder.argument;
    } else if (upstream && placeholder.kind != PlaceholderKind::kSource) {
      input.table = placeholder.argument;
    } else {
      std::vector<std::string> names;
      for (const auto& [name, value] : project.sources) names.push_back(name);
      for (const auto& [name, value] : project.tables) names.push_back(name);
      if (const auto nearest = Nearest(placeholder.argument, names)) {
        input.origin.label = fmt::format("did you mean `{}`?", *nearest);
      }
      return Fail(ErrorCode::kInvalid, "C0109", "there is no {} `{}`",
                  placeholder.kind == PlaceholderKind::kRef      ? "table"
                  : placeholder.kind == PlaceholderKind::kSource ? "source"
                                                                 : "source or table",
                  placeholder.argument)
          .At(std::move(input.origin));
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

Result<TransformSides> ResolveSides(const Project& project, const Table& table,
                                    const SqlTemplate& sql, Session& session) {
  TransformSides sides;
  RF_ASSIGN(const std::vector<Input> declared, InputsOf(project, table, sql));
  RF_ASSIGN(sides.target, GuessedTarget(table));
  RF_ASSIGN(sides.shape, session.Describe(sides.target));
  sides.dimensions = DimensionsOf(table);
  if (sides.shape) RF_TRY(CutTarget(table, *sides.shape, sides));
  for (const Input& input : declared) {
    const auto source = project.sources.find(input.source);
    const auto upstream = project.tables.find(input.table);
    if (source == project.sources.end() && upstream == project.tables.end()) {
      return Fail(ErrorCode::kInvalid, "C0109", "there is no source or table `{}`", input.name())
          .At(input.origin);
    }
    RF_ASSIGN(TransformInput resolved, source != project.sources.end()
                                           ? SourceInput(table, source->second, session)
                                           : TableInput(table, upstream->second, session));
    resolved.before = input.before;
    resolved.after = input.after;
    // Two civil columns map through their dates: an input's dates are read in the table's zone.
    const bool dates = resolved.side.time && (resolved.side.time->kind == ColumnKind::kDate ||
                                              resolved.side.time->kind == ColumnKind::kYyyymmdd);
    if (dates && sides.target.time && Civil(sides.target.time->kind)) {
      resolved.side.time->zone = sides.target.time->zone;
    }
    sides.inputs.push_back(std::move(resolved));
  }
  if (!sides.shape) {
    RF_ASSIGN(const RelationShape result, ShapeOfResult(table, sides, sql, session));
    RF_TRY(CutTarget(table, result, sides));
  }
  return sides;
}

Result<TimeColumn> TimeColumnOf(const ColumnShape& column, ColumnHolds holds,
                                const std::string& unit, const std::string& format,
                                const std::string& zone, const Origin& origin) {
  TimeColumn time;
  time.name = column.name;
  RF_ASSIGN(time.zone, Zone::Load(zone));
  const std::string& type = column.type;
  if (type == "DATE") {
    time.kind = ColumnKind::kDate;
  } else if (type == "TIMESTAMP WITH TIME ZONE" || type == "TIMESTAMPTZ") {
    time.kind = ColumnKind::kTimestampTz;
  } else if (type.substr(0, 9) == "TIMESTAMP") {
    const bool local =
        holds == ColumnHolds::kLocal || (holds == ColumnHolds::kUnset && !time.zone.utc());
    time.kind = local ? ColumnKind::kTimestampLocal : ColumnKind::kTimestampUtc;
  } else if (format == "yyyymmdd") {
    time.kind = ColumnKind::kYyyymmdd;
  } else if (unit == "s") {
    time.kind = ColumnKind::kEpochSeconds;
  } else if (unit == "ms") {
    time.kind = ColumnKind::kEpochMillis;
  } else if (unit == "us") {
    time.kind = ColumnKind::kEpochMicros;
  } else if (unit == "ns") {
    time.kind = ColumnKind::kEpochNanos;
  } else {
    return Fail(ErrorCode::kInvalid, "C0103", "column `{}` is {}: it cannot be cut into partitions",
                column.name, type)
        .Help("use a date or a timestamp, or say `column_unit` or `column_format` for an integer")
        .At(origin);
  }
  return time;
}

Result<PartitionSpace> SpaceOf(const Table& table, const TransformSides& sides) {
  if (!table.partition) return PartitionSpace(std::nullopt, {}, false);
  const PartitionSpec& spec = *table.partition;
  if (spec.by.empty()) return PartitionSpace(std::nullopt, sides.dimensions, false);
  RF_ASSIGN(Grid made, GridOf(table));
  return PartitionSpace(std::move(made), sides.dimensions,
                        sides.target.time && Civil(sides.target.time->kind));
}

}  // namespace retrofill
