#include "config/table_graph.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "config/config_values.h"

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

class CycleSearch {
 public:
  CycleSearch(const Project& project, const YamlNode& root, Problems& problems)
      : project_(project), root_(root), problems_(problems) {}

  void Run() {
    for (const auto& [name, table] : project_.tables) {
      for (const Input& input : table.inputs) {
        if (input.table == name && !input.after.zero()) {
          problems_.Add(
              Fail(ErrorCode::kInvalid, "C0110", "table `{}` reads its own later partitions", name)
                  .Help("a table may read only its earlier partitions: remove `after`"),
              PlaceOfInput(root_, name, name));
        }
      }
    }
    for (const auto& [name, table] : project_.tables) Visit(name);
  }

 private:
  void Visit(const std::string& name) {
    const auto table = project_.tables.find(name);
    if (table == project_.tables.end() || done_.contains(name)) return;
    path_.push_back(name);
    for (const Input& input : table->second.inputs) {
      if (input.table.empty() || input.table == name) continue;
      const auto start = std::ranges::find(path_, input.table);
      if (start == path_.end()) {
        Visit(input.table);
      } else {
        Report(std::vector<std::string>(start, path_.end()));
      }
    }
    path_.pop_back();
    done_.insert(name);
  }

  // The cycle, each table reading the next and the last one the first.
  void Report(std::vector<std::string> cycle) {
    const Place place = PlaceOfInput(root_, cycle.back(), cycle.front());
    cycle.push_back(cycle.front());
    problems_.Add(
        Fail(ErrorCode::kInvalid, "C0110", "tables form a cycle: {}", Join(cycle, " reads "))
            .Help("remove one of these inputs, or let one table read a source"),
        place);
  }

  const Project& project_;
  const YamlNode& root_;
  Problems& problems_;
  std::vector<std::string> path_;
  std::set<std::string> done_;
};

}  // namespace

void CheckTableGraph(const Project& project, const YamlNode& root, Problems& problems) {
  CycleSearch(project, root, problems).Run();
}

}  // namespace retrofill
