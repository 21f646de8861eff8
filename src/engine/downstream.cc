#include "engine/downstream.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "engine/built.h"
#include "engine/table_graph.h"
#include "model/mapping.h"
#include "model/selection.h"
#include "model/watermark.h"

namespace retrofill {
namespace {

constexpr int kPieces = 5;

// What changes in a table: N, partitions that are rewritten, and B, ones that are named but stay as
// they are.
struct Change {
  const Table* table = nullptr;
  BuiltRequest request;
  std::shared_ptr<const PartitionSpace> space;
  PartitionSet changed;
  PartitionSet left;
};

// One input of a table through which a change comes.
struct Way {
  const Change* from = nullptr;
  InputMapping mapping;
};

std::string_view RefreshText(RefreshPolicy policy) {
  switch (policy) {
    case RefreshPolicy::kAuto:
      return "auto";
    case RefreshPolicy::kAsk:
      return "ask";
    case RefreshPolicy::kNever:
      return "never";
  }
  return "auto";
}

// Walks the table graph from a table downward, each table after everything that it reads.
class Walk {
 public:
  Walk(const TableContext& context, const DownstreamStart& start, Session& session)
      : project_(*context.project), start_(start), session_(session), graph_(project_) {
    Change& first = changes_[context.table->name];
    first.table = context.table;
    first.space = context.space;
    first.request = {.relation = context.table->relation,
                     .space = context.space.get(),
                     .side = context.sides.target,
                     .exists = context.target_exists,
                     .digest = context.digest};
    first.changed = start.changed;
    first.left = start.left;
    first_ = context.table->name;
  }

  Result<DownstreamResult> Run() {
    RF_ASSIGN(new_logic_, ChangesLogic());
    for (const TableNode* node : graph_.Below(first_)) RF_TRY(Visit(*node));
    return std::move(result_);
  }

 private:
  // Whether any partition that the plan names was made by other code, whatever the reason is that
  // it is computed for.
  Result<bool> ChangesLogic() {
    if (!start_.new_code) return false;
    const Change& first = changes_.at(first_);
    RF_ASSIGN(const Built built,
              FindBuilt(first.request, Union(first.changed, first.left), session_));
    return !built.other_code.empty();
  }

  // The tables through which a change comes, by name.
  std::vector<std::string> Through(const TableNode& node) const {
    std::set<std::string> names;
    for (const Input& input : node.reads) {
      const auto found = changes_.find(input.table);
      if (input.table != node.table->name && found != changes_.end()) names.insert(input.table);
    }
    return {names.begin(), names.end()};
  }

  Status Visit(const TableNode& node) {
    const std::vector<std::string> through = Through(node);
    if (through.empty()) return Ok();
    const std::string& connection = project_.tables.at(first_).connection;
    if (node.table->connection != connection)
      return AddUnseen(node, through, "it is in connection `" + node.table->connection + "`");
    if (!node.sql) return AddUnseen(node, through, node.problem);
    Result<TableLook> look = LookAtTable(project_, node, session_);
    if (!look.ok()) {
      if (look.error().code() == ErrorCode::kInternal) return std::move(look).error();
      return AddUnseen(node, through, look.error().message());
    }
    return Reach(node, *look, through);
  }

