#include "engine/table_choice.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/text.h"
#include "engine/table_references.h"

namespace retrofill {
namespace {

using Names = std::set<std::string>;

TableReads Reversed(const TableReads& reads) {
  TableReads reversed;
  for (const auto& [reader, tables] : reads) {
    for (const std::string& table : tables) reversed[table].push_back(reader);
  }
  return reversed;
}

void AddReachable(const TableReads& edges, const std::string& from, Names& names) {
  if (!names.insert(from).second) return;
  const auto next = edges.find(from);
  if (next == edges.end()) return;
  for (const std::string& name : next->second) AddReachable(edges, name, names);
}

template <typename Matches>
Names Matching(const Project& project, const Matches& matches) {
  Names names;
  for (const auto& [name, table] : project.tables) {
    if (matches(table)) names.insert(name);
  }
  return names;
}

Names ChosenBy(const Project& project, std::string_view word) {
  constexpr std::string_view kTag = "tag:";
  constexpr std::string_view kPath = "path:";
  if (word.starts_with(kTag)) {
    return Matching(project, [tag = word.substr(kTag.size())](const Table& table) {
      return std::find(table.tags.begin(), table.tags.end(), tag) != table.tags.end();
    });
  }
  if (word.starts_with(kPath)) {
    return Matching(project, [path = word.substr(kPath.size())](const Table& table) {
      return !path.empty() && table.sql_file.starts_with(path);
    });
  }
  const bool upstream = word.starts_with('+');
  if (upstream) word.remove_prefix(1);
  const bool downstream = word.ends_with('+');
  if (downstream) word.remove_suffix(1);
  const std::string name(word);
  Names names;
  if (!project.tables.contains(name)) return names;
  names.insert(name);
  if (!upstream && !downstream) return names;
  const TableReads reads = FindReferences(project);
  Names above;
  if (upstream) AddReachable(reads, name, above);
  Names below;
  if (downstream) AddReachable(Reversed(reads), name, below);
  names.merge(above);
  names.merge(below);
  return names;
}

Error ChoosesNothing(const Project& project, const std::string& word) {
  std::vector<std::string> names;
  for (const auto& [name, table] : project.tables) names.push_back(name);
  Error error = Fail(ErrorCode::kInvalid, "C0109", "`{}` chooses no table", word);
  if (std::optional<std::string> near = Nearest(word, names))
    return std::move(error).Help("did you mean `" + *near + "`?");
  return std::move(error).Help(
      "a word is the name of a table, `NAME+`, `+NAME`, `tag:NAME` or `path:FOLDER/`");
}

Result<Names> ChosenByAll(const Project& project, const std::vector<std::string>& words) {
  Names names;
  for (const std::string& word : words) {
    Names chosen = ChosenBy(project, word);
    if (chosen.empty()) return ChoosesNothing(project, word);
    names.merge(chosen);
  }
  return names;
}

}  // namespace

Result<std::vector<std::string>> ChooseTables(const Project& project,
                                              const std::vector<std::string>& select,
                                              const std::vector<std::string>& exclude) {
  RF_ASSIGN(const Names selected, ChosenByAll(project, select));
  RF_ASSIGN(const Names excluded, ChosenByAll(project, exclude));
  std::vector<std::string> chosen;
  for (const auto& [name, table] : project.tables) {
    if ((select.empty() || selected.contains(name)) && !excluded.contains(name))
      chosen.push_back(name);
  }
  return chosen;
}

}  // namespace retrofill
