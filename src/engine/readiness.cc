#include "engine/readiness.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/watermark.h"

namespace retrofill {
namespace {

const Source* SourceOf(const TableContext& context, const TransformInput& input) {
  if (input.table) return nullptr;
  auto found = context.project->sources.find(input.name);
  return found == context.project->sources.end() ? nullptr : &found->second;
}

// The inputs that are read by time, as the classes of partitions depend on them.
Result<std::vector<InputBounds>> BoundsOf(const TableContext& context, absl::Time as_of) {
  std::vector<InputBounds> bounds;
  for (const TransformInput& input : context.sides.inputs) {
    if (input.own || !input.windowed()) continue;
    const Source* source = SourceOf(context, input);
    InputBounds entry{
        .before = input.before, .after = input.after, .watermark = as_of, .floor = std::nullopt};
    if (source != nullptr) entry.watermark = as_of - source->lag;
    if (source != nullptr && source->retention_days) {
      RF_ASSIGN(const Zone zone, Zone::Load(source->timezone));
      entry.floor = RetentionFloor(zone, as_of, *source->retention_days);
    }
    bounds.push_back(std::move(entry));
  }
  return bounds;
}

void Mark(const TableContext& context, const PartitionSet& set, const std::string& reason,
          std::map<std::string, std::string>& blocked) {
  for (const Partition& partition : set.Partitions(*context.space)) {
    blocked[context.space->IdentityText(partition)] = reason;
  }
}

// Asks the source's own check; anything but true is "not complete".
Result<bool> IsComplete(const TableContext& context, const SqlTemplate& check,
                        const Partition& partition, absl::Time as_of, Session& session) {
  PartitionSet set = PartitionSet::Of(*context.space, {partition});
  RF_ASSIGN(RenderedSql rendered,
            Render(check, ContextFor(*context.table, context.sides, *context.space, set, as_of)));
  Result<Rows> rows = session.Query(rendered.sql, 1);
  if (!rows.ok()) {
    if (rows.error().code() == ErrorCode::kFailed || rows.error().code() == ErrorCode::kInvalid)
      return false;
    return std::move(rows).error();
  }
  return rows->rows.size() == 1 && rows->rows[0].size() == 1 && rows->rows[0][0] == "true";
}

Status AskSources(const TableContext& context, const std::vector<Partition>& partitions,
                  absl::Time as_of, Session& session, std::map<std::string, std::string>& blocked) {
  for (const TransformInput& input : context.sides.inputs) {
    const Source* source = SourceOf(context, input);
    if (source == nullptr || !source->complete || !input.windowed()) continue;
    RF_ASSIGN(SqlTemplate check, ParseSqlTemplate("complete", *source->complete));
    for (const Partition& partition : partitions) {
      std::string part = context.space->IdentityText(partition);
      if (blocked.contains(part)) continue;
      RF_ASSIGN(bool complete, IsComplete(context, check, partition, as_of, session));
      if (!complete) blocked[part] = "incomplete";
    }
  }
  return Ok();
}

}  // namespace

absl::Time Watermark(const TableContext& context, absl::Time as_of) {
  absl::Time watermark = as_of;
  for (const TransformInput& input : context.sides.inputs) {
    const Source* source = SourceOf(context, input);
    if (source != nullptr && input.windowed()) watermark = std::min(watermark, as_of - source->lag);
  }
  return watermark;
}

Result<std::map<std::string, std::string>> FindBlocked(const TableContext& context,
                                                       const PartitionSet& set, absl::Time as_of,
                                                       Session& session) {
  std::map<std::string, std::string> blocked;
  if (!context.space->has_time()) return blocked;
  RF_ASSIGN(const std::vector<InputBounds> bounds, BoundsOf(context, as_of));
  ClassedSet classed = ClassifyAt(set, *context.space, as_of, bounds);
  Mark(context, classed.future, "future", blocked);
  Mark(context, classed.open, "open", blocked);
  Mark(context, classed.incomplete, "incomplete", blocked);
  Mark(context, classed.expired, "expired", blocked);
  std::vector<Partition> partitions = classed.complete.Partitions(*context.space);
  RF_TRY(AskSources(context, partitions, as_of, session, blocked));
  return blocked;
}

}  // namespace retrofill
