#include "config/table_reader.h"

#include <absl/time/time.h>

#include "base/file.h"
#include "base/text.h"
#include "config/config_values.h"
#include "config/partition_reader.h"
#include "config/rule_reader.h"
#include "config/value_form.h"

namespace retrofill {
namespace {

using std::pair;
using std::string_view;

constexpr std::array<pair<string_view, Order>, 2> kOrders = {
    {{"oldest_first", Order::kOldestFirst}, {"newest_first", Order::kNewestFirst}}};
constexpr std::array<pair<string_view, PublishMode>, 3> kPublishModes = {
    {{"at_end", PublishMode::kAtEnd},
     {"per_partition", PublishMode::kPerPartition},
     {"manual", PublishMode::kManual}}};
constexpr std::array<pair<string_view, OnFailure>, 2> kOnFailure = {
    {{"continue", OnFailure::kContinue}, {"stop", OnFailure::kStop}}};
constexpr std::array<pair<string_view, RefreshPolicy>, 3> kRefresh = {
    {{"auto", RefreshPolicy::kAuto},
     {"ask", RefreshPolicy::kAsk},
     {"never", RefreshPolicy::kNever}}};

class TableReader {
 public:
  TableReader(const YamlNode& root, const ProjectPlace& place, Project& project, Problems& problems)
      : root_(root),
        place_(place),
        project_(project),
        problems_(problems),
        connections_(NamesOf(root, "connections")),
        pools_(NamesOf(root, "pools")),
        sources_(NamesOf(root, "sources")),
        tables_(NamesOf(root, "tables")) {}

  void Read() {
    Table defaults;
    const YamlNode* map = MapAt(root_, "defaults");
    if (map != nullptr) {
      ReadShared(*map, defaults);
      Assign(defaults.on_failure, ChoiceAt(*map, "on_failure", kOnFailure));
      if (const YamlNode* keep = MapAt(*map, "keep")) {
        Assign(defaults.keep.undo, DurationAt(*keep, "undo"));
        Assign(defaults.keep.stage, DurationAt(*keep, "stage"));
      }
      if (const YamlNode* require = MapAt(*map, "require")) {
        Assign(defaults.require_proof, DurationAt(*require, "proof"));
      }
    }
    const YamlNode* tables = MapAt(root_, "tables");
    if (tables == nullptr) return;
    for (const YamlEntry& entry : tables->entries) {
      Table table = ReadTable(entry, defaults);
      project_.tables.emplace(entry.key, std::move(table));
    }
  }

 private:
  // The keys that `defaults` and a table have in common.
  void ReadShared(const YamlNode& map, Table& table) {
    Assign(table.timezone, TextAt(map, "timezone"));
    Assign(table.order, ChoiceAt(map, "order", kOrders));
    Assign(table.publish, ChoiceAt(map, "publish", kPublishModes));
    Assign(table.pool, TextAt(map, "pool"));
    if (const YamlNode* attempts = MapAt(map, "attempts")) {
      Assign(table.attempts.max, IntegerAt(*attempts, "max"));
      if (const auto text = TextAt(*attempts, "backoff")) {
        if (const auto range = ParseDurationRange(*text)) {
          table.attempts.backoff_min = range->min;
          table.attempts.backoff_max = range->max;
        }
      }
    }
    if (const auto text = TextAt(map, "max_failed")) {
      Assign(table.max_failed, ParseFailureLimit(*text));
    }
  }

  Table ReadTable(const YamlEntry& entry, const Table& defaults) {
    Table table = defaults;
    const YamlNode& map = entry.value;
    table.name = entry.key;
    table.origin = OriginOf(entry.key_place);
    table.connection = ConnectionOf(map, entry.key_place, fmt::format("table `{}`", entry.key),
                                    connections_, problems_);
    table.relation = TextAt(map, "relation").value_or(entry.key);
    ReadShared(map, table);
    ReadPool(entry, table);
    if (const YamlEntry* partition = map.Find("partition");
        partition != nullptr && partition->value.is_map()) {
      table.partition = ReadPartition(*partition, table, problems_);
    }
    table.grain = TextsAt(map, "grain");
    ReadInputs(map, table);
    Assign(table.lookback, IntegerAt(map, "lookback"));
    table.self_reference = BooleanAt(map, "self_reference").value_or(table.self_reference);
    table.parallel_ordered = TextAt(map, "parallel") == "ordered";
    ReadTransform(entry, table);
    if (const auto batch = IntegerAt(map, "batch")) table.batch = static_cast<int>(*batch);
    Assign(table.allow_empty, BooleanAt(map, "allow_empty"));
    Assign(table.refresh, ChoiceAt(map, "refresh", kRefresh));
    ReadProof(map, table);
    if (const YamlNode* rules = ListAt(map, "reconcile")) {
      table.rules = ReadRules(*rules, problems_);
    }
    table.unreconciled = TextAt(map, "unreconciled");
    table.tags = TextsAt(map, "tags");
    return table;
  }

