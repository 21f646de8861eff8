#include "engine/planner.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "base/text.h"
#include "engine/downstream.h"
#include "engine/pool_slots.h"
#include "engine/readiness.h"
#include "model/mapping.h"

namespace retrofill {
namespace {

// Health of the partitions that a state word asks about.
class StateLookup {
 public:
  StateLookup(const TableContext& context, absl::Time as_of, const KnownFailures& known,
              Session& session)
      : context_(context), as_of_(as_of), known_(known), session_(session) {}

  Result<PartitionSet> Find(std::string_view state, const PartitionSet& within) {
    RF_ASSIGN(std::vector<PartitionHealth> health, Judge(within));
    std::vector<Partition> chosen;
    for (const PartitionHealth& entry : health) {
      bool match = state == "blocked" ? !entry.blocked.empty() : HealthText(entry.health) == state;
      if (match) chosen.push_back(entry.partition);
    }
    return PartitionSet::Of(*context_.space, std::move(chosen));
  }

 private:
  Result<std::vector<PartitionHealth>> Judge(const PartitionSet& within) {
    RF_ASSIGN(Observation seen, Observe(context_, within, session_));
    using Blocked = std::map<std::string, std::string>;
    RF_ASSIGN(Blocked blocked, FindBlocked(context_, within, as_of_, session_));
    return JudgeHealth(
        context_, within,
        {.seen = &seen, .blocked = &blocked, .failed = &known_.failed, .unknown = &known_.unknown});
  }

