#include "engine/gaps_operation.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "engine/plan_operation.h"
#include "engine/planner.h"
#include "engine/readiness.h"

namespace retrofill {

Result<GapsResult> FindGaps(const EngineContext& engine, const std::string& table,
                            const SelectionArguments& selection) {
  absl::Time as_of = engine.AsOf();
  RF_ASSIGN(OpenedTable opened, OpenTable(engine, table, std::nullopt, Access::kReadOnly, as_of));
  const TableContext& context = *opened.context;
  RF_ASSIGN(KnownFailures known, FindKnownFailures(engine, table));
  RF_ASSIGN(Selection chosen, Select(context, selection, as_of, known, *opened.session));
  GapsResult result;
  result.table = table;
  result.space = context.space;
  result.warnings = std::move(known.warnings);
  result.warnings.insert(result.warnings.end(), chosen.warnings.begin(), chosen.warnings.end());
  if (chosen.set.empty()) return result;
  result.echo = EchoLines(chosen.set, *context.space);
  RF_ASSIGN(Observation seen, Observe(context, chosen.set, *opened.session));
  using Blocked = std::map<std::string, std::string>;
  RF_ASSIGN(Blocked blocked, FindBlocked(context, chosen.set, as_of, *opened.session));
  result.health = JudgeHealth(context, chosen.set,
                              {.seen = &seen,
                               .blocked = &blocked,
                               .failed = &known.failed,
                               .unknown = &known.unknown,
                               .upstream = nullptr});
  for (const PartitionHealth& entry : result.health) {
    ++result.counts[entry.health];
    if (!entry.blocked.empty()) ++result.blocked;
  }
  return result;
}

namespace {

bool Matches(const Table& table, const std::string& word) {
  constexpr std::string_view kTag = "tag:";
  if (!word.starts_with(kTag)) return table.name == word;
  return std::find(table.tags.begin(), table.tags.end(), word.substr(kTag.size())) !=
         table.tags.end();
}

Status CheckWord(const Project& project, const std::string& word) {
  std::vector<std::string> names;
  for (const auto& [name, table] : project.tables) {
    if (Matches(table, word)) return Ok();
    names.push_back(name);
  }
  Error error = Fail(ErrorCode::kInvalid, "C0109", "`{}` chooses no table", word);
  if (std::optional<std::string> near = Nearest(word, names))
    return std::move(error).Help("did you mean `" + *near + "`?");
  return std::move(error).Help("a word is the name of a table, or `tag:NAME`");
}

}  // namespace

Result<std::vector<std::string>> ChooseTables(const Project& project,
                                              const std::vector<std::string>& select,
                                              const std::vector<std::string>& exclude) {
  for (const std::string& word : select) RF_TRY(CheckWord(project, word));
  for (const std::string& word : exclude) RF_TRY(CheckWord(project, word));
  std::vector<std::string> chosen;
  for (const auto& [name, table] : project.tables) {
    auto matches = [&table = table](const std::string& word) { return Matches(table, word); };
    bool in = select.empty() || std::any_of(select.begin(), select.end(), matches);
    if (in && std::none_of(exclude.begin(), exclude.end(), matches)) chosen.push_back(name);
  }
  return chosen;
}

}  // namespace retrofill
