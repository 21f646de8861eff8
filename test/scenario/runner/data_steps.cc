// Steps on the target and on files as a whole, and the checks after the last line.

#include <filesystem>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "journal/sqlite_journal.h"
#include "scenario_run.h"
#include "target.h"

namespace retrofill::scenario {
namespace {

namespace fs = std::filesystem;

// Opening a database may move its bytes without changing its rows; those are compared by row.
bool IsDatabaseFile(const std::string& name) {
  return name.find(".duckdb") != std::string::npos || name.find("journal.db-") != std::string::npos;
}

std::string FirstDifference(const std::map<std::string, std::string>& before,
                            const std::map<std::string, std::string>& after,
                            const std::set<std::string>& except) {
  for (const auto& [name, digest] : before) {
    if (except.contains(name)) continue;
    const auto found = after.find(name);
    if (found == after.end()) return name + " is gone";
    if (found->second != digest) return name + ": " + digest + ", now " + found->second;
  }
  for (const auto& [name, digest] : after) {
    if (!except.contains(name) && !before.contains(name)) return name + " is new: " + digest;
  }
  return {};
}

}  // namespace

// Also `hold database` and `let database go`: the runner itself is the other process.
std::optional<Status> ScenarioRun::DataStep(const Line& line) {
  const std::string& verb = line.verb;
  if (verb == "execute") {
    const Status done =
        ExecuteSql(DatabasePath(), Substitute(Join(line.block, "\n"), {{"project", project_}}));
    if (!done.ok()) return Failed(line, done.error().message());
    return Ok();
  }
  if (verb == "query") return CheckQuery(line);
  if (verb == "hold") {
    RF_ASSIGN(held_, HeldDatabase::Hold(DatabasePath()));
    return Ok();
  }
  if (verb == "let") return held_.reset(), Ok();
  if (verb == "snapshot") return TakeSnapshot(line);
  if (verb == "unchanged") return CompareSnapshot(line);
  return std::nullopt;
}

Status ScenarioRun::CheckQuery(const Line& line) const {
  Result<std::vector<std::string>> rows = QuerySql(DatabasePath(), Join(line.block, "\n"));
  if (!rows.ok()) return Failed(line, rows.error().message());
  if (*rows != line.rows) {
    return Failed(line, "expected:\n" + Join(line.rows, "\n") + "\ngot:\n" + Join(*rows, "\n"));
  }
  return Ok();
}

Result<std::map<std::string, std::string>> ScenarioRun::FileDigests() const {
  std::map<std::string, std::string> digests;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(project_, error)) {
    const std::string name = RelativePath(entry.path().string(), project_);
    if (entry.is_directory() || IsDatabaseFile(name)) continue;
    RF_ASSIGN(digests[name], Sha256HexOfFile(entry.path().string()));
  }
  return digests;
}

Status ScenarioRun::TakeSnapshot(const Line& line) {
  Snapshot& snapshot = snapshots_[line.rest];
  RF_ASSIGN(snapshot.relations, RelationDigests(DatabasePath(), {.with_own = true}));
  RF_ASSIGN(snapshot.files, FileDigests());
  return Ok();
}

// `unchanged NAME [relations|rows] [except A B ...]`: everything; only relations; only relations
// that are not the program's own.
Status ScenarioRun::CompareSnapshot(const Line& line) {
  if (line.words.empty() || !snapshots_.contains(line.words[0])) {
    return Failed(line, "no such snapshot");
  }
  const Snapshot& before = snapshots_[line.words[0]];
  size_t next = 1;
  const std::string what = line.words.size() > next && line.words[next] != "except"
                               ? line.words[next++]
                               : std::string("all");
  std::set<std::string> except;
  if (line.words.size() > next) except.insert(line.words.begin() + next + 1, line.words.end());
  RF_ASSIGN(auto relations, RelationDigests(DatabasePath(), {.with_own = true}));
  if (what == "rows") {
    for (const auto* side :
         {&before.relations, const_cast<const decltype(relations)*>(&relations)}) {
      for (const auto& [name, digest] : *side) {
        if (name.starts_with("retrofill")) except.insert(name);
      }
    }
  }
  std::string difference = FirstDifference(before.relations, relations, except);
  if (difference.empty() && what == "all") {
    RF_ASSIGN(const auto files, FileDigests());
    difference = FirstDifference(before.files, files, except);
  }
  if (!difference.empty()) return Failed(line, difference);
  return Ok();
}

Status ScenarioRun::CheckSecrets() const {
  if (secrets_.empty()) return Ok();
  std::vector<std::string> texts = said_;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(project_ + "/.retrofill", error)) {
    if (entry.is_directory()) continue;
    RF_ASSIGN(std::string text, ReadFile(entry.path().string()));
    texts.push_back(std::move(text));
  }
  for (const std::string& secret : secrets_) {
    for (const std::string& text : texts) {
      if (text.find(secret) != std::string::npos) {
        return Fail(ErrorCode::kFailed, "X0199", "the secret `{}` was written down", secret);
      }
    }
  }
  return Ok();
}

}  // namespace retrofill::scenario
