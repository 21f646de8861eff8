// A plan as JSON (docs/formats/plan.md).

#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "model/plan.h"

namespace retrofill {
namespace {

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
       {"format", kPlanFormat},
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

}  // namespace

std::string PlanCanonicalText(const Plan& plan) { return PlanJson(plan).Canonical(); }

std::string PlanHash(const Plan& plan) { return Sha256Hex(PlanCanonicalText(plan)); }

void SealPlan(Plan& plan) {
  plan.hash = PlanHash(plan);
  Json json = PlanJson(plan);
  json["hash"] = plan.hash;
  plan.text = json.Indented();
}

}  // namespace retrofill
