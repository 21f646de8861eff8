#include "report/gaps_text.h"

#include <map>
#include <utility>

#include "base/text.h"
#include "report/printable.h"
#include "report/text_table.h"
#include "report/unassigned_text.h"

namespace retrofill {
namespace {

constexpr int kPieces = 5;

struct Group {
  std::vector<Partition> partitions;
  int64_t target_rows = 0;
  int64_t source_rows = 0;
  std::string health;
  std::string blocked;
  std::string note;
};

// Same health, same reasons, same block: one group. In the order of what is worst.
std::map<std::pair<int, std::string>, Group> GroupsOf(const GapsResult& gaps, bool all) {
  std::map<std::pair<int, std::string>, Group> groups;
  for (const PartitionHealth& each : gaps.health) {
    if (!all && each.health == Health::kOk) continue;
    const std::string text = each.Text();
    const int order = each.health == Health::kOk ? 100 : static_cast<int>(each.health);
    Group& group = groups[{order, text + "\n" + each.blocked}];
    group.partitions.push_back(each.partition);
    group.target_rows += each.target_rows;
    if (each.source_rows > 0) group.source_rows += each.source_rows;
    group.health = text;
    group.blocked = each.blocked;
    if (!each.note.empty()) group.note = each.note;
  }
  return groups;
}

std::string CountsText(const GapsResult& gaps) {
  std::vector<std::string> parts;
  for (const auto& [health, count] : gaps.counts) {
    if (count > 0) parts.push_back(fmt::format("{} {}", GroupDigits(count), HealthText(health)));
  }
  if (gaps.blocked > 0) parts.push_back(GroupDigits(gaps.blocked) + " blocked");
  return Join(parts, ", ");
}

}  // namespace

bool HasGaps(const GapsResult& gaps) {
  for (const auto& [health, count] : gaps.counts) {
    if (health != Health::kOk && count > 0) return true;
  }
  return false;
}

std::string GapsText(const GapsResult& gaps, bool all) {
  std::string text;
  for (const std::string& line : gaps.echo) text += OneLine(line) + "\n";
  text += fmt::format("{}   {}{}{}\n", gaps.table,
                      Plural(static_cast<int64_t>(gaps.health.size()), "partition", "partitions"),
                      gaps.health.empty() ? "" : ": ", CountsText(gaps));
  TextTable table("lrl", 2);
  for (const auto& [order, group] : GroupsOf(gaps, all)) {
    const PartitionSet set = PartitionSet::Of(*gaps.space, group.partitions);
    std::string detail = SetText(set, *gaps.space, kPieces);
    if (group.health == "missing") {
      detail +=
          fmt::format(": {} in target, {} in source", Plural(group.target_rows, "row", "rows"),
                      GroupDigits(group.source_rows));
    }
    if (!group.blocked.empty()) detail += "   blocked: " + group.blocked;
    if (!group.note.empty()) detail += "   " + group.note;
    table.Row({group.health, GroupDigits(static_cast<int64_t>(group.partitions.size())), detail});
  }
  return text + table.Text() + UnassignedText(gaps.unassigned);
}

Json GapsJson(const GapsResult& gaps, bool all) {
  Json counts = Json::Object();
  for (const auto& [health, count] : gaps.counts) counts[HealthText(health)] = count;
  Json list = Json::Array();
  for (const PartitionHealth& each : gaps.health) {
    if (!all && each.health == Health::kOk) continue;
    Json reasons = Json::Array();
    for (const std::string& reason : each.reasons) reasons.Append(reason);
    list.Append(
        Json::Object({{"key", gaps.space->KeyText(each.partition)},
                      {"health", HealthText(each.health)},
                      {"reasons", reasons},
                      {"blocked", each.blocked},
                      {"rows", each.target_rows},
                      {"source_rows", each.source_rows < 0 ? Json() : Json(each.source_rows)},
                      {"note", each.note}}));
  }
  return Json::Object({{"table", gaps.table},
                       {"partitions", static_cast<int64_t>(gaps.health.size())},
                       {"counts", counts},
                       {"blocked", gaps.blocked},
                       {"unassigned", UnassignedJson(gaps.unassigned)},
                       {"gaps", list}});
}

TablesText::TablesText(const Project& project, const std::vector<std::string>& tables)
    : table_("llrl") {
  table_.Row({"TABLE", "RELATION", "PARTITIONS", "HEALTH"});
  for (const std::string& name : tables) table_.Reserve({name, project.tables.at(name).relation});
}

std::string TablesText::Heading() { return table_.Take(); }

std::string TablesText::Line(const TableHealth& table) {
  const bool known = table.problem.empty();
  table_.Row({table.table, table.relation,
              known ? GroupDigits(static_cast<int64_t>(table.gaps.health.size())) : "-",
              known ? CountsText(table.gaps) : table.problem});
  return table_.Take();
}

Json TablesJson(std::span<const TableHealth> tables) {
  Json list = Json::Array();
  for (const TableHealth& each : tables) {
    Json counts = Json::Object();
    for (const auto& [health, count] : each.gaps.counts) counts[HealthText(health)] = count;
    list.Append(Json::Object({{"table", each.table},
                              {"relation", each.relation},
                              {"partitions", static_cast<int64_t>(each.gaps.health.size())},
                              {"counts", counts},
                              {"blocked", each.gaps.blocked},
                              {"problem", each.problem}}));
  }
  return Json::Object({{"tables", list}});
}

}  // namespace retrofill
