#include "engine/engine_context.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"

namespace retrofill {

Result<const Table*> FindTable(const Project& project, const std::string& name) {
  auto found = project.tables.find(name);
  if (found != project.tables.end()) return &found->second;
  std::vector<std::string> names;
  for (const auto& [table, entry] : project.tables) names.push_back(table);
  Error error = Fail(ErrorCode::kInvalid, "C0109", "no table is named `{}`", name);
  if (std::optional<std::string> near = Nearest(name, names))
    return std::move(error).Help("did you mean `" + *near + "`?");
  return std::move(error).Help("the tables are: " + Join(names, ", "));
}

namespace {

// A database that does not exist yet can be planned against if nothing in it is needed: every
// source is files.
bool ReadsOnlyFiles(const Project& project, const Table& table) {
  return std::all_of(table.inputs.begin(), table.inputs.end(), [&](const Input& input) {
    auto source = project.sources.find(input.source);
    return source != project.sources.end() && !source->second.files.empty();
  });
}

}  // namespace

Result<OpenedTable> OpenTable(const EngineContext& engine, const std::string& name,
                              const std::optional<std::string>& pinned, Access access,
                              absl::Time as_of) {
  RF_ASSIGN(const Table* table, FindTable(*engine.project, name));
  const Connection& connection = engine.project->connections.at(table->connection);
  OpenedTable opened;
  RF_ASSIGN(opened.warehouse,
            engine.open(connection, access, ReadsOnlyFiles(*engine.project, *table)));
  RF_ASSIGN(opened.session, opened.warehouse->Connect());
  RF_ASSIGN(TableContext context,
            BindTable(*engine.project, *table, pinned, *opened.session, as_of));
  opened.context = std::make_unique<TableContext>(std::move(context));
  return opened;
}

}  // namespace retrofill
