#include "config/first_config.h"

#include <algorithm>
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "config/value_form.h"

namespace retrofill {
namespace {

constexpr std::string_view kHead =
    "# yaml-language-server: $schema=./.retrofill/schema/config.json\n"
    "version: 1\n";

// A word that YAML reads as the text it is, else with quotes.
std::string Word(const std::string& text) {
  const bool plain = IsName(text) && !YamlTypeOf(text) && Lower(text) != "null";
  return plain ? text : JsonText(text);
}

// A part of a relation's name as SQL.
std::string SqlName(const std::string& name) {
  const bool plain = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  }) && !(name.front() >= '0' && name.front() <= '9');
  if (plain) return name;
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

// Text that stays within a comment.
std::string Comment(std::string text) {
  std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20; }, ' ');
  return ToUtf8(text);
}

// The first column that holds instants, else the first that holds dates; empty if none does.
std::string TimeColumn(const std::vector<FirstColumn>& columns) {
  for (const std::string_view type : {"TIMESTAMP", "DATE"}) {
    for (const FirstColumn& column : columns) {
      if (column.type.starts_with(type)) return column.name;
    }
  }
  return {};
}

// A name that the configuration takes, different from those before.
std::string SourceName(const FirstRelation& relation, std::set<std::string>& taken) {
  std::string name;
  for (const char c : relation.schema + "." + relation.name) {
    name += IsName(std::string(1, c)) || c == '.' || c == '-' ? c : '_';
  }
  name = name.substr(0, 120);
  if (!IsName(name)) name = "source";
  std::string unique = name;
  for (int n = 2; !taken.insert(unique).second; ++n) unique = fmt::format("{}_{}", name, n);
  return unique;
}

std::string ExampleTable(std::string_view source, std::string_view time) {
  return fmt::format(
      "# A table that backfills rewrite. Write its select to the SQL file, then:\n"
      "#   retrofill config check; retrofill plan daily_totals 2025-01\n"
      "# tables:\n"
      "#   daily_totals:\n"
      "#     partition: {{by: day, column: day, begin: 2025-01-01}}\n"
      "#     grain: [day]\n"
      "#     inputs: [{{source: {0}}}]\n"
      "#     transform: {{sql: sql/daily_totals.sql}}\n"
      "#     reconcile: [{{count: {{source: \"count(*)\", target: \"sum(row_count)\"}}}}]\n"
      "#\n"
      "# sql/daily_totals.sql:\n"
      "#   select cast({1} as date) as day, count(*) as row_count\n"
      "#   from {{{{ source('{0}') }}}} where {{{{ window('{0}') }}}} group by 1\n",
      source, time);
}

}  // namespace

std::string EmptyFirstConfig() {
  return std::string(kHead) +
         "\n"
         "# The databases. One DuckDB file is enough.\n"
         "# connections:\n"
         "#   warehouse: {type: duckdb, path: warehouse.duckdb}\n"
         "\n"
         "# What transforms read: a relation of the connection, or files of it.\n"
         "# sources:\n"
         "#   main.orders: {event_time: ordered_at}\n"
         "\n" +
         ExampleTable("main.orders", "ordered_at");
}

std::string DuckdbFirstConfig(std::string_view path, const std::vector<FirstRelation>& relations) {
  std::string text(kHead);
  // A dollar in a path would begin a reference.
  std::string written;
  for (const char c : path) written += c == '$' ? "$$" : std::string(1, c);
  text += fmt::format("connections:\n  warehouse: {{type: duckdb, path: {}}}\n", JsonText(written));
  std::set<std::string> taken;
  std::string example;
  if (!relations.empty()) {
    text +=
        "\n# Every relation of the file. Keep those that transforms read; `event_time` is the "
        "column of the\n# time a row belongs to, without it a source is read as a whole.\n"
        "sources:\n";
  }
  for (const FirstRelation& relation : relations) {
    const std::string name = SourceName(relation, taken);
    const std::string time = TimeColumn(relation.columns);
    std::vector<std::string> columns;
    for (const FirstColumn& column : relation.columns) {
      columns.push_back(column.name + " " + column.type);
    }
    if (!columns.empty()) text += fmt::format("  # {}\n", Comment(Join(columns, ", ")));
    std::vector<std::string> keys;
    if (name != relation.schema + "." + relation.name ||
        SqlName(relation.schema) != relation.schema || SqlName(relation.name) != relation.name) {
      std::string sql = SqlName(relation.schema) + "." + SqlName(relation.name);
      std::string escaped;
      for (const char c : sql) escaped += c == '$' ? "$$" : std::string(1, c);
      keys.push_back("relation: " + JsonText(escaped));
    }
    if (!time.empty()) keys.push_back("event_time: " + Word(time));
    text += fmt::format("  {}: {{{}}}\n", name, Join(keys, ", "));
    if (example.empty() && !time.empty()) example = ExampleTable(name, Comment(SqlName(time)));
  }
  return text + "\n" + (example.empty() ? ExampleTable("main.orders", "ordered_at") : example);
}

}  // namespace retrofill
