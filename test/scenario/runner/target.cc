#include "target.h"

#include <memory>

#include "base/db/duckdb.h"
#include "base/file.h"
#include "base/text.h"

namespace retrofill::scenario {
namespace {

constexpr char kListRelations[] =
    "select table_schema, table_name from information_schema.tables "
    "where table_type = 'BASE TABLE' order by 1, 2";

std::string Quoted(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

struct Opened {
  std::unique_ptr<DuckdbDatabase> database;
  std::unique_ptr<DuckdbConnection> connection;
};

Result<Opened> Open(const std::string& path, DuckdbAccess access) {
  Opened opened;
  RF_ASSIGN(opened.database, DuckdbDatabase::Open(path, access, {.threads = 1}));
  RF_ASSIGN(opened.connection, opened.database->Connect());
  return opened;
}

}  // namespace

Status ExecuteSql(const std::string& path, const std::string& sql) {
  RF_ASSIGN(const Opened opened, Open(path, DuckdbAccess::kReadWrite));
  RF_TRY(opened.connection->Execute(sql));
  return Ok();
}

Result<std::vector<std::string>> QuerySql(const std::string& path, const std::string& sql) {
  RF_ASSIGN(const Opened opened, Open(path, DuckdbAccess::kReadOnly));
  RF_ASSIGN(const DuckdbRows rows, opened.connection->Query(sql));
  std::vector<std::string> lines;
  for (const auto& row : rows.rows) {
    std::vector<std::string> values;
    for (const auto& value : row) values.push_back(value.value_or("NULL"));
    lines.push_back(Join(values, "|"));
  }
  return lines;
}

Result<std::map<std::string, std::string>> RelationDigests(const std::string& path,
                                                           DigestOptions options) {
  std::map<std::string, std::string> digests;
  if (!FileExists(path)) return digests;
  RF_ASSIGN(const Opened opened, Open(path, DuckdbAccess::kReadOnly));
  RF_ASSIGN(const DuckdbRows relations, opened.connection->Query(kListRelations));
  for (const auto& row : relations.rows) {
    const std::string schema = row[0].value_or("");
    const std::string table = row[1].value_or("");
    if (!options.with_own && schema.starts_with("retrofill")) continue;
    RF_ASSIGN(const DuckdbRows digest,
              opened.connection->Query("select count(*), sum(hash(t)) from " + Quoted(schema) +
                                       "." + Quoted(table) + " as t"));
    digests[schema + "." + table] =
        digest.rows[0][0].value_or("") + " rows, " + digest.rows[0][1].value_or("none");
  }
  return digests;
}

struct HeldDatabase::State {
  std::unique_ptr<DuckdbDatabase> database;
};

HeldDatabase::HeldDatabase(std::unique_ptr<State> state) : state_(std::move(state)) {}

HeldDatabase::~HeldDatabase() = default;

Result<std::unique_ptr<HeldDatabase>> HeldDatabase::Hold(const std::string& path) {
  auto state = std::make_unique<State>();
  RF_ASSIGN(state->database, DuckdbDatabase::Open(path, DuckdbAccess::kReadWrite, {.threads = 1}));
  return std::unique_ptr<HeldDatabase>(new HeldDatabase(std::move(state)));
}

}  // namespace retrofill::scenario
