#include "engine/table_references.h"

#include <string>
#include <utility>

#include "base/text.h"
#include "model/table_cycles.h"
#include "transform/transform_sides.h"

namespace retrofill {

std::vector<Error> FindReferenceCycles(const Project& project) {
  TableReads reads;
  std::map<std::pair<std::string, std::string>, Origin> places;
  for (const auto& [name, table] : project.tables) {
    const Result<SqlTemplate> sql = LoadSqlTemplate(project.folder, table.sql_file);
    if (!sql.ok()) continue;
    const Result<std::vector<Input>> inputs = InputsOf(project, table, *sql);
    if (!inputs.ok()) continue;
    for (const Input& input : *inputs) {
      if (input.table.empty()) continue;
      reads[name].push_back(input.table);
      places.emplace(std::pair(name, input.table), input.origin);
    }
  }
  std::vector<Error> errors;
  for (std::vector<std::string>& cycle : FindTableCycles(reads)) {
    const Origin& place = places.at({cycle.back(), cycle.front()});
    cycle.push_back(cycle.front());
    errors.push_back(
        Fail(ErrorCode::kInvalid, "C0110", "tables form a cycle: {}", Join(cycle, " reads "))
            .At(place)
            .Help("remove one of these reads, or let one table read a source"));
  }
  return errors;
}

}  // namespace retrofill