  // A pool is bound to one connection. `default` is made for the table's, unless it is declared.
  void ReadPool(const YamlEntry& entry, Table& table) {
    const YamlNode* own = ValueAt(entry.value, "pool");
    if (table.pool.empty()) table.pool = "default";
    const bool declared = project_.pools.contains(table.pool);
    if (!declared && table.pool == "default") {
      if (table.connection.empty()) return;
      table.pool = "default@" + table.connection;
      Pool pool;
      pool.name = table.pool;
      pool.connection = table.connection;
      pool.origin = table.origin;
      project_.pools.try_emplace(table.pool, std::move(pool));
      return;
    }
    if (!declared) {
      // An unknown pool of `defaults` was reported there.
      if (own != nullptr) CheckName(*own, "pool", pools_, problems_);
      return;
    }
    const std::string& bound = project_.pools.at(table.pool).connection;
    if (bound == table.connection || bound.empty() || table.connection.empty()) return;
    problems_.Add(
        Fail(ErrorCode::kInvalid, "C0103",
             "table `{}` is on connection `{}`, its pool `{}` is for `{}`", table.name,
             table.connection, table.pool, bound)
            .Help(fmt::format("name a pool of connection `{}`, or `default`", table.connection)),
        own != nullptr ? own->place : entry.key_place);
  }

  void ReadInputs(const YamlNode& map, Table& table) {
    const YamlNode* inputs = ListAt(map, "inputs");
    if (inputs == nullptr) return;
    for (const YamlNode& item : inputs->items) {
      if (!item.is_map()) continue;
      Input input;
      const YamlNode* source = ValueAt(item, "source");
      const YamlNode* other = ValueAt(item, "table");
      if ((source == nullptr) == (other == nullptr)) {
        problems_.Add(
            Fail(ErrorCode::kInvalid, "C0103", "an input of table `{}` names {}", table.name,
                 source == nullptr ? "neither a source nor a table" : "a source and a table")
                .Help("write {source: NAME} or {table: NAME}"),
            item.place);
        continue;
      }
      const YamlNode& name = source != nullptr ? *source : *other;
      CheckName(name, source != nullptr ? "source" : "table",
                source != nullptr ? sources_ : tables_, problems_);
      (source != nullptr ? input.source : input.table) = name.text;
      input.origin = OriginOf(name.place);
      if (const YamlNode* window = MapAt(item, "window")) {
        Assign(input.before, SpanAt(*window, "before"));
        Assign(input.after, SpanAt(*window, "after"));
      }
      if (input.table == table.name) table.self_reference = true;
      table.inputs.push_back(std::move(input));
    }
  }

  void ReadTransform(const YamlEntry& entry, Table& table) {
    const YamlNode* events = ValueAt(entry.value, "events");
    const YamlEntry* transform = entry.value.Find("transform");
    if (transform == nullptr) {
      if (events != nullptr) return;
      problems_.Add(
          Fail(ErrorCode::kInvalid, "C0103", "table `{}` needs the key `transform`", table.name)
              .Help("write transform: {sql: FILE.sql}"),
          entry.key_place);
      return;
    }
    if (!transform->value.is_map() && !transform->value.is_null()) return;
    int ways = 0;
    for (const string_view way : {"sql", "command", "dbt"}) {
      if (ValueAt(transform->value, way) != nullptr) ++ways;
    }
    if (ways != 1) {
      problems_.Add(Fail(ErrorCode::kInvalid, "C0103", "the transform of table `{}` names {}",
                         table.name, ways == 0 ? "no SQL file" : "more than one way")
                        .Help("write transform: {sql: FILE.sql}"),
                    transform->key_place);
    }
    if (const YamlNode* sql = ValueAt(transform->value, "sql"); sql && sql->is_scalar()) {
      ReadSqlFile(*sql, table);
    }
  }

  void ReadSqlFile(const YamlNode& node, Table& table) {
    const std::string& folder = node.place.file ? node.place.file->folder : place_.folder;
    const std::string path = AbsolutePath(JoinPath(folder, node.text));
    table.sql_file = RelativePath(path, place_.folder);
    Result<std::string> text = ReadFile(path);
    if (!text.ok()) {
      std::string reason = FileExists(path)     ? "cannot be read"
                           : FolderExists(path) ? "is a folder"
                                                : "does not exist";
      problems_.Add(Fail(ErrorCode::kInvalid, "C0111", "the SQL file `{}` of table `{}` {}",
                         node.text, table.name, reason)
                        .Help(fmt::format("make `{}`, or correct the name: it is relative to the "
                                          "file that names it",
                                          table.sql_file)),
                    node.place);
    } else if (Trim(*text).empty()) {
      problems_.Add(Fail(ErrorCode::kInvalid, "C0111", "the SQL file `{}` of table `{}` is empty",
                         node.text, table.name)
                        .Help("write one select to it"),
                    node.place);
    }
  }

  void ReadProof(const YamlNode& map, Table& table) {
    const YamlNode* proof = MapAt(map, "proof");
    if (proof == nullptr) return;
    Assign(table.proof.samples, IntegerAt(*proof, "samples"));
    Assign(table.proof.max_rows, IntegerAt(*proof, "max_rows"));
    const YamlNode* columns = MapAt(*proof, "ignore_columns");
    if (columns == nullptr) return;
    for (const YamlEntry& column : columns->entries) {
      if (column.value.is_scalar()) {
        table.proof.ignore_columns.emplace(column.key, column.value.text);
      }
    }
  }

  const YamlNode& root_;
  const ProjectPlace& place_;
  Project& project_;
  Problems& problems_;
  std::vector<std::string> connections_;
  std::vector<std::string> pools_;
  std::vector<std::string> sources_;
  std::vector<std::string> tables_;
};

}  // namespace

void ReadTables(const YamlNode& root, const ProjectPlace& place, Project& project,
                Problems& problems) {
  TableReader(root, place, project, problems).Read();
}

}  // namespace retrofill
