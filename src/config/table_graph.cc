#include "config/table_graph.h"

#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "config/config_values.h"
#include "model/table_cycles.h"

namespace retrofill {
namespace {

// The value of `inputs[].table` that names the other table.
Place PlaceOfInput(const YamlNode& root, const std::string& table, const std::string& other) {
  const YamlNode* tables = MapAt(root, "tables");
  const YamlNode* map = tables == nullptr ? nullptr : MapAt(*tables, table);
  const YamlNode* inputs = map == nullptr ? nullptr : ListAt(*map, "inputs");
  if (inputs == nullptr) return {};
  for (const YamlNode& item : inputs->items) {
    const YamlNode* name = ValueAt(item, "table");
    if (name != nullptr && name->text == other) return name->place;
  }
  return {};
}

// A table may read earlier partitions of its own, but not the same or later ones.
void CheckOwnFuture(const Project& project, const YamlNode& root, Problems& problems) {
  for (const auto& [name, table] : project.tables) {
    for (const Input& input : table.inputs) {
      if (input.table != name || input.after.zero()) continue;
      problems.Add(
          Fail(ErrorCode::kInvalid, "C0110", "table `{}` reads its own later partitions", name)
              .Help("a table may read only its earlier partitions: remove `after`"),
          PlaceOfInput(root, name, name));
    }
  }
}

void CheckCycles(const Project& project, const YamlNode& root, Problems& problems) {
  TableReads reads;
  for (const auto& [name, table] : project.tables) {
    for (const Input& input : table.inputs) {
      if (!input.table.empty()) reads[name].push_back(input.table);
    }
  }
  for (std::vector<std::string>& cycle : FindTableCycles(reads)) {
    const Place place = PlaceOfInput(root, cycle.back(), cycle.front());
    cycle.push_back(cycle.front());
    problems.Add(
        Fail(ErrorCode::kInvalid, "C0110", "tables form a cycle: {}", Join(cycle, " reads "))
            .Help("remove one of these inputs, or let one table read a source"),
        place);
  }
}

// The engine ignores the case of letters, and `main` is the schema where none is named.
std::string WrittenRelation(const Table& table) {
  std::string relation = Lower(table.relation);
  std::erase(relation, '"');
  constexpr std::string_view kDefault = "main.";
  if (relation.starts_with(kDefault)) relation.erase(0, kDefault.size());
  return table.connection + " " + relation;
}

// Two tables that write one relation would each see the other's rows as foreign.
void CheckRelations(const Project& project, const YamlNode& root, Problems& problems) {
  std::map<std::string, std::string> writers;
  for (const auto& [name, table] : project.tables) {
    const auto [first, is_new] = writers.emplace(WrittenRelation(table), name);
    if (is_new) continue;
    const YamlNode* tables = MapAt(root, "tables");
    const YamlEntry* entry = tables == nullptr ? nullptr : tables->Find(name);
    const YamlNode* relation = entry == nullptr ? nullptr : ValueAt(entry->value, "relation");
    problems.Add(Fail(ErrorCode::kInvalid, "C0103", "tables `{}` and `{}` both write `{}`",
                      first->second, name, table.relation)
                     .Help("give each a `relation` of its own, or make them one table"),
                 relation != nullptr ? relation->place
                 : entry != nullptr  ? entry->key_place
                                     : Place());
  }
}

}  // namespace

void CheckTableGraph(const Project& project, const YamlNode& root, Problems& problems) {
  CheckOwnFuture(project, root, problems);
  CheckCycles(project, root, problems);
  CheckRelations(project, root, problems);
}

}  // namespace retrofill
