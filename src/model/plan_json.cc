// The JSON form of a plan (docs/formats/plan.md).

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "model/plan.h"

namespace retrofill {
namespace {

constexpr int64_t kFormat = 1;
const JsonSource kSource{.name = "plan", .id = "P0308", .code = ErrorCode::kRefused};

std::string_view OrderText(Order order) {
  return order == Order::kOldestFirst ? "oldest_first" : "newest_first";
}

std::string_view PublishModeText(PublishMode mode) {
  switch (mode) {
    case PublishMode::kAtEnd:
      return "at_end";
    case PublishMode::kPerPartition:
      return "per_partition";
    case PublishMode::kManual:
      return "manual";
  }
  return "at_end";
}

std::string_view DimensionTypeText(DimensionType type) {
  switch (type) {
    case DimensionType::kText:
      return "text";
    case DimensionType::kInt:
      return "int";
    case DimensionType::kBool:
      return "bool";
  }
  return "text";
}

Json SpaceJson(const Plan& plan) {
  Json dimensions = Json::Array();
  for (const Dimension& dimension : plan.space->dimensions()) {
    Json values = Json::Array();
    for (const DimensionValue& value : dimension.values)
      values.Append(value.text ? Json(*value.text) : Json());
    dimensions.Append(Json::Object({{"name", dimension.name},
                                    {"type", DimensionTypeText(dimension.type)},
                                    {"values", values}}));
  }
  return Json::Object({{"by", plan.described.by},
                       {"bounds", plan.described.bounds},
                       {"civil", plan.space->civil()},
                       {"column", plan.described.column},
                       {"column_kind", plan.described.kind},
                       {"dims", dimensions},
                       {"week_start", plan.described.week_start},
                       {"zone", plan.described.zone},
                       {"zone_db", plan.described.zone_db}});
}

Json RunsJson(const Plan& plan) {
  Json runs = Json::Array();
  std::optional<PartitionSpace> time_only;
  if (plan.space->has_time())
    time_only.emplace(plan.space->grid(), std::vector<Dimension>(), plan.space->civil());
  for (const PlanRun& run : plan.runs) {
    for (const PartitionBlock& block : run.set.blocks()) {
      Json cells = Json::Array();
      for (const CellRange& range : block.cells)
        cells.Append(Json::Array({range.first, range.end}));
      Json times = Json::Array();
      for (const Interval& interval : block.runs) {
        if (!time_only) break;
        const Grid& grid = plan.space->grid();
        Partition first{.interval = grid.Containing(interval.start), .cell = 0};
        Partition last{.interval = grid.Containing(interval.end - absl::Microseconds(1)),
                       .cell = 0};
        times.Append(Json::Array({time_only->KeyText(first), time_only->KeyText(last)}));
      }
      Json entry = Json::Object({{"action", ActionText(run.action)},
                                 {"why", run.why},
                                 {"cells", cells},
                                 {"times", times}});
      if (!run.before.empty()) entry["before"] = run.before;
      runs.Append(std::move(entry));
    }
  }
  return runs;
}

Json PlanJson(const Plan& plan) {
  Json files = Json::Object();
  for (const auto& [path, sum] : plan.pin.files) files[path] = sum;
  Json sources = Json::Object();
  for (const auto& [name, source] : plan.sources) {
    sources[name] = Json::Object(
        {{"schema", source.schema}, {"fingerprint", source.fingerprint}, {"rows", source.rows}});
  }
  Json downstream = Json::Array();
  for (const PlanDownstream& table : plan.downstream) {
    downstream.Append(Json::Object({{"action", table.action},
                                    {"keys", table.keys},
                                    {"of", table.of},
                                    {"partitions", table.partitions},
                                    {"refresh", table.refresh},
                                    {"table", table.table}}));
  }
  Json settings = Json::Object({{"order", OrderText(plan.settings.order)},
                                {"pool", plan.settings.pool},
                                {"publish", PublishModeText(plan.settings.publish)},
                                {"skip_blocked", plan.settings.skip_blocked},
                                {"slots", plan.settings.slots}});
  settings["batch"] = plan.settings.batch ? Json(*plan.settings.batch) : Json("auto");
  Json json = Json::Object(
      {{"as_of", FormatInstant(plan.as_of)},
       {"author", plan.author},
       {"class", TransformClassText(plan.transform_class)},
       {"created", FormatInstant(plan.created)},
       {"downstream", downstream},
       {"estimate", Json::Object({{"basis", plan.estimate_basis},
                                  {"seconds", Json::Array({plan.estimate_seconds_low,
                                                           plan.estimate_seconds_high})},
                                  {"source_rows", plan.estimate_source_rows}})},
       {"format", kFormat},
       {"gates", Json::Object({{"proof", plan.gate_proof}})},
       {"name", plan.name},
       {"pin", Json::Object({{"digest", plan.pin.digest},
                             {"engine", plan.pin.engine},
                             {"files", files},
                             {"retrofill", plan.pin.retrofill},
                             {"sql", Json::Array({plan.pin.sql})},
                             {"vars", Json::Object()}})},
       {"reason", plan.reason},
       {"relation", plan.relation},
       {"runs", RunsJson(plan)},
       {"scope", plan.scope},
       {"settings", settings},
       {"sources", sources},
       {"space", SpaceJson(plan)},
       {"table", plan.table},
       {"target", Json::Object({{"schema", plan.target_schema}, {"strength", plan.strength}})}});
  if (!plan.unreconciled.empty()) json["unreconciled"] = plan.unreconciled;
  if (!plan.undoes.empty()) json["undoes"] = plan.undoes;
  return json;
}

Result<std::vector<Dimension>> ReadDimensions(const Json& space) {
  std::vector<Dimension> dimensions;
  RF_ASSIGN(Json::Items entries, space.ArrayAt("dims", kSource));
  for (const Json& entry : entries) {
    Dimension dimension;
    RF_ASSIGN(dimension.name, entry.Text("name", kSource));
    RF_ASSIGN(std::string type, entry.Text("type", kSource));
    dimension.type = type == "int"    ? DimensionType::kInt
                     : type == "bool" ? DimensionType::kBool
                                      : DimensionType::kText;
    RF_ASSIGN(Json::Items values, entry.ArrayAt("values", kSource));
    for (const Json& value : values) {
      if (value.is_null()) {
        dimension.values.push_back(DimensionValue{});
      } else if (value.is_text()) {
        dimension.values.push_back(DimensionValue{value.text_value()});
      } else {
        return Fail(ErrorCode::kRefused, "P0308",
                    "a value of dimension `{}` in the plan is neither text nor null",
                    dimension.name);
      }
    }
    dimensions.push_back(std::move(dimension));
  }
  return dimensions;
}

Status ReadSpace(const Json& json, Plan& plan) {
  RF_ASSIGN(Json::Members members, json.ObjectAt("space", kSource));
  Json space(std::move(members));
  PlanSpace& described = plan.described;
  RF_ASSIGN(described.by, space.Text("by", kSource));
  RF_ASSIGN(described.bounds, space.Text("bounds", kSource));
  RF_ASSIGN(bool civil, space.Bool("civil", kSource));
  RF_ASSIGN(described.column, space.Text("column", kSource));
  RF_ASSIGN(described.kind, space.Text("column_kind", kSource));
  RF_ASSIGN(described.week_start, space.Text("week_start", kSource));
  RF_ASSIGN(described.zone, space.Text("zone", kSource));
  RF_ASSIGN(described.zone_db, space.Text("zone_db", kSource));
  RF_ASSIGN(std::vector<Dimension> dimensions, ReadDimensions(space));
  std::optional<Grid> grid;
  if (!described.by.empty()) {
    RF_ASSIGN(Zone zone, Zone::Load(described.zone));
    RF_ASSIGN(absl::Weekday week_start, ParseWeekday(described.week_start));
    RF_ASSIGN(
        grid,
        Grid::Make(
            {.by = described.by, .zone = zone, .week_start = week_start, .begin = "", .end = ""}));
  }
  plan.space = std::make_shared<PartitionSpace>(std::move(grid), std::move(dimensions), civil);
  return Ok();
}

Result<int64_t> PairMember(const Json& pair, size_t place) {
  if (!pair.is_array() || pair.size() != 2 || !pair.items()[place].is_integer()) {
    return Fail(ErrorCode::kRefused, "P0308", "a range in the plan is not a pair of integers");
  }
  return pair.items()[place].integer_value();
}

Result<PartitionSet> ReadBlock(const Json& entry, const PartitionSpace& space) {
  std::vector<CellRange> cells;
  RF_ASSIGN(Json::Items ranges, entry.ArrayAt("cells", kSource));
  for (const Json& range : ranges) {
    RF_ASSIGN(int64_t first, PairMember(range, 0));
    RF_ASSIGN(int64_t end, PairMember(range, 1));
    if (first < 0 || first >= end || end > space.cell_count()) {
      return Fail(ErrorCode::kRefused, "P0308",
                  "cells {} to {} of the plan are not among its {} cells", first, end,
                  space.cell_count());
    }
    cells.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(end)});
  }
  std::vector<Interval> runs;
  if (!space.has_time()) {
    runs.push_back({absl::InfinitePast(), absl::InfiniteFuture()});
  } else {
    PartitionSpace time_only(space.grid(), {}, space.civil());
    RF_ASSIGN(Json::Items times, entry.ArrayAt("times", kSource));
    for (const Json& time : times) {
      if (!time.is_array() || time.size() != 2 || !time.items()[0].is_text() ||
          !time.items()[1].is_text()) {
        return Fail(ErrorCode::kRefused, "P0308", "a time range in the plan is not a pair of keys");
      }
      RF_ASSIGN(Partition first, time_only.ParseKey(time.items()[0].text_value()));
      RF_ASSIGN(Partition last, time_only.ParseKey(time.items()[1].text_value()));
      if (last.interval.end <= first.interval.start) {
        return Fail(ErrorCode::kRefused, "P0308", "time range `{}` in the plan is reversed",
                    time.Compact());
      }
      runs.push_back({first.interval.start, last.interval.end});
    }
  }
  if (cells.empty() || runs.empty())
    return Fail(ErrorCode::kRefused, "P0308", "a run of the plan names no partition");
  return PartitionSet::Rectangle(std::move(runs), std::move(cells));
}

