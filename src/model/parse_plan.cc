// A plan read from JSON (docs/formats/plan.md). It may come from anywhere: whatever would stop or
// mislead a run later is refused here, before anything is stored.

#include <algorithm>
#include <initializer_list>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "model/plan.h"

namespace retrofill {
namespace {

constexpr int64_t kLargestSetting = 1'000'000;  // slots, partitions of a batch
const JsonSource kSource{.name = "plan", .id = "P0308", .code = ErrorCode::kRefused};

template <typename... Args>
Error Wrong(fmt::format_string<Args...> format, Args&&... args) {
  return Fail(ErrorCode::kRefused, "P0308", format, std::forward<Args>(args)...)
      .Help("plan again; a plan is never edited by hand");
}

// What others say of a value is said of the plan that holds it.
template <typename T>
Result<T> OfPlan(Result<T> result, std::string_view what) {
  if (result.ok()) return result;
  return Wrong("{} of the plan: {}", what, result.error().message());
}

// The value that a member's word stands for.
template <typename T>
Result<T> Choice(const Json& json, std::string_view key,
                 std::initializer_list<std::pair<std::string_view, T>> choices) {
  RF_ASSIGN(const std::string text, json.Text(key, kSource));
  std::vector<std::string> words;
  for (const auto& [word, value] : choices) {
    if (word == text) return value;
    words.emplace_back(word);
  }
  return Wrong("`{}` of the plan is `{}`, and this version knows: {}", key, text,
               Join(words, ", "));
}

Result<int64_t> IntegerFrom(const Json& json, std::string_view key, int64_t least,
                            int64_t most = kMaxJsonInteger) {
  RF_ASSIGN(const int64_t value, json.Integer(key, kSource));
  if (value >= least && value <= most) return value;
  return Wrong("`{}` of the plan is {}, which is not from {} to {}", key, value, least, most);
}

Result<std::string> FilledText(const Json& json, std::string_view key) {
  RF_ASSIGN(std::string text, json.Text(key, kSource));
  if (text.empty()) return Wrong("`{}` of the plan is empty", key);
  return text;
}

// A member that need not be there.
Result<std::string> TextOrNone(const Json& json, std::string_view key) {
  if (!json.Has(key)) return std::string();
  return json.Text(key, kSource);
}

Result<absl::Time> InstantAt(const Json& json, std::string_view key) {
  RF_ASSIGN(const std::string text, json.Text(key, kSource));
  return OfPlan(ParseInstant(text), fmt::format("`{}`", key));
}

Result<Json> ObjectOf(const Json& json, std::string_view key) {
  RF_ASSIGN(Json::Members members, json.ObjectAt(key, kSource));
  return Json(std::move(members));
}

Result<Dimension> ReadDimension(const Json& entry) {
  Dimension dimension;
  RF_ASSIGN(dimension.name, FilledText(entry, "name"));
  RF_ASSIGN(dimension.type, Choice<DimensionType>(entry, "type",
                                                  {{"text", DimensionType::kText},
                                                   {"int", DimensionType::kInt},
                                                   {"bool", DimensionType::kBool}}));
  RF_ASSIGN(const Json::Items values, entry.ArrayAt("values", kSource));
  for (const Json& value : values) {
    if (value.is_null()) {
      dimension.values.emplace_back();
    } else if (value.is_text()) {
      dimension.values.push_back(DimensionValue{value.text_value()});
    } else {
      return Wrong("a value of dimension `{}` in the plan is neither text nor null",
                   dimension.name);
    }
  }
  return dimension;
}

Result<std::vector<Dimension>> ReadDimensions(const Json& space) {
  std::vector<Dimension> dimensions;
  RF_ASSIGN(const Json::Items entries, space.ArrayAt("dims", kSource));
  for (const Json& entry : entries) {
    RF_ASSIGN(Dimension dimension, ReadDimension(entry));
    for (const Dimension& other : dimensions) {
      if (other.name == dimension.name)
        return Wrong("the plan has the dimension `{}` twice", dimension.name);
    }
    dimensions.push_back(std::move(dimension));
  }
  RF_TRY(OfPlan(CheckDimensions(dimensions), "`dims`"));
  return dimensions;
}

Status ReadSpace(const Json& json, Plan& plan) {
  RF_ASSIGN(const Json space, ObjectOf(json, "space"));
  PlanSpace& described = plan.described;
  RF_ASSIGN(described.by, space.Text("by", kSource));
  RF_ASSIGN(described.bounds, space.Text("bounds", kSource));
  RF_ASSIGN(const bool civil, space.Bool("civil", kSource));
  RF_ASSIGN(described.column, space.Text("column", kSource));
  RF_ASSIGN(described.kind, space.Text("column_kind", kSource));
  RF_ASSIGN(described.week_start, space.Text("week_start", kSource));
  RF_ASSIGN(described.zone, space.Text("zone", kSource));
  RF_ASSIGN(described.zone_db, space.Text("zone_db", kSource));
  RF_ASSIGN(std::vector<Dimension> dimensions, ReadDimensions(space));
  std::optional<Grid> grid;
  if (!described.by.empty()) {
    RF_ASSIGN(const Zone zone, OfPlan(Zone::Load(described.zone), "`zone`"));
    RF_ASSIGN(const absl::Weekday week_start,
              OfPlan(ParseWeekday(described.week_start), "`week_start`"));
    RF_ASSIGN(grid, OfPlan(Grid::Make({.by = described.by,
                                       .zone = zone,
                                       .week_start = week_start,
                                       .begin = "",
                                       .end = ""}),
                           "`by`"));
  }
  plan.space = std::make_shared<PartitionSpace>(std::move(grid), std::move(dimensions), civil);
  return Ok();
}

Result<int64_t> PairMember(const Json& pair, size_t place) {
  if (!pair.is_array() || pair.size() != 2 || !pair.items()[place].is_integer())
    return Wrong("a range in the plan is not a pair of integers");
  return pair.items()[place].integer_value();
}

// Ranges of one entry stand in order and share nothing.
Result<std::vector<CellRange>> ReadCells(const Json& entry, const PartitionSpace& space) {
  std::vector<CellRange> cells;
  RF_ASSIGN(const Json::Items ranges, entry.ArrayAt("cells", kSource));
  int64_t free = 0;
  for (const Json& range : ranges) {
    RF_ASSIGN(const int64_t first, PairMember(range, 0));
    RF_ASSIGN(const int64_t end, PairMember(range, 1));
    if (first < 0 || first >= end || end > space.cell_count())
      return Wrong("cells {} to {} of the plan are not among its {} cells", first, end,
                   space.cell_count());
    if (first < free) return Wrong("cells {} to {} stand twice in a run of the plan", first, end);
    free = end;
    cells.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(end)});
  }
  return cells;
}

