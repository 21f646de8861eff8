#include "engine/table_references.h"

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "base/text.h"
#include "transform/transform_sides.h"

namespace retrofill {

namespace {

void ForEachRead(const Project& project,
                 const std::function<void(const std::string&, const Input&)>& visit) {
  for (const auto& [name, table] : project.tables) {
    const Result<SqlTemplate> sql = LoadSqlTemplate(project.folder, table.sql_file);
    if (!sql.ok()) continue;
    const Result<std::vector<Input>> inputs = InputsOf(project, table, *sql);
    if (!inputs.ok()) continue;
    for (const Input& input : *inputs) {
      if (!input.table.empty()) visit(name, input);
    }
  }
}

}  // namespace

TableReads FindReferences(const Project& project) {
  TableReads reads;
  ForEachRead(project, [&](const std::string& table, const Input& input) {
    reads[table].push_back(input.table);
  });
  return reads;
}

std::vector<Error> FindReferenceCycles(const Project& project) {
  std::map<std::pair<std::string, std::string>, Origin> places;
  ForEachRead(project, [&](const std::string& table, const Input& input) {
    places.emplace(std::pair(table, input.table), input.origin);
  });
  const TableReads reads = FindReferences(project);
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
