#include "engine/table_context.h"

#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "base/zone_rules.h"
#include "warehouse/bounds.h"

namespace retrofill {

Side TableContext::StageSide(const std::string& stage) const {
  Side side = sides.target;
  side.sql = QuoteName("retrofill_stage") + "." + QuoteName(stage);
  return side;
}

Side TableContext::BackupSide(const std::string& backup) const {
  Side side = sides.target;
  side.sql = QuoteName("retrofill_backup") + "." + QuoteName(backup);
  return side;
}

FingerprintRequest TableContext::Fingerprints(const Side& side, const PartitionSet& set,
                                              bool all_groups, int level) const {
  return FingerprintRequest{.side = side,
                            .space = space.get(),
                            .set = set,
                            .all_groups = all_groups,
                            .shape = shape,
                            .grain = table->grain,
                            .left_out = {},
                            .about = table->relation,
                            .level = level};
}

Result<RenderedSql> TableContext::RenderUnit(const PartitionSet& unit, absl::Time as_of) const {
  return Render(sql, ContextFor(*table, sides, *space, unit, as_of));
}

bool TableContext::cells_together() const {
  for (const Dimension& dimension : space->dimensions()) {
    if (sql.UsesParameter(dimension.name)) return false;
  }
  return !sql.UsesParameter("partition");
}

bool TableContext::can_batch() const {
  return space->has_time() && !sql.UsesParameter("partition");
}

std::string ShapeHash(const RelationShape& shape) {
  std::string text;
  for (size_t i = 0; i < shape.columns.size(); ++i) {
    const ColumnShape& column = shape.columns[i];
    text += fmt::format("{}\t{}\t{}\t{}\n", i + 1, column.name, column.type, column.nullable);
  }
  return Sha256Hex(text).substr(0, 32);
}

namespace {

// The rows of a partition for binding: the bounds decide nothing about the columns.
PartitionSet AnyPartition(const PartitionSpace& space, absl::Time as_of) {
  Partition partition{.interval = {absl::InfinitePast(), absl::InfiniteFuture()}, .cell = 0};
  if (space.has_time()) partition.interval = space.grid().Containing(as_of);
  return PartitionSet::Of(space, {partition});
}

// What a type holds, as far as a stage may convert it without anybody asking.
std::string KindOfType(const std::string& type) {
  for (const std::string_view number :
       {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "DECIMAL", "FLOAT", "DOUBLE"}) {
    if (type.starts_with(number) || type.starts_with(fmt::format("U{}", number))) return "number";
  }
  if (type == "DATE" || type.starts_with("TIMESTAMP")) return "time";
  return type;
}

// Columns whose values the stage would have to reinterpret: text as a number and the like. Anything
// fits into text, and NULL into everything.
Status CheckTypes(const TableContext& context) {
  std::string wrong;
  for (const ColumnShape& column : context.result.columns) {
    const ColumnShape* target = context.shape.Find(column.name);
    bool fits = target == nullptr || target->type == "VARCHAR" ||
                column.type.find("NULL") != std::string::npos ||
                KindOfType(target->type) == KindOfType(column.type);
    if (fits) continue;
    wrong += fmt::format("{}`{}` is {}, the target has {}", wrong.empty() ? "" : "; ", column.name,
                         column.type, target->type);
  }
  if (wrong.empty()) return Ok();
  return Fail(ErrorCode::kRefused, "P0208", "the result of {} does not have the types of {}: {}",
              context.table->sql_file, context.table->relation, wrong)
      .Help("cast the column in the SQL to the type of the target");
}

// Columns of the result that the target lacks, and the other way round (publish document, 13).
Status CheckColumns(const TableContext& context) {
  std::vector<std::string> extra, missing;
  std::string alter;
  for (const ColumnShape& column : context.result.columns) {
    if (context.shape.Find(column.name) != nullptr) continue;
    extra.push_back("`" + column.name + "`");
    alter += fmt::format("alter table {} add column {} {}; ", context.table->relation,
                         QuoteName(column.name), column.type);
  }
  for (const ColumnShape& column : context.shape.columns) {
    if (context.result.Find(column.name) == nullptr) missing.push_back("`" + column.name + "`");
  }
  if (extra.empty() && missing.empty()) return CheckTypes(context);
  Error error =
      Fail(ErrorCode::kRefused, "P0208", "the result of {} does not have the columns of {}",
           context.table->sql_file, context.table->relation);
  if (!extra.empty()) {
    error = std::move(error)
                .Note(fmt::format("the target lacks {}", Join(extra, ", ")))
                .Help(fmt::format("add them first: {}", Trim(alter)));
  }
  if (!missing.empty())
    error = std::move(error)
                .Note(fmt::format("the result lacks {}", Join(missing, ", ")))
                .Help("select every column of the target by name");
  return error;
}

Status CheckKnownColumns(const TableContext& context) {
  for (const std::string& column : context.table->grain) {
    if (context.shape.Find(column) != nullptr) continue;
    return Fail(ErrorCode::kInvalid, "C0103", "grain column `{}` is not a column of {}", column,
                context.table->relation)
        .At(context.table->origin);
  }
  return Ok();
}

}  // namespace

Result<TableContext> BindTable(const Project& project, const Table& table,
                               const std::optional<std::string>& pinned, Session& session,
                               absl::Time as_of) {
  TableContext context;
  context.project = &project;
  context.table = &table;
  if (pinned) {
    RF_ASSIGN(context.sql, ParseSqlTemplate(table.sql_file, *pinned));
  } else {
    RF_ASSIGN(context.sql, LoadSqlTemplate(project.folder, table.sql_file));
  }
  context.digest = TransformDigest(context.sql.text);
  RF_ASSIGN(context.sides, ResolveSides(project, table, context.sql, session));
  Status target = session.CheckTarget(context.sides.target, context.sides.shape);
  if (!target.ok()) return std::move(target).error().At(table.origin);
  RF_ASSIGN(PartitionSpace space, SpaceOf(table, context.sides));
  context.space = std::make_shared<PartitionSpace>(std::move(space));
  context.zone_db = ZoneRulesVersion();
  context.target_exists = context.sides.shape.has_value();
  RF_ASSIGN(RenderedSql rendered, context.RenderUnit(AnyPartition(*context.space, as_of), as_of));
  Result<RelationShape> result = session.Bind(rendered.sql);
  if (!result.ok()) return InTemplate(std::move(result).error(), context.sql, rendered);
  context.result = *std::move(result);
  context.shape = context.target_exists ? *context.sides.shape : context.result;
  RF_TRY(CheckColumns(context));
  RF_TRY(CheckKnownColumns(context));
  return context;
}

Result<TableContext> BindTarget(const Project& project, const Table& table, Session& session) {
  TableContext context;
  context.project = &project;
  context.table = &table;
  Table alone = table;
  alone.inputs.clear();
  RF_ASSIGN(context.sql, ParseSqlTemplate("", "select 1"));
  RF_ASSIGN(context.sides, ResolveSides(project, alone, context.sql, session));
  if (!context.sides.shape) {
    return Fail(ErrorCode::kRefused, "P0303", "{} does not exist any more", table.relation);
  }
  RF_ASSIGN(PartitionSpace space, SpaceOf(table, context.sides));
  context.space = std::make_shared<PartitionSpace>(std::move(space));
  context.zone_db = ZoneRulesVersion();
  context.target_exists = true;
  context.shape = *context.sides.shape;
  context.result = context.shape;
  return context;
}

}  // namespace retrofill