Result<Interval> ReadTimes(const Json& pair, const PartitionSpace& time_only) {
  if (!pair.is_array() || pair.size() != 2 || !pair.items()[0].is_text() ||
      !pair.items()[1].is_text())
    return Wrong("a time range in the plan is not a pair of keys");
  RF_ASSIGN(const Partition first,
            OfPlan(time_only.ParseKey(pair.items()[0].text_value()), "`times`"));
  RF_ASSIGN(const Partition last,
            OfPlan(time_only.ParseKey(pair.items()[1].text_value()), "`times`"));
  if (last.interval.end <= first.interval.start)
    return Wrong("time range `{}` in the plan is reversed", pair.Compact());
  return Interval{first.interval.start, last.interval.end};
}

Result<PartitionSet> ReadBlock(const Json& entry, const PartitionSpace& space) {
  RF_ASSIGN(std::vector<CellRange> cells, ReadCells(entry, space));
  std::vector<Interval> runs;
  if (!space.has_time()) {
    runs.push_back(PartitionSpace::AllTime());
  } else {
    const PartitionSpace time_only(space.grid(), {}, space.civil());
    RF_ASSIGN(const Json::Items times, entry.ArrayAt("times", kSource));
    for (const Json& pair : times) {
      RF_ASSIGN(const Interval run, ReadTimes(pair, time_only));
      if (!runs.empty() && run.start < runs.back().end)
        return Wrong("time range `{}` stands twice in a run of the plan", pair.Compact());
      runs.push_back(run);
    }
  }
  if (cells.empty() || runs.empty()) return Wrong("a run of the plan names no partition");
  return PartitionSet::Rectangle(std::move(runs), std::move(cells));
}