Status ReadRuns(const Json& json, Plan& plan) {
  RF_ASSIGN(Json::Items entries, json.ArrayAt("runs", kSource));
  PartitionSet seen;
  for (const Json& entry : entries) {
    RF_ASSIGN(std::string action_text, entry.Text("action", kSource));
    std::optional<Action> action = ParseAction(action_text);
    if (!action)
      return Fail(ErrorCode::kRefused, "P0308", "the plan has the unknown action `{}`",
                  action_text);
    RF_ASSIGN(std::string why, entry.Text("why", kSource));
    RF_ASSIGN(PartitionSet set, ReadBlock(entry, *plan.space));
    if (!Intersection(seen, set).empty())
      return Fail(ErrorCode::kRefused, "P0308", "two runs of the plan share partitions");
    seen = Union(seen, set);
    std::string before = entry.FindText("before").value_or("");
    auto same = std::find_if(plan.runs.begin(), plan.runs.end(), [&](const PlanRun& run) {
      return run.action == *action && run.why == why && run.before == before;
    });
    if (same != plan.runs.end()) {
      same->set = Union(same->set, set);
    } else {
      plan.runs.push_back({.action = *action,
                           .why = std::move(why),
                           .set = std::move(set),
                           .before = std::move(before)});
    }
  }
  return Ok();
}