  const TableContext& context_;
  absl::Time as_of_;
  const KnownFailures& known_;
  Session& session_;
};

TransformClass ClassOf(const TableContext& context) {
  const Table& table = *context.table;
  if (!context.space->has_time() && context.space->dimensions().empty())
    return TransformClass::kWholeTable;
  if (table.self_reference || context.sql.Uses(PlaceholderKind::kThis))
    return TransformClass::kSequential;
  for (const TransformInput& input : context.sides.inputs) {
    if (input.own) return TransformClass::kSequential;
  }
  return TransformClass::kWindowed;
}

Status CheckTable(const TableContext& context, const PlanRequest& request) {
  const Table& table = *context.table;
  bool tied = std::any_of(table.rules.begin(), table.rules.end(),
                          [](const Rule& rule) { return rule.reads_source(); });
  if (!tied && !table.unreconciled) {
    return Fail(ErrorCode::kRefused, "R0101", "no rule of `{}` ties its result to its source",
                table.name)
        .At(table.origin)
        .Help(
            "add one, such as `reconcile: [{count: {source: \"count(*)\", target: "
            "\"sum(orders)\"}}]`")
        .Help("or say why none can be: `unreconciled: REASON`");
  }
  TransformClass transform_class = ClassOf(context);
  if (transform_class == TransformClass::kSequential && request.order == Order::kNewestFirst) {
    return Fail(ErrorCode::kRefused, "P0205",
                "`{}` reads its own earlier partitions, so it cannot run newest first", table.name)
        .Help("leave out --order newest_first");
  }
  bool all = request.selection.words.size() == 1 && request.selection.words[0] == "all";
  if (transform_class == TransformClass::kWholeTable && !all && !request.selection.empty()) {
    return Fail(ErrorCode::kRefused, "P0204",
                "`{}` is computed as a whole; a part of it cannot be planned", table.name)
        .Help("plan `all`");
  }
  if (!IsPlanName(request.name)) {
    return Fail(ErrorCode::kInvalid, "C0103", "`{}` is no plan name", request.name)
        .Help("use 1 to 63 of a-z, 0-9, `.`, `_`, `-`, beginning with a letter or digit");
  }
  return Ok();
}

struct Decision {
  Action action;
  std::string why;
};

Decision Decide(const PartitionHealth& health, bool force) {
  if (!health.blocked.empty()) return {Action::kBlocked, health.blocked};
  bool rows = health.target_rows > 0;
  switch (health.health) {
    case Health::kOk:
      if (!health.recorded) return {Action::kFill, "empty"};
      if (force) return {rows ? Action::kRestate : Action::kFill, "forced"};
      return {Action::kSkip, "ok"};
    case Health::kMissing:
      return {Action::kFill, "missing"};
    case Health::kStale:
      return {rows ? Action::kRestate : Action::kFill, "stale:" + Join(health.reasons, ",")};
    case Health::kChanged:
      return {rows ? Action::kRestate : Action::kFill, "changed"};
    case Health::kFailed:
      return {rows ? Action::kRestate : Action::kFill, "failed"};
    case Health::kUnknown:
      return {rows ? Action::kRestate : Action::kFill, "unknown"};
  }
  return {Action::kRestate, "unknown"};
}

std::vector<PlanRun> RunsOf(const TableContext& context, const std::vector<PartitionHealth>& health,
                            const Baseline& baseline, bool force) {
  struct Group {
    std::vector<Partition> partitions;
    std::vector<BeforeLine> before;
  };
  std::map<std::pair<Action, std::string>, Group> groups;
  for (const PartitionHealth& entry : health) {
    Decision decision = Decide(entry, force);
    Group& group = groups[{decision.action, decision.why}];
    group.partitions.push_back(entry.partition);
    std::string part = context.space->IdentityText(entry.partition);
    Fingerprint live = baseline.Of(part);
    group.before.push_back({.identity = part,
                            .fingerprint = live.n == 0 ? "" : FingerprintText(live),
                            .rows = live.n});
  }
  std::vector<PlanRun> runs;
  for (auto& [key, group] : groups) {
    runs.push_back({.action = key.first,
                    .why = key.second,
                    .set = PartitionSet::Of(*context.space, std::move(group.partitions)),
                    .before = BeforeDigest(group.before)});
  }
  return runs;
}

int64_t CountAction(const std::vector<PlanRun>& runs, const PartitionSpace& space, Action action) {
  int64_t count = 0;
  for (const PlanRun& run : runs) {
    if (run.action == action) count += run.set.Count(space);
  }
  return count;
}

Status CheckRuns(const TableContext& context, const std::vector<PlanRun>& runs) {
  const PartitionSpace& space = *context.space;
  int64_t compute =
      CountAction(runs, space, Action::kFill) + CountAction(runs, space, Action::kRestate);
  if (compute > 0 || CountAction(runs, space, Action::kSkip) > 0) return Ok();
  std::vector<std::string> reasons;
  for (const PlanRun& run : runs)
    reasons.push_back(fmt::format("{} {}", GroupDigits(run.set.Count(space)), run.why));
  return Fail(ErrorCode::kRefused, "P0201", "nothing can be computed: {}", Join(reasons, ", "))
      .Help("choose partitions whose intervals are over and whose sources still hold them");
}

std::string BoundsHash(const TableContext& context, const PartitionSet& set) {
  if (!context.space->has_time()) return "";
  std::string text;
  absl::Time last = absl::InfinitePast();
  for (const Partition& partition : set.Partitions(*context.space)) {
    if (partition.interval.start == last) continue;
    last = partition.interval.start;
    text += fmt::format("{}..{}\n", absl::ToUnixSeconds(partition.interval.start),
                        absl::ToUnixSeconds(partition.interval.end));
  }
  return Sha256Hex(text).substr(0, 16);
}

std::string KindText(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kDate:
      return "date";
    case ColumnKind::kTimestampLocal:
      return "timestamp local";
    case ColumnKind::kTimestampUtc:
      return "timestamp utc";
    case ColumnKind::kTimestampTz:
      return "timestamp with zone";
    case ColumnKind::kEpochSeconds:
      return "epoch s";
    case ColumnKind::kEpochMillis:
      return "epoch ms";
    case ColumnKind::kEpochMicros:
      return "epoch us";
    case ColumnKind::kEpochNanos:
      return "epoch ns";
    case ColumnKind::kYyyymmdd:
      return "yyyymmdd";
  }
  return "date";
}

PlanSpace DescribeSpace(const TableContext& context, const PartitionSet& set) {
  PlanSpace described;
  if (context.space->has_time()) {
    described.by = context.space->grid().by();
    described.zone = context.space->grid().zone().name();
    described.zone_db = context.zone_db;
    described.week_start = Lower(context.table->partition->week_start);
  }
  if (context.sides.target.time) {
    described.column = context.sides.target.time->name;
    described.kind = KindText(context.sides.target.time->kind);
  }
  described.bounds = BoundsHash(context, set);
  return described;
}

// Versions of all inputs over the planned range, as one short digest each.
std::map<std::string, PlanSource> DescribeSources(const TableContext& context,
                                                  const Observation& seen) {
  std::map<std::string, PlanSource> sources;
  for (const TransformInput& input : context.sides.inputs) {
    if (input.own) continue;
    std::string text;
    std::set<std::string> versions;
    for (const auto& [partition, inputs] : seen.inputs) {
      auto found = inputs.find(input.name);
      if (found != inputs.end() && (input.windowed() || versions.empty()))
        text += found->second + "\n";
      if (found != inputs.end()) versions.insert(found->second);
    }
    PlanSource source{
        .schema = ShapeHash(input.shape), .fingerprint = Sha256Hex(text).substr(0, 16), .rows = 0};
    sources[input.name] = std::move(source);
  }
  for (const TransformInput& input : context.sides.inputs) {
    if (input.own || !input.windowed()) continue;
    for (const auto& [partition, rows] : seen.source_rows) sources[input.name].rows += rows;
    break;  // counts are those of the first windowed input
  }
  return sources;
}

// A guess from row counts alone, good to a factor of ten: the canary replaces it.
void Estimate(const Observation& seen, Plan& plan) {
  constexpr int64_t kFastRowsPerSecond = 5'000'000;
  constexpr int64_t kSlowRowsPerSecond = 500'000;
  PartitionSet compute = plan.ToCompute();
  for (const auto& [partition, rows] : seen.source_rows) {
    if (compute.Contains(partition)) plan.estimate_source_rows += rows;
  }
  plan.estimate_seconds_low = plan.estimate_source_rows / kFastRowsPerSecond;
  plan.estimate_seconds_high = plan.estimate_source_rows / kSlowRowsPerSecond + 1;
  plan.estimate_basis = "row counts";
}

PlanSettings SettingsOf(const TableContext& context, const PlanRequest& request) {
  const Table& table = *context.table;
  PlanSettings settings;
  settings.publish = table.publish;
  settings.order = request.order.value_or(table.order);
  settings.pool = table.pool;
  settings.slots = request.slots.value_or(SlotsOfPool(*context.project, table.pool));
  settings.skip_blocked = request.skip_blocked;
  settings.batch = table.batch;
  return settings;
}

void Warnings(const TableContext& context, const Plan& plan, PlanResult& result) {
  const PartitionSpace& space = *context.space;
  if (context.table->grain.empty()) {
    Diagnostic warning =
        Warn("P0209", "`{}` declares no grain: nothing checks that a row is there once",
             context.table->name);
    warning.helps.push_back("add `grain: [COLUMN, ...]`");
    result.warnings.push_back(std::move(warning));
  }
  for (const PlanRun& run : plan.runs) {
    if (run.action != Action::kBlocked || run.why != "expired") continue;
    Diagnostic warning = Warn("P0210", "{} expired in a source: {}",
                              Plural(run.set.Count(space), "partition is", "partitions are"),
                              SetText(run.set, space, 5));
    warning.notes.push_back("their rows in the target stay as they are");
    result.warnings.push_back(std::move(warning));
  }
  if (plan.transform_class != TransformClass::kSequential || !space.has_time()) return;
  PartitionSet later =
      LaterPartitions(plan.ToCompute(), space, space.grid().Floor(Watermark(context, plan.as_of)));
  if (!later.empty()) {
    Diagnostic warning =
        Warn("P0206", "{} on the planned ones and become stale: {}",
             Plural(later.Count(space), "later partition depends", "later partitions depend"),
             SetText(later, space, 5));
    warning.helps.push_back("plan up to the newest partition to leave none behind");
    result.warnings.push_back(std::move(warning));
  }
}

Plan Assemble(const TableContext& context, const PlanRequest& request, const Observation& seen,
              const Selection& selection, std::vector<PlanRun> runs) {
  Plan plan;
  plan.name = request.name;
  plan.author = request.author;
  plan.reason = request.reason;
  plan.created = request.created;
  plan.as_of = request.as_of;
  plan.table = context.table->name;
  plan.relation = context.table->relation;
  plan.transform_class = ClassOf(context);
  plan.scope = plan.transform_class == TransformClass::kWholeTable ? "whole table" : "range";
  plan.described = DescribeSpace(context, selection.set);
  plan.space = context.space;
  plan.runs = std::move(runs);
  plan.pin.files[context.table->sql_file] = Sha256Hex(context.sql.text);
  plan.pin.sql = context.sql.text;
  plan.pin.digest = context.digest;
  plan.pin.retrofill = request.version;
  plan.pin.engine = request.engine;
  plan.sources = DescribeSources(context, seen);
  plan.target_schema = context.target_exists ? ShapeHash(context.shape) : "";
  plan.strength = request.strength;
  plan.settings = SettingsOf(context, request);
  if (plan.transform_class == TransformClass::kSequential) plan.settings.slots = 1;
  plan.gate_proof = fmt::format("{}d", absl::ToInt64Hours(context.table->require_proof) / 24);
  plan.unreconciled = context.table->unreconciled.value_or("");
  Estimate(seen, plan);
  return plan;
}

}  // namespace