Status ReadRuns(const Json& json, Plan& plan) {
  RF_ASSIGN(const Json::Items entries, json.ArrayAt("runs", kSource));
  if (entries.empty()) return Wrong("the plan has no runs");
  std::map<std::tuple<Action, std::string, std::string>, size_t> places;
  std::vector<std::vector<PartitionSet>> blocks;
  int64_t count = 0;
  for (const Json& entry : entries) {
    RF_ASSIGN(const Action action, Choice<Action>(entry, "action",
                                                  {{"fill", Action::kFill},
                                                   {"restate", Action::kRestate},
                                                   {"skip", Action::kSkip},
                                                   {"blocked", Action::kBlocked}}));
    RF_ASSIGN(std::string why, entry.Text("why", kSource));
    RF_ASSIGN(std::string before, TextOrNone(entry, "before"));
    RF_ASSIGN(PartitionSet set, ReadBlock(entry, *plan.space));
    count += set.Count(*plan.space);
    if (count > kMaxPartitions)
      return Wrong("the plan names more than {} partitions", GroupDigits(kMaxPartitions));
    const auto [place, fresh] = places.try_emplace({action, why, before}, plan.runs.size());
    if (fresh) {
      plan.runs.push_back({.action = action, .why = why, .set = {}, .before = before});
      blocks.emplace_back();
    }
    blocks[place->second].push_back(std::move(set));
  }
  std::vector<PartitionSet> sets;
  for (size_t i = 0; i < blocks.size(); ++i) {
    plan.runs[i].set = Union(blocks[i]);
    sets.push_back(plan.runs[i].set);
  }
  if (Union(sets).Count(*plan.space) != count)
    return Wrong("two runs of the plan share partitions");
  return Ok();
}

Status ReadPin(const Json& json, Plan& plan) {
  RF_ASSIGN(const Json pin, ObjectOf(json, "pin"));
  RF_ASSIGN(plan.pin.digest, FilledText(pin, "digest"));
  RF_ASSIGN(plan.pin.engine, pin.Text("engine", kSource));
  RF_ASSIGN(plan.pin.retrofill, pin.Text("retrofill", kSource));
  RF_ASSIGN(const std::vector<std::string> sql, pin.Texts("sql", kSource));
  if (sql.size() != 1) return Wrong("the plan pins {} statements, and it has one", sql.size());
  plan.pin.sql = sql[0];
  RF_ASSIGN(const Json files, ObjectOf(pin, "files"));
  if (files.empty()) return Wrong("the plan pins no file");
  for (const auto& [path, sum] : files.members()) {
    RF_ASSIGN(plan.pin.files[path], files.Text(path, kSource));
  }
  return Ok();
}

Status ReadSettings(const Json& json, Plan& plan) {
  RF_ASSIGN(const Json settings, ObjectOf(json, "settings"));
  RF_ASSIGN(plan.settings.pool, settings.Text("pool", kSource));
  RF_ASSIGN(plan.settings.skip_blocked, settings.Bool("skip_blocked", kSource));
  RF_ASSIGN(plan.settings.order, Choice<Order>(settings, "order",
                                               {{"oldest_first", Order::kOldestFirst},
                                                {"newest_first", Order::kNewestFirst}}));
  RF_ASSIGN(plan.settings.publish,
            Choice<PublishMode>(settings, "publish",
                                {{"at_end", PublishMode::kAtEnd},
                                 {"per_partition", PublishMode::kPerPartition},
                                 {"manual", PublishMode::kManual}}));
  RF_ASSIGN(const int64_t slots, IntegerFrom(settings, "slots", 1, kLargestSetting));
  plan.settings.slots = static_cast<int>(slots);
  if (settings.FindText("batch") == "auto") return Ok();
  RF_ASSIGN(const int64_t batch, IntegerFrom(settings, "batch", 1, kLargestSetting));
  plan.settings.batch = static_cast<int>(batch);
  return Ok();
}

Status ReadSources(const Json& json, Plan& plan) {
  RF_ASSIGN(const Json sources, ObjectOf(json, "sources"));
  for (const auto& [name, entry] : sources.members()) {
    PlanSource source;
    RF_ASSIGN(source.schema, entry.Text("schema", kSource));
    RF_ASSIGN(source.fingerprint, entry.Text("fingerprint", kSource));
    RF_ASSIGN(source.rows, IntegerFrom(entry, "rows", 0));
    plan.sources[name] = std::move(source);
  }
  return Ok();
}

Status ReadDownstream(const Json& json, Plan& plan) {
  RF_ASSIGN(const Json::Items downstream, json.ArrayAt("downstream", kSource));
  for (const Json& entry : downstream) {
    PlanDownstream table;
    RF_ASSIGN(table.action, FilledText(entry, "action"));
    RF_ASSIGN(table.keys, entry.Text("keys", kSource));
    RF_ASSIGN(table.of, IntegerFrom(entry, "of", 0));
    RF_ASSIGN(table.partitions, IntegerFrom(entry, "partitions", 0));
    RF_ASSIGN(table.refresh, FilledText(entry, "refresh"));
    RF_ASSIGN(table.table, FilledText(entry, "table"));
    plan.downstream.push_back(std::move(table));
  }
  return Ok();
}

