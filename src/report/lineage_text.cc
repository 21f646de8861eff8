#include "report/lineage_text.h"

#include <utility>

#include "base/text.h"
#include "report/plan_text.h"
#include "report/printable.h"
#include "report/text_table.h"

namespace retrofill {
namespace {

constexpr int kPieces = 5;

std::string ReadText(const LineageInput& input) {
  if (input.table) {
    if (input.set.empty()) return "none of its partitions";
    return fmt::format("{}   {}", SetText(input.set, *input.space, kPieces),
                       Plural(input.set.Count(*input.space), "partition", "partitions"));
  }
  if (!input.read) return "all of it";
  return fmt::format("[{}, {})", FormatInstant(input.read->start), FormatInstant(input.read->end));
}

Json KeysOf(const PartitionSet& set, const PartitionSpace& space) {
  Json keys = Json::Array();
  set.ForEach(space, [&](const Partition& partition) {
    keys.Append(space.KeyText(partition));
    return true;
  });
  return keys;
}

Json InputJson(const LineageInput& input) {
  Json json = Json::Object({{"name", input.name}, {"kind", input.table ? "table" : "source"}});
  if (input.table) json["partitions"] = KeysOf(input.set, *input.space);
  if (input.read) {
    json["interval"] = Json::Object(
        {{"start", FormatInstant(input.read->start)}, {"end", FormatInstant(input.read->end)}});
  }
  return json;
}

Json DownstreamJson(const DownstreamSet& each) {
  Json through = Json::Array();
  for (const std::string& name : each.through) through.Append(name);
  Json json = Json::Object({{"table", each.summary.table},
                            {"action", each.summary.action},
                            {"stale", each.summary.stale()},
                            {"refresh", each.summary.refresh},
                            {"through", through},
                            {"of", each.summary.of}});
  if (each.space) {
    json["partitions"] = KeysOf(each.set, *each.space);
  } else {
    json["why"] = each.summary.keys;
  }
  return json;
}

}  // namespace

std::string LineageText(const LineageResult& lineage) {
  if (lineage.set.empty()) return "nothing is selected\n";
  std::string text;
  for (const std::string& line : lineage.echo) text += OneLine(line) + "\n";
  text += "\nReads\n";
  TextTable inputs("lll", 2);
  for (const LineageInput& input : lineage.inputs) {
    inputs.Row({input.name, input.table ? "table" : "source", ReadText(input)});
  }
  text += inputs.empty() ? "  nothing\n" : inputs.Text();
  text += "\nDownstream, stale when it is rewritten\n";
  const std::vector<PlanDownstream> below = lineage.downstream.Summaries();
  return text + (below.empty() ? "  nothing\n" : DownstreamText(below));
}

Json LineageJson(const LineageResult& lineage) {
  Json inputs = Json::Array();
  for (const LineageInput& input : lineage.inputs) inputs.Append(InputJson(input));
  Json downstream = Json::Array();
  for (const DownstreamSet& each : lineage.downstream.sets) {
    downstream.Append(DownstreamJson(each));
  }
  return Json::Object({{"table", lineage.table},
                       {"partitions", KeysOf(lineage.set, *lineage.space)},
                       {"inputs", inputs},
                       {"downstream", downstream}});
}

}  // namespace retrofill