Result<Selection> Select(const TableContext& context, const SelectionArguments& arguments,
                         absl::Time as_of, const KnownFailures& known, Session& session) {
  StateLookup lookup(context, as_of, known, session);
  SelectionContext selection{
      .space = context.space.get(),
      .table = context.table->name,
      .as_of = as_of,
      .watermark = Watermark(context, as_of),
      .state = [&lookup](std::string_view state, const PartitionSet& within) {
        return lookup.Find(state, within);
      }};
  return ResolveSelection(arguments, selection);
}

Result<PlanResult> MakePlan(const TableContext& context, const PlanRequest& request,
                            const KnownFailures& known, Session& session) {
  RF_TRY(CheckTable(context, request));
  PlanResult result;
  RF_ASSIGN(result.selection, Select(context, request.selection, request.as_of, known, session));
  result.warnings = result.selection.warnings;
  if (result.selection.set.empty()) return result;
  const PartitionSet& set = result.selection.set;
  if (set.Count(*context.space) > kMaxPartitions) {
    return Fail(ErrorCode::kRefused, "P0212",
                "the selection names {} partitions, a plan holds {} at most",
                GroupDigits(set.Count(*context.space)), GroupDigits(kMaxPartitions))
        .Help("plan a shorter range");
  }
  result.echo = EchoLines(set, *context.space);
  RF_ASSIGN(Observation seen, Observe(context, set, session));
  RF_ASSIGN(result.blocked, FindBlocked(context, set, request.as_of, session));
  result.baseline = MakeBaseline(*context.space, seen);
  result.unassigned = seen.unassigned();
  result.health = JudgeHealth(context, set,
                              {.seen = &seen,
                               .blocked = &result.blocked,
                               .failed = &known.failed,
                               .unknown = &known.unknown});
  std::vector<PlanRun> runs = RunsOf(context, result.health, result.baseline, request.force);
  RF_CHECK(Covers(runs, set, *context.space), "every selected partition is in one run");
  RF_TRY(CheckRuns(context, runs));
  Plan plan = Assemble(context, request, seen, result.selection, std::move(runs));
  if (plan.ToCompute().empty()) return result;  // all of it is right already
  RF_ASSIGN(DownstreamResult downstream, FindDownstream(context, plan, session));
  plan.downstream = downstream.Summaries();
  result.downstream = plan.downstream;
  Warnings(context, plan, result);
  for (Diagnostic& warning : downstream.warnings) result.warnings.push_back(std::move(warning));
  SealPlan(plan);
  result.plan = std::move(plan);
  return result;
}

}  // namespace retrofill