Status ReadEstimate(const Json& json, Plan& plan) {
  RF_ASSIGN(const Json estimate, ObjectOf(json, "estimate"));
  RF_ASSIGN(plan.estimate_basis, estimate.Text("basis", kSource));
  RF_ASSIGN(plan.estimate_source_rows, IntegerFrom(estimate, "source_rows", 0));
  RF_ASSIGN(Json::Items seconds, estimate.ArrayAt("seconds", kSource));
  const Json pair(std::move(seconds));
  RF_ASSIGN(plan.estimate_seconds_low, PairMember(pair, 0));
  RF_ASSIGN(plan.estimate_seconds_high, PairMember(pair, 1));
  if (plan.estimate_seconds_low < 0 || plan.estimate_seconds_high < plan.estimate_seconds_low)
    return Wrong("`seconds` of the plan is {}, which is no span of time", pair.Compact());
  return Ok();
}

// `none`, or a number of days.
Status ReadGates(const Json& json, Plan& plan) {
  RF_ASSIGN(const Json gates, ObjectOf(json, "gates"));
  RF_ASSIGN(plan.gate_proof, gates.Text("proof", kSource));
  const std::string_view proof = plan.gate_proof;
  const bool days = proof.ends_with('d') && ParseInteger(proof.substr(0, proof.size() - 1));
  if (proof == "none" || days) return Ok();
  return Wrong("`proof` of the plan is `{}`, which is no number of days", proof);
}

Status ReadHead(const Json& json, Plan& plan) {
  RF_ASSIGN(plan.author, json.Text("author", kSource));
  RF_ASSIGN(plan.name, json.Text("name", kSource));
  if (!IsPlanName(plan.name)) return Wrong("`{}` cannot be the name of a plan", plan.name);
  RF_ASSIGN(plan.reason, json.Text("reason", kSource));
  RF_ASSIGN(plan.relation, FilledText(json, "relation"));
  RF_ASSIGN(plan.table, FilledText(json, "table"));
  RF_ASSIGN(plan.scope, Choice<std::string>(json, "scope",
                                            {{"range", "range"}, {"whole table", "whole table"}}));
  RF_ASSIGN(plan.as_of, InstantAt(json, "as_of"));
  RF_ASSIGN(plan.created, InstantAt(json, "created"));
  RF_ASSIGN(plan.transform_class,
            Choice<TransformClass>(json, "class",
                                   {{"windowed", TransformClass::kWindowed},
                                    {"sequential", TransformClass::kSequential},
                                    {"whole-table", TransformClass::kWholeTable}}));
  RF_ASSIGN(const Json target, ObjectOf(json, "target"));
  RF_ASSIGN(plan.target_schema, target.Text("schema", kSource));
  RF_ASSIGN(plan.strength, target.Text("strength", kSource));
  RF_ASSIGN(plan.unreconciled, TextOrNone(json, "unreconciled"));
  RF_ASSIGN(plan.undoes, TextOrNone(json, "undoes"));
  return ReadGates(json, plan);
}

// The object with a hash that is its own.
Result<Json> ReadSealed(std::string_view text) {
  RF_ASSIGN(Json json, Json::Parse(text, kSource));
  RF_ASSIGN(const int64_t format, json.Integer("format", kSource));
  if (format != kPlanFormat) {
    return Fail(ErrorCode::kRefused, "P0308",
                "plan format {} is unknown, this version reads format {}", format, kPlanFormat)
        .Help("plan again with this version of retrofill");
  }
  RF_ASSIGN(const std::string hash, json.Text("hash", kSource));
  json.Remove("hash");
  const std::string found = Sha256Hex(json.Canonical());
  if (found != hash) {
    return Wrong("the plan was changed after it was made: its hash says `{}`, its content `{}`",
                 hash.substr(0, 8), found.substr(0, 8));
  }
  json["hash"] = hash;
  return json;
}

}  // namespace

Result<Plan> ParsePlan(std::string_view text) {
  RF_ASSIGN(const Json json, ReadSealed(text));
  Plan plan;
  RF_TRY(ReadHead(json, plan));
  RF_TRY(ReadSpace(json, plan));
  RF_TRY(ReadRuns(json, plan));
  RF_TRY(ReadPin(json, plan));
  RF_TRY(ReadSettings(json, plan));
  RF_TRY(ReadSources(json, plan));
  RF_TRY(ReadDownstream(json, plan));
  RF_TRY(ReadEstimate(json, plan));
  RF_ASSIGN(plan.hash, json.Text("hash", kSource));
  plan.text = json.Indented();
  return plan;
}

}  // namespace retrofill