  Status Reach(const TableNode& node, const TableLook& look,
               const std::vector<std::string>& through) {
    const PartitionSpace& below = *look.space;
    std::vector<Way> ways;
    for (const Input& input : node.reads) {
      const auto from = changes_.find(input.table);
      if (input.table == node.table->name || from == changes_.end()) continue;
      ways.push_back({.from = &from->second,
                      .mapping = {.upstream = from->second.space.get(),
                                  .downstream = &below,
                                  .before = input.before,
                                  .after = input.after,
                                  .within = Within(below)}});
    }
    PartitionSet reached, mixed;
    for (const Way& way : ways) {
      const PartitionSet stale = Downstream(way.from->changed, way.mapping);
      reached = Union(reached, stale);
      if (!new_logic_ || way.from->left.empty()) continue;
      mixed = Union(mixed, Intersection(stale, Downstream(way.from->left, way.mapping)));
    }
    if (node.ReadsItself() && below.has_time())
      reached = Union(reached, LaterPartitions(reached, below, Within(below).end));
    const ClassedSet classed = ClassifyAt(reached, below, start_.as_of, {});
    const BuiltRequest request{.relation = node.table->relation,
                               .space = &below,
                               .side = look.sides.target,
                               .exists = look.sides.shape.has_value(),
                               .digest = look.digest};
    RF_ASSIGN(const Built built, FindBuilt(request, classed.complete, session_));
    mixed = Intersection(mixed, built.all);
    const PartitionSet clean = Difference(built.all, mixed);
    RF_ASSIGN(const PartitionSet edge, EdgeOf(clean, ways));
    const auto add = [&](const std::string& action, const PartitionSet& set) {
      Add(*node.table, look.space, action, set, through);
    };
    add("restate", Difference(clean, edge));
    add("edge", edge);
    add("mixed", mixed);
    add("missing", Difference(classed.complete, built.all));
    add("open", classed.open);
    if (!mixed.empty()) WarnMixed(*node.table, below, mixed, ways);
    if (!classed.open.empty()) NoteOpen(*node.table, below, classed.open);
    ways_[node.table->name] = std::move(ways);
    spaces_.push_back(look.space);
    if (clean.empty() || node.table->refresh == RefreshPolicy::kNever) return Ok();
    changes_[node.table->name] = {.table = node.table,
                                  .request = request,
                                  .space = look.space,
                                  .changed = clean,
                                  .left = mixed};
    return Ok();
  }

  // Up to the end of the partition that is open at as-of.
  Interval Within(const PartitionSpace& below) const {
    if (!below.has_time()) return PartitionSpace::AllTime();
    return {absl::InfinitePast(), below.grid().Containing(start_.as_of).end};
  }

  // Those that read, beside what changes, existing partitions that other code made and the plan
  // does not name.
  Result<PartitionSet> EdgeOf(const PartitionSet& clean, const std::vector<Way>& ways) {
    PartitionSet edge;
    if (!new_logic_) return edge;
    for (const Way& way : ways) {
      const PartitionSpace& above = *way.from->space;
      // Without `begin` the past has no end to look for rows in.
      if (above.has_time() && !above.grid().begin()) continue;
      const PartitionSet named = Union(way.from->changed, way.from->left);
      const PartitionSet beside = Difference(Upstream(clean, way.mapping), named);
      RF_ASSIGN(const Built built, FindBuilt(way.from->request, beside, session_));
      edge = Union(edge, Intersection(clean, Downstream(built.other_code, way.mapping)));
    }
    return edge;
  }

  Status AddUnseen(const TableNode& node, const std::vector<std::string>& through,
                   const std::string& why) {
    result_.sets.push_back({.summary = {.table = node.table->name,
                                        .action = "unseen",
                                        .keys = why,
                                        .partitions = 0,
                                        .of = 0,
                                        .refresh = std::string(RefreshText(node.table->refresh))},
                            .space = nullptr,
                            .set = {},
                            .through = through});
    return Ok();
  }

  void Add(const Table& table, const std::shared_ptr<const PartitionSpace>& space,
           const std::string& action, const PartitionSet& set,
           const std::vector<std::string>& through) {
    if (set.empty()) return;
    result_.sets.push_back(
        {.summary = {.table = table.name,
                     .action = action,
                     .keys = SetText(set, *space, kPieces),
                     .partitions = set.Count(*space),
                     .of = std::max(PartitionsSoFar(*space, start_.as_of), set.Count(*space)),
                     .refresh = std::string(RefreshText(table.refresh))},
         .space = space,
         .set = set,
         .through = through});
  }

