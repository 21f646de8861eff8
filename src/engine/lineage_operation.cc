#include "engine/lineage_operation.h"

#include <utility>

#include "engine/plan_operation.h"
#include "engine/planner.h"
#include "engine/readiness.h"
#include "engine/table_graph.h"
#include "model/mapping.h"
#include "model/window.h"

namespace retrofill {
namespace {

// From the first instant that any of them reads to the last.
std::optional<Interval> ReadOf(const TransformInput& input, const PartitionSet& set,
                               const PartitionSpace& space) {
  if (!space.has_time() || !input.windowed()) return std::nullopt;
  return ReadWindow(space.grid(), set.Hull(), input.before, input.after);
}

Result<std::vector<LineageInput>> InputsRead(const TableContext& context, const PartitionSet& set,
                                             absl::Time as_of, Session& session) {
  const TableGraph graph(*context.project);
  std::vector<LineageInput> inputs;
  for (const TransformInput& input : context.sides.inputs) {
    LineageInput& found =
        inputs.emplace_back(LineageInput{.name = input.name, .table = input.table, .read = {}});
    if (!input.table) {
      found.read = ReadOf(input, set, *context.space);
      continue;
    }
    RF_ASSIGN(TableLook above, LookAtTable(*context.project, *graph.Find(input.name), session));
    found.space = above.space;
    // What comes first in time is what its own earlier partitions are read for.
    const Interval within{absl::InfinitePast(), as_of};
    found.set =
        Upstream(set, {.upstream = above.space.get(),
                       .downstream = context.space.get(),
                       .before = input.before,
                       .after = input.after,
                       .within = above.space->has_time() ? within : PartitionSpace::AllTime()});
    if (input.own) found.set = Difference(found.set, set);
  }
  return inputs;
}

// Of a table that reads its own earlier partitions: those that come after.
void AddLater(const TableContext& context, absl::Time as_of, LineageResult& result) {
  const TableGraph graph(*context.project);
  if (!graph.Find(result.table)->ReadsItself() || !context.space->has_time()) return;
  const PartitionSpace& space = *context.space;
  const PartitionSet later =
      LaterPartitions(result.set, space, space.grid().Floor(Watermark(context, as_of)));
  if (later.empty()) return;
  result.downstream.sets.insert(result.downstream.sets.begin(),
                                {.summary = {.table = result.table,
                                             .action = "restate",
                                             .keys = SetText(later, space, 5),
                                             .partitions = later.Count(space),
                                             .of = PartitionsSoFar(space, as_of),
                                             .refresh = "ask"},
                                 .space = context.space,
                                 .set = later,
                                 .through = {result.table}});
}

}  // namespace

Result<LineageResult> FindLineage(const EngineContext& engine, const std::string& table,
                                  const SelectionArguments& selection) {
  const absl::Time as_of = engine.AsOf();
  RF_ASSIGN(OpenedTable opened, OpenTable(engine, table, std::nullopt, Access::kReadOnly, as_of));
  const TableContext& context = *opened.context;
  RF_ASSIGN(KnownFailures known, FindKnownFailures(engine, table));
  RF_ASSIGN(Selection chosen, Select(context, selection, as_of, known, *opened.session));
  LineageResult result;
  result.table = table;
  result.space = context.space;
  result.set = std::move(chosen.set);
  if (result.set.empty()) return result;
  result.echo = EchoLines(result.set, *context.space);
  RF_ASSIGN(result.inputs, InputsRead(context, result.set, as_of, *opened.session));
  const DownstreamStart start{.changed = result.set, .left = {}, .new_code = false, .as_of = as_of};
  RF_ASSIGN(result.downstream, FindDownstream(context, start, *opened.session));
  AddLater(context, as_of, result);
  return result;
}

}  // namespace retrofill
