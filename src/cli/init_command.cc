#include <memory>
#include <string>
#include <vector>

#include "base/db/duckdb.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/demo_past.h"
#include "cli/demo_shop.h"
#include "cli/wiring.h"
#include "config/first_config.h"
#include "config/load_config.h"
#include "config/schema.h"
#include "journal/lease_owner.h"

namespace retrofill {
namespace {

constexpr char kSchemaFile[] = ".retrofill/schema/config.json";
constexpr char kIgnored[] = ".retrofill/";

// `init` never overwrites: what is there stays, and nothing else is written beside it.
Status CheckFree(const std::string& folder, const std::string& name) {
  const std::string path = JoinPath(folder, name);
  if (!FileExists(path)) return Ok();
  return Fail(ErrorCode::kInvalid, "C0103", "cannot begin a project: `{}` is there already", path)
      .Help("choose an empty folder, or move the file away");
}

Status ExecuteOn(const std::string& file, const std::string& sql) {
  RF_ASSIGN(const auto database, DuckdbDatabase::Open(file, DuckdbAccess::kReadWrite));
  RF_ASSIGN(const auto connection, database->Connect());
  RF_TRY(connection->Execute(sql));
  return Ok();
}

Result<std::vector<FirstRelation>> RelationsOf(const std::string& file) {
  RF_ASSIGN(const auto database, DuckdbDatabase::Open(file, DuckdbAccess::kReadOnly));
  RF_ASSIGN(const auto connection, database->Connect());
  RF_ASSIGN(const DuckdbRows rows,
            connection->Query("select table_schema, table_name, column_name, data_type "
                              "from information_schema.columns "
                              "where table_schema not like 'retrofill%' "
                              "order by table_schema, table_name, ordinal_position"));
  std::vector<FirstRelation> relations;
  for (const auto& row : rows.rows) {
    const std::string schema = row[0].value_or("");
    const std::string name = row[1].value_or("");
    if (relations.empty() || relations.back().schema != schema || relations.back().name != name) {
      relations.push_back({.schema = schema, .name = name, .columns = {}});
    }
    relations.back().columns.push_back({.name = row[2].value_or(""), .type = row[3].value_or("")});
  }
  return relations;
}

// Adds our line to `.gitignore` unless it has it.
Status IgnoreState(const std::string& folder) {
  const std::string path = JoinPath(folder, ".gitignore");
  std::string text;
  if (FileExists(path)) {
    RF_ASSIGN(text, ReadFile(path));
  }
  for (const std::string& line : Lines(text)) {
    if (line == kIgnored) return Ok();
  }
  const std::string separator = text.empty() || text.ends_with('\n') ? "" : "\n";
  return AppendToFile(path, separator + kIgnored + "\n");
}

Status WriteSurroundings(const std::string& folder) {
  const std::string schema = JoinPath(folder, kSchemaFile);
  RF_TRY(MakeFolders(FolderOf(schema)));
  RF_TRY(WriteFileAtomically(schema, ConfigSchema().Indented()));
  return IgnoreState(folder);
}

Result<Answer> WriteDemo(Context& context, const std::string& folder, const std::string& shown) {
  RF_TRY(CheckFree(folder, std::string(kConfigFileName)));
  RF_TRY(CheckFree(folder, std::string(kDemoDatabase)));
  const std::string actor = context.Actor();
  RF_TRY(BuildDemo({.folder = folder,
                    .actor = actor,
                    .owner = LeaseOwnerOfThisProcess(actor.substr(actor.find('@') + 1)),
                    .clock = context.clock.get(),
                    .open = MakeOpener(nullptr),
                    .execute = ExecuteOn}));
  RF_TRY(WriteSurroundings(folder));
  Answer answer;
  answer.type = "project.created";
  answer.data = Json::Object({{"folder", folder}, {"demo", "shop"}, {"as_of", kDemoAsOf}});
  answer.text = fmt::format(
      "Made the demo project in {}: 7 tables, one DuckDB file, as of {}\n"
      "Its history is wrong in more than one way.  cd {}\n",
      shown, kDemoAsOf, shown);
  answer.next.push_back({{"retrofill", "gaps", "revenue_daily"}, "what is missing or not right"});
  return answer;
}

Result<Answer> WriteFirst(const InitArguments& arguments, const std::string& folder,
                          const std::string& shown) {
  RF_TRY(CheckFree(folder, std::string(kConfigFileName)));
  std::string yaml = EmptyFirstConfig();
  std::string found;
  if (!arguments.duckdb.empty()) {
    const std::string file = AbsolutePath(arguments.duckdb);
    RF_ASSIGN(const std::vector<FirstRelation> relations, RelationsOf(file));
    yaml = DuckdbFirstConfig(RelativePath(file, folder), relations);
    for (const FirstRelation& relation : relations) {
      std::vector<std::string> columns;
      for (const FirstColumn& column : relation.columns) {
        columns.push_back(column.name + " " + column.type);
      }
      found += fmt::format("  {}.{}   {}\n", relation.schema, relation.name, Join(columns, ", "));
    }
  }
  RF_TRY(MakeFolders(folder));
  RF_TRY(WriteFileAtomically(JoinPath(folder, kConfigFileName), yaml));
  RF_TRY(WriteSurroundings(folder));
  Answer answer;
  answer.type = "project.created";
  answer.data = Json::Object({{"folder", folder}});
  answer.text = found + fmt::format("Wrote {}/{}\n", shown, kConfigFileName);
  answer.next.push_back({{"retrofill", "config", "check"}, "after describing a table in it"});
  return answer;
}

}  // namespace

Result<Answer> Execute(Context& context, const InitArguments& arguments) {
  const std::string shown = arguments.folder.empty() ? "." : arguments.folder;
  const std::string folder = AbsolutePath(shown);
  if (!arguments.demo) return WriteFirst(arguments, folder, shown);
  if (!arguments.duckdb.empty()) {
    return Fail(ErrorCode::kInvalid, "C0103",
                "`--demo` makes its own DuckDB file and takes no `--duckdb`");
  }
  return WriteDemo(context, folder, shown);
}

}  // namespace retrofill