  // The partitions of the plan's table from which a set below it is made.
  PartitionSet Origins(const PartitionSet& set, const std::vector<Way>& ways) const {
    PartitionSet origins;
    for (const Way& way : ways) {
      const PartitionSet read = Upstream(set, way.mapping);
      const auto above = ways_.find(way.from->table->name);
      origins = Union(origins, above == ways_.end() ? read : Origins(read, above->second));
    }
    return origins;
  }

  void WarnMixed(const Table& table, const PartitionSpace& below, const PartitionSet& mixed,
                 const std::vector<Way>& ways) {
    Diagnostic warning =
        Warn("P0207", "{} of `{}` would mix old and new logic: {}",
             Plural(mixed.Count(below), "downstream partition", "downstream partitions"),
             table.name, SetText(mixed, below, kPieces));
    for (const Way& way : ways) {
      const PartitionSet kept = Intersection(way.from->left, Upstream(mixed, way.mapping));
      if (kept.empty()) continue;
      const bool one = kept.Count(*way.from->space) == 1;
      warning.notes.push_back(
          fmt::format("{} of `{}` {} current rows, other partitions it reads change",
                      SetText(kept, *way.from->space, kPieces), way.from->table->name,
                      one ? "keeps its" : "keep their"));
    }
    const Change& first = changes_.at(first_);
    const PartitionSet nearest = Difference(first.changed, Origins(mixed, ways));
    const std::string fate = "they are left as they are and listed as stale; ";
    warning.helps.push_back(
        nearest.empty()
            ? fate + "make what they read computable first: no part of this range avoids it"
            : fmt::format("{}the nearest range that avoids it is {}", fate,
                          SetText(nearest, *first.space, kPieces)));
    result_.warnings.push_back(std::move(warning));
  }

  void NoteOpen(const Table& table, const PartitionSpace& below, const PartitionSet& open) {
    const int64_t count = open.Count(below);
    result_.warnings.push_back(Diagnostic{
        .level = Level::kNote,
        .id = "L0102",
        .message = fmt::format("{} of `{}` {} not over yet and left to the schedule: {}",
                               Plural(count, "partition", "partitions"), table.name,
                               count == 1 ? "is" : "are", SetText(open, below, kPieces))});
  }

  const Project& project_;
  const DownstreamStart& start_;
  Session& session_;
  TableGraph graph_;
  std::string first_;  // the table that the walk begins at
  std::map<std::string, Change> changes_;
  std::map<std::string, std::vector<Way>> ways_;
  std::vector<std::shared_ptr<const PartitionSpace>> spaces_;  // what the ways point to
  bool new_logic_ = false;
  DownstreamResult result_;
};

}  // namespace

int64_t PartitionsSoFar(const PartitionSpace& space, absl::Time as_of) {
  if (!space.has_time()) return space.cell_count();
  if (!space.grid().begin()) return 0;
  const Interval past{*space.grid().begin(), space.grid().Floor(as_of)};
  return past.start < past.end ? space.grid().Count(past) * space.cell_count() : 0;
}

std::vector<PlanDownstream> DownstreamResult::Summaries() const {
  std::vector<PlanDownstream> summaries;
  for (const DownstreamSet& each : sets) summaries.push_back(each.summary);
  return summaries;
}

Result<DownstreamResult> FindDownstream(const TableContext& context, const DownstreamStart& start,
                                        Session& session) {
  return Walk(context, start, session).Run();
}

Result<DownstreamResult> FindDownstream(const TableContext& context, const Plan& plan,
                                        Session& session) {
  DownstreamStart start{.changed = plan.ToCompute(),
                        .left = {},
                        .new_code = plan.undoes.empty(),
                        .as_of = plan.as_of};
  for (const PlanRun& run : plan.runs) {
    if (run.action == Action::kBlocked) start.left = Union(start.left, run.set);
  }
  return FindDownstream(context, start, session);
}

}  // namespace retrofill
