#include "engine/downstream.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "model/mapping.h"
#include "model/selection.h"
#include "model/watermark.h"

namespace retrofill {
namespace {

// What changes in a table: N, partitions the plan changes, and B, ones it names but leaves as they
// are.
struct Change {
  PartitionSet changed;
  PartitionSet left;
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

// Walks the table graph from the plan's table downward.
class Walk {
 public:
  Walk(const TableContext& context, const Plan& plan, Session& session)
      : project_(*context.project), plan_(plan), session_(session) {
    for (const PlanRun& run : plan.runs) {
      logic_changes_ |= IsComputed(run.action) && run.why.starts_with("stale:code");
      if (run.action == Action::kBlocked) start_.left = Union(start_.left, run.set);
    }
    start_.changed = plan.ToCompute();
  }

  Result<DownstreamResult> Run() {
    RF_TRY(Visit(plan_.table, *plan_.space, start_));
    return std::move(result_);
  }

 private:
  Status Visit(const std::string& upstream, const PartitionSpace& space, const Change& change) {
    for (const auto& [name, table] : project_.tables) {
      if (name == upstream || name == plan_.table || visited_.contains(name)) continue;
      if (table.connection != project_.tables.at(upstream).connection) continue;
      Result<SqlTemplate> sql = LoadSqlTemplate(project_.folder, table.sql_file);
      if (!sql.ok()) continue;  // `config check` says what is wrong with that table
      Result<std::vector<Input>> inputs = InputsOf(project_, table, *sql);
      if (!inputs.ok()) continue;
      for (const Input& input : *inputs) {
        if (input.table != upstream) continue;
        visited_.insert(name);
        RF_TRY(Reach(table, *sql, input, space, change));
        break;
      }
    }
    return Ok();
  }

  Status Reach(const Table& table, const SqlTemplate& sql, const Input& input,
               const PartitionSpace& space, const Change& change) {
    Result<TransformSides> sides = ResolveSides(project_, table, sql, session_);
    if (!sides.ok())
      return sides.error().code() == ErrorCode::kInternal ? std::move(sides).error() : Status();
    RF_ASSIGN(PartitionSpace below, SpaceOf(table, *sides));
    InputMapping mapping{.upstream = &space,
                         .downstream = &below,
                         .before = input.before,
                         .after = input.after,
                         .within = Within(below)};
    PartitionSet stale = Complete(Downstream(change.changed, mapping), below);
    PartitionSet mixed;
    if (logic_changes_ && !change.left.empty())
      mixed = Intersection(stale, Downstream(change.left, mapping));
    PartitionSet clean = Difference(stale, mixed);
    Add(table, below, "restate", clean);
    Add(table, below, "mixed", mixed);
    if (!mixed.empty()) WarnMixed(table, below, mixed, change, space);
    if (clean.empty() || table.refresh == RefreshPolicy::kNever) return Ok();
    return Visit(table.name, below, Change{.changed = clean, .left = mixed});
  }

  Interval Within(const PartitionSpace& below) const {
    if (!below.has_time()) return PartitionSpace::AllTime();
    return {absl::InfinitePast(), below.grid().Floor(plan_.as_of)};
  }

  // Open and future partitions are left to the schedule.
  PartitionSet Complete(const PartitionSet& set, const PartitionSpace& space) const {
    return ClassifyAt(set, space, plan_.as_of, {}).complete;
  }

  void Add(const Table& table, const PartitionSpace& space, const std::string& action,
           const PartitionSet& set) {
    if (set.empty()) return;
    int64_t of = 0;
    if (!space.has_time()) {
      of = space.cell_count();
    } else if (space.grid().begin()) {
      Interval past{*space.grid().begin(), space.grid().Floor(plan_.as_of)};
      of = past.start < past.end ? space.grid().Count(past) * space.cell_count() : 0;
    }
    result_.tables.push_back({.table = table.name,
                              .action = action,
                              .keys = SetText(set, space, 5),
                              .partitions = set.Count(space),
                              .of = std::max(of, set.Count(space)),
                              .refresh = std::string(RefreshText(table.refresh))});
  }

  void WarnMixed(const Table& table, const PartitionSpace& below, const PartitionSet& mixed,
                 const Change& change, const PartitionSpace& space) {
    Diagnostic warning =
        Warn("P0207", "{} of `{}` would mix old and new logic: {}",
             Plural(mixed.Count(below), "downstream partition", "downstream partitions"),
             table.name, SetText(mixed, below, 5));
    warning.notes.push_back(
        fmt::format("{} of `{}` {} current rows, other partitions it reads change",
                    SetText(change.left, space, 5), plan_.table,
                    change.left.Count(space) == 1 ? "keeps its" : "keep their"));
    warning.helps.push_back(
        "they are left as they are and listed as stale; choose a range that covers their inputs "
        "whole to avoid it");
    result_.warnings.push_back(std::move(warning));
  }

  const Project& project_;
  const Plan& plan_;
  Session& session_;
  Change start_;
  bool logic_changes_ = false;
  std::set<std::string> visited_;
  DownstreamResult result_;
};

}  // namespace

Result<DownstreamResult> FindDownstream(const TableContext& context, const Plan& plan,
                                        Session& session) {
  return Walk(context, plan, session).Run();
}

}  // namespace retrofill