Status ReadPin(const Json& json, Plan& plan) {
  RF_ASSIGN(Json::Members members, json.ObjectAt("pin", kSource));
  Json pin(std::move(members));
  RF_ASSIGN(plan.pin.digest, pin.Text("digest", kSource));
  RF_ASSIGN(plan.pin.engine, pin.Text("engine", kSource));
  RF_ASSIGN(plan.pin.retrofill, pin.Text("retrofill", kSource));
  RF_ASSIGN(std::vector<std::string> sql, pin.Texts("sql", kSource));
  if (!sql.empty()) plan.pin.sql = sql[0];
  RF_ASSIGN(Json::Members files, pin.ObjectAt("files", kSource));
  for (const auto& [path, sum] : files) {
    if (sum.is_text()) plan.pin.files[path] = sum.text_value();
  }
  return Ok();
}

Status ReadSettings(const Json& json, Plan& plan) {
  RF_ASSIGN(Json::Members members, json.ObjectAt("settings", kSource));
  Json settings(std::move(members));
  RF_ASSIGN(std::string order, settings.Text("order", kSource));
  RF_ASSIGN(std::string publish, settings.Text("publish", kSource));
  RF_ASSIGN(plan.settings.pool, settings.Text("pool", kSource));
  RF_ASSIGN(plan.settings.skip_blocked, settings.Bool("skip_blocked", kSource));
  RF_ASSIGN(int64_t slots, settings.Integer("slots", kSource));
  plan.settings.slots = static_cast<int>(slots);
  plan.settings.order = order == "newest_first" ? Order::kNewestFirst : Order::kOldestFirst;
  plan.settings.publish = publish == "manual"          ? PublishMode::kManual
                          : publish == "per_partition" ? PublishMode::kPerPartition
                                                       : PublishMode::kAtEnd;
  if (std::optional<int64_t> batch = settings.FindInteger("batch"))
    plan.settings.batch = static_cast<int>(*batch);
  return Ok();
}

