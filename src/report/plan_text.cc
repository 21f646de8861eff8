#include "report/plan_text.h"

#include <absl/time/time.h>

#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/text.h"
#include "model/selection.h"
#include "report/printable.h"
#include "report/text_table.h"

namespace retrofill {
namespace {

constexpr int kPieces = 5;  // of a set, before `... n more`

std::string HeadText(const Plan& plan, const std::string& engine) {
  const std::string name = fmt::format("Plan      {}   {}", plan.name, plan.short_hash());
  std::string text = fmt::format("{:<59} warehouse: {}, {}\n", name, engine, plan.strength);
  std::string code = "Code     ";
  for (const auto& [path, sha] : plan.pin.files) {
    code += fmt::format(" {} {}  ", path, sha.substr(0, 8));
  }
  text += fmt::format("{} {}\n", code, TransformClassText(plan.transform_class));
  if (!plan.reason.empty()) text += fmt::format("Reason    {}\n", OneLine(plan.reason));
  if (!plan.undoes.empty()) text += fmt::format("Undoes    plan {}\n", plan.undoes.substr(0, 8));
  return text;
}

std::string RunDetail(const PlanRun& run, const Plan& plan, bool all) {
  const std::string set = SetText(run.set, *plan.space, kPieces);
  switch (run.action) {
    case Action::kFill:
      return set + ": 0 rows in target";
    case Action::kRestate:
      return WhyText(run) + "   " + set;
    case Action::kSkip:
      return all ? "ok   " + set : "ok";
    case Action::kBlocked:
      return set + ": " + WhyText(run);
  }
  return set;
}

std::string ActionsText(const Plan& plan, bool all) {
  constexpr Action kOrder[] = {Action::kRestate, Action::kFill, Action::kSkip, Action::kBlocked};
  std::string text;
  int64_t total = 0;
  int64_t to_compute = 0;
  for (const Action action : kOrder) {
    for (const PlanRun& run : plan.runs) {
      if (run.action != action) continue;
      const int64_t count = run.set.Count(*plan.space);
      total += count;
      if (IsComputed(action)) to_compute += count;
      text += fmt::format("  {} {:<7}{:>6}   {}\n", ActionGlyph(action), ActionText(action),
                          GroupDigits(count), OneLine(RunDetail(run, plan, all)));
    }
  }
  text += fmt::format("{:>17}\n{:>17}   {} to compute\n", "---", GroupDigits(total),
                      GroupDigits(to_compute));
  return text;
}

// What happens to partitions below the plan's table: a glyph and words.
struct Fate {
  std::string_view action;
  char glyph;
  std::string_view words;
};

constexpr Fate kFates[] = {
    {"restate", '~', "left stale, plan it next"},
    {"edge", '~', "left stale, plan it next; also reads older code outside the range"},
    {"mixed", '%', "mixed, left as it is"},
    {"missing", '+', "never built"},
    {"open", '.', "not over yet, left to the schedule"},
    {"unseen", '?', "not looked at"},
};

std::string CostText(const Plan& plan) {
  std::string text = "Cost      ";
  if (plan.estimate_source_rows > 0) {
    text +=
        fmt::format("read {}; ", Plural(plan.estimate_source_rows, "source row", "source rows"));
  }
  const std::string low = DurationText(absl::Seconds(plan.estimate_seconds_low));
  const std::string high = DurationText(absl::Seconds(plan.estimate_seconds_high));
  text += low == high ? "about " + low : low + " to " + high;
  text += fmt::format(" at {} in pool `{}`\n", Plural(plan.settings.slots, "slot", "slots"),
                      plan.settings.pool);
  if (!plan.estimate_basis.empty()) {
    text += fmt::format("          basis: {}\n", plan.estimate_basis);
  }
  return text;
}

std::string PublishText(PublishMode mode) {
  switch (mode) {
    case PublishMode::kAtEnd:
      return "publish at end, asks first";
    case PublishMode::kPerPartition:
      return "publish per partition";
    case PublishMode::kManual:
      return "publish by hand";
  }
  return "";
}

std::string GatesText(const Plan& plan) {
  std::string text = plan.gate_proof == "none"
                         ? std::string("Gates     no proof needed")
                         : fmt::format("Gates     proof at most {} old    canary", plan.gate_proof);
  text += "    every partition reconciled    " + PublishText(plan.settings.publish) + "\n";
  if (!plan.unreconciled.empty()) {
    text +=
        fmt::format("          not reconciled with its source: {}\n", OneLine(plan.unreconciled));
  }
  return text;
}

}  // namespace

std::string DownstreamText(std::span<const PlanDownstream> downstream) {
  TextTable table("lrll", 2, 2);
  for (const PlanDownstream& each : downstream) {
    const auto* fate = std::ranges::find(kFates, each.action, &Fate::action);
    const bool known = fate != std::end(kFates);  // a plan's file may be of a later version
    const bool declined = each.refresh == "never" && each.stale();
    table.Row({fmt::format("{} {}", known ? fate->glyph : '?', each.table),
               each.action == "unseen"
                   ? std::string()
                   : GroupDigits(each.partitions) + " of " + GroupDigits(each.of),
               " " + OneLine(each.keys),
               declined ? "stale, refresh declined by policy"
                        : std::string(known ? fate->words : each.action)});
  }
  return table.Text();
}

char ActionGlyph(Action action) {
  switch (action) {
    case Action::kFill:
      return '+';
    case Action::kRestate:
      return '~';
    case Action::kSkip:
      return '=';
    case Action::kBlocked:
      return '!';
  }
  return ' ';
}

std::string WhyText(const PlanRun& run) {
  const std::string prefix = "stale:";
  if (!run.why.starts_with(prefix)) return run.why;
  std::vector<std::string> reasons = Split(run.why.substr(prefix.size()), ',');
  return "stale: " + Join(reasons, ", ") + " changed";
}

std::string SelectionText(const PartitionSet& set, const PartitionSpace& space) {
  std::string text;
  for (const std::string& line : EchoLines(set, space)) text += OneLine(line) + "\n";
  return text;
}

std::string PlanText(const Plan& plan, const PlanTextOptions& options) {
  std::string text = HeadText(plan, options.engine.empty() ? plan.pin.engine : options.engine);
  text += SelectionText(plan.Selected(), *plan.space);
  if (plan.scope == "whole table")
    text += "Scope     whole table: partitions that no longer exist are removed\n";
  text += fmt::format("As of     {}\n\n", FormatInstant(plan.as_of));
  text += ActionsText(plan, options.all) + options.unassigned;
  if (!plan.downstream.empty())
    text += "\nDownstream, stale after publish\n" + DownstreamText(plan.downstream);
  text += "\n" + CostText(plan) + GatesText(plan);
  return text;
}

Json PlanJson(const Plan& plan) {
  Result<Json> file = Json::Parse(plan.text);
  RF_CHECK(file.ok(), "a plan prints as JSON");
  std::map<Action, int64_t> counts;
  for (const PlanRun& run : plan.runs) counts[run.action] += run.set.Count(*plan.space);
  Json by_action = Json::Object();
  int64_t selected = 0;
  for (const Action action : {Action::kFill, Action::kRestate, Action::kSkip, Action::kBlocked}) {
    by_action[ActionText(action)] = counts[action];
    selected += counts[action];
  }
  by_action["selected"] = selected;
  by_action["to_compute"] = counts[Action::kFill] + counts[Action::kRestate];
  return Json::Object({{"plan", *file},
                       {"name", plan.name},
                       {"hash", plan.hash},
                       {"table", plan.table},
                       {"range", SetText(plan.Selected(), *plan.space, 1000)},
                       {"counts", by_action}});
}

}  // namespace retrofill
