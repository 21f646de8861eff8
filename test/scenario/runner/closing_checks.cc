// What is checked after the last line of every scenario without being asked: the journal folds, and
// what it calls published is what the ledger in the target says.

#include <memory>
#include <set>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "journal/sqlite_journal.h"
#include "model/backfill.h"
#include "model/event.h"
#include "model/plan.h"
#include "scenario_run.h"
#include "target.h"

namespace retrofill::scenario {
namespace {

// The state of one backfill, by the fold that the program itself uses.
Result<BackfillState> Fold(Journal& journal, const std::string& id) {
  RF_ASSIGN(const std::vector<Record> records, journal.Read(id, 0, INT64_MAX));
  std::optional<BackfillState> state;
  for (const Record& record : records) {
    RF_ASSIGN(std::optional<EventBody> body, ParseEvent(record.type, record.body));
    if (!body.has_value()) continue;
    if (const auto* created = std::get_if<PlanCreated>(&*body)) {
      RF_ASSIGN(const std::optional<Document> text, journal.Get("plan", created->plan));
      if (!text.has_value()) {
        return Fail(ErrorCode::kFailed, "X0199", "the journal has no plan {}", created->plan);
      }
      RF_ASSIGN(Plan plan, ParsePlan(text->text));
      state = StartBackfill(id, std::make_shared<const Plan>(std::move(plan)));
    }
    if (!state.has_value()) {
      return Fail(ErrorCode::kFailed, "X0199", "{} does not begin with its plan", id);
    }
    Apply(*state, {.seq = record.seq,
                   .backfill = record.backfill,
                   .at = record.at,
                   .actor = record.actor,
                   .body = std::move(*body)});
  }
  if (!state.has_value()) return Fail(ErrorCode::kFailed, "X0199", "{} has no events", id);
  return *state;
}

std::set<std::string> PublishedParts(const BackfillState& state) {
  std::set<std::string> parts;
  for (const PartitionState& partition : state.partitions) {
    if (partition.phase == PartitionPhase::kPublished ||
        partition.phase == PartitionPhase::kUndone) {
      parts.insert(partition.part);
    }
  }
  return parts;
}

Result<std::set<std::string>> LedgerParts(const std::string& database, const std::string& plan) {
  std::set<std::string> parts;
  RF_ASSIGN(const auto relations, RelationDigests(database, {.with_own = true}));
  if (!relations.contains("retrofill.ledger")) return parts;
  RF_ASSIGN(
      const std::vector<std::string> rows,
      QuerySql(database, "select part from retrofill.ledger where kind = 'publish' and plan = '" +
                             plan + "'"));
  parts.insert(rows.begin(), rows.end());
  return parts;
}

}  // namespace

Status ScenarioRun::CheckJournal() const {
  const std::string path = PathOf(".retrofill/journal.db");
  if (!FileExists(path) || !FileExists(DatabasePath())) return Ok();
  const auto journal = OpenSqliteJournal(path, JournalAccess::kReadOnly);
  const Result<std::vector<std::string>> ids = journal->Backfills();
  if (!ids.ok()) return Ok();  // a scenario may end with a journal that it damaged
  for (const std::string& id : *ids) {
    RF_ASSIGN(const BackfillState state, Fold(*journal, id));
    RF_ASSIGN(const std::set<std::string> ledger, LedgerParts(DatabasePath(), state.plan->hash));
    const std::set<std::string> published = PublishedParts(state);
    if (published != ledger) {
      return Fail(ErrorCode::kFailed, "X0199",
                  "{}: the journal calls {} partitions published, the ledger {}", id,
                  published.size(), ledger.size());
    }
    RF_ASSIGN(const ChildResult said,
              RunChild({options_.program, "status", id, "--json"}, ProgramOptions()));
    const std::string word = fmt::format("\"{}\"", PhaseText(state.phase));
    if (said.output.find(word) == std::string::npos) {
      return Fail(ErrorCode::kFailed, "X0199", "{}: the journal folds to {}, status says: {}{}", id,
                  word, said.output, said.errors);
    }
  }
  return Ok();
}

}  // namespace retrofill::scenario