Status ReadLists(const Json& json, Plan& plan) {
  RF_ASSIGN(Json::Members sources, json.ObjectAt("sources", kSource));
  for (const auto& [name, entry] : sources) {
    PlanSource source;
    RF_ASSIGN(source.schema, entry.Text("schema", kSource));
    RF_ASSIGN(source.fingerprint, entry.Text("fingerprint", kSource));
    RF_ASSIGN(source.rows, entry.Integer("rows", kSource));
    plan.sources[name] = std::move(source);
  }
  RF_ASSIGN(Json::Items downstream, json.ArrayAt("downstream", kSource));
  for (const Json& entry : downstream) {
    PlanDownstream table;
    RF_ASSIGN(table.action, entry.Text("action", kSource));
    RF_ASSIGN(table.keys, entry.Text("keys", kSource));
    RF_ASSIGN(table.of, entry.Integer("of", kSource));
    RF_ASSIGN(table.partitions, entry.Integer("partitions", kSource));
    RF_ASSIGN(table.refresh, entry.Text("refresh", kSource));
    RF_ASSIGN(table.table, entry.Text("table", kSource));
    plan.downstream.push_back(std::move(table));
  }
  return Ok();
}

Status ReadEstimate(const Json& json, Plan& plan) {
  RF_ASSIGN(Json::Members members, json.ObjectAt("estimate", kSource));
  Json estimate(std::move(members));
  RF_ASSIGN(plan.estimate_basis, estimate.Text("basis", kSource));
  RF_ASSIGN(plan.estimate_source_rows, estimate.Integer("source_rows", kSource));
  RF_ASSIGN(Json::Items seconds, estimate.ArrayAt("seconds", kSource));
  RF_ASSIGN(plan.estimate_seconds_low, PairMember(Json(seconds), 0));
  RF_ASSIGN(plan.estimate_seconds_high, PairMember(Json(seconds), 1));
  return Ok();
}

Status ReadHead(const Json& json, Plan& plan) {
  RF_ASSIGN(plan.author, json.Text("author", kSource));
  RF_ASSIGN(plan.name, json.Text("name", kSource));
  RF_ASSIGN(plan.reason, json.Text("reason", kSource));
  RF_ASSIGN(plan.relation, json.Text("relation", kSource));
  RF_ASSIGN(plan.scope, json.Text("scope", kSource));
  RF_ASSIGN(plan.table, json.Text("table", kSource));
  RF_ASSIGN(std::string as_of, json.Text("as_of", kSource));
  RF_ASSIGN(plan.as_of, ParseInstant(as_of));
  RF_ASSIGN(std::string created, json.Text("created", kSource));
  RF_ASSIGN(plan.created, ParseInstant(created));
  RF_ASSIGN(std::string transform_class, json.Text("class", kSource));
  plan.transform_class = transform_class == "sequential"    ? TransformClass::kSequential
                         : transform_class == "whole-table" ? TransformClass::kWholeTable
                                                            : TransformClass::kWindowed;
  RF_ASSIGN(Json::Members target, json.ObjectAt("target", kSource));
  RF_ASSIGN(plan.target_schema, Json(target).Text("schema", kSource));
  RF_ASSIGN(plan.strength, Json(target).Text("strength", kSource));
  RF_ASSIGN(Json::Members gates, json.ObjectAt("gates", kSource));
  RF_ASSIGN(plan.gate_proof, Json(gates).Text("proof", kSource));
  plan.unreconciled = json.FindText("unreconciled").value_or("");
  plan.undoes = json.FindText("undoes").value_or("");
  return Ok();
}

}  // namespace

std::string PlanCanonicalText(const Plan& plan) { return PlanJson(plan).Canonical(); }

std::string PlanHash(const Plan& plan) { return Sha256Hex(PlanCanonicalText(plan)); }

std::string PlanFileText(const Plan& plan) {
  Json json = PlanJson(plan);
  json["hash"] = plan.hash;
  return json.Indented();
}

Result<Plan> ParsePlan(std::string_view text) {
  RF_ASSIGN(Json json, Json::Parse(text, kSource));
  RF_ASSIGN(int64_t format, json.Integer("format", kSource));
  if (format != kFormat) {
    return Fail(ErrorCode::kRefused, "P0308",
                "plan format {} is unknown, this version reads format {}", format, kFormat)
        .Help("plan again with this version of retrofill");
  }
  RF_ASSIGN(std::string hash, json.Text("hash", kSource));
  json.Remove("hash");
  std::string found = Sha256Hex(json.Canonical());
  if (found != hash) {
    return Fail(ErrorCode::kRefused, "P0308",
                "the plan was changed after it was made: its hash says `{}`, its content `{}`",
                hash.substr(0, 8), found.substr(0, 8))
        .Help("plan again; a plan is never edited by hand");
  }
  Plan plan;
  plan.hash = std::move(hash);
  RF_TRY(ReadHead(json, plan));
  RF_TRY(ReadSpace(json, plan));
  RF_TRY(ReadRuns(json, plan));
  RF_TRY(ReadPin(json, plan));
  RF_TRY(ReadSettings(json, plan));
  RF_TRY(ReadLists(json, plan));
  RF_TRY(ReadEstimate(json, plan));
  return plan;
}

}  // namespace retrofill
