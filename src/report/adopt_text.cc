#include "report/adopt_text.h"

#include <algorithm>

#include "base/text.h"
#include "report/printable.h"
#include "report/text_table.h"

namespace retrofill {
namespace {

constexpr int kPieces = 5;
constexpr size_t kLines = 20;  // of partitions that are not adopted; `--json` has them all

}  // namespace

std::string AdoptText(const AdoptResult& result) {
  std::string text;
  for (const std::string& line : result.echo) text += OneLine(line) + "\n";
  const PartitionSpace& space = *result.space;
  const auto line = [&](const std::string& what, const PartitionSet& set) {
    if (set.empty()) return;
    text += fmt::format("{} {}: {}\n", what, Plural(set.Count(space), "partition", "partitions"),
                        SetText(set, space, kPieces));
  };
  line(result.dry_run ? "would adopt" : "adopted", result.adopted);
  line("known already", result.known);
  if (result.refused.empty()) return text.empty() ? "nothing is selected\n" : text;
  text += fmt::format("not adopted {}\n", Plural(static_cast<int64_t>(result.refused.size()),
                                                 "partition", "partitions"));
  TextTable table("lll", 2);
  for (size_t i = 0; i < std::min(kLines, result.refused.size()); ++i) {
    const NotAdopted& each = result.refused[i];
    table.Row({space.KeyText(each.partition), each.id, each.why});
  }
  text += table.Text();
  if (result.refused.size() > kLines)
    text += fmt::format("  ... {} more\n", result.refused.size() - kLines);
  return text;
}

Json AdoptJson(const AdoptResult& result) {
  const auto keys = [&](const PartitionSet& set) {
    Json list = Json::Array();
    set.ForEach(*result.space, [&](const Partition& partition) {
      list.Append(result.space->KeyText(partition));
      return true;
    });
    return list;
  };
  Json refused = Json::Array();
  for (const NotAdopted& each : result.refused) {
    refused.Append(Json::Object(
        {{"key", result.space->KeyText(each.partition)}, {"id", each.id}, {"why", each.why}}));
  }
  return Json::Object({{"table", result.table},
                       {"dry_run", result.dry_run},
                       {"adopted", keys(result.adopted)},
                       {"known", keys(result.known)},
                       {"not_adopted", refused}});
}

}  // namespace retrofill
