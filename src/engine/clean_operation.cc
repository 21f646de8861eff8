#include "engine/clean_operation.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "engine/end_run.h"
#include "warehouse/scratch_leftover.h"

namespace retrofill {
namespace {

// Who made an object, by its name: stages and pre-images of a plan have the same one.
struct Maker {
  BackfillState state;
  Keep keep;
};

Result<std::map<std::string, Maker>> Makers(const EngineContext& engine) {
  std::map<std::string, Maker> makers;
  RF_ASSIGN(std::vector<std::string> ids, engine.store->Ids());
  for (const std::string& id : ids) {
    RF_ASSIGN(BackfillState state, engine.store->Load(id));
    auto table = engine.project->tables.find(state.plan->table);
    Keep keep = table == engine.project->tables.end() ? Keep{} : table->second.keep;
    std::string name = StageName(state.plan->relation, state.plan->hash);
    makers.insert_or_assign(std::move(name), Maker{.state = std::move(state), .keep = keep});
  }
  return makers;
}

// Rows that an undo that is under way still needs.
std::set<std::string> InUse(const std::map<std::string, Maker>& makers) {
  std::set<std::string> used;
  for (const auto& [name, maker] : makers) {
    if (!maker.state.plan->undoes.empty() && !IsFinal(maker.state.phase))
      used.insert(StageName(maker.state.plan->relation, maker.state.plan->undoes));
  }
  return used;
}

void JudgeStage(const Maker& maker, absl::Time now, CleanEntry& entry) {
  const BackfillState& state = maker.state;
  if (!IsFinal(state.phase) && state.phase != BackfillPhase::kPlanned &&
      state.phase != BackfillPhase::kProven) {
    entry.why = fmt::format("stage of {}, which is {}", state.id, PhaseText(state.phase));
    bool old = state.Counts().indeterminate == 0 && !state.started &&
               now - state.created > absl::Hours(24 * 28) + maker.keep.stage;
    entry.expired = old;
    return;
  }
  absl::Time until = state.finished.value_or(state.created) + maker.keep.stage;
  entry.expired = now >= until || state.phase == BackfillPhase::kCancelled;
  entry.why = fmt::format("stage of {}, which is {}", state.id, PhaseText(state.phase));
}

void JudgeBackup(const Maker& maker, absl::Time now, bool in_use, CleanEntry& entry) {
  const BackfillState& state = maker.state;
  if (state.Counts().indeterminate > 0 || in_use || state.publish_intended) {
    entry.why =
        in_use ? "saved rows that an undo needs" : "saved rows of a publish whose outcome is open";
    return;
  }
  if (state.undo_until) {
    entry.expired = now >= *state.undo_until;
    entry.why = fmt::format("saved rows of {}, kept for undo until {}", state.id,
                            FormatInstant(*state.undo_until));
    return;
  }
  bool live = !IsFinal(state.phase);
  entry.expired = !live;
  entry.why = fmt::format("saved rows of {}, which is {} and published nothing", state.id,
                          PhaseText(state.phase));
}

Status ListOne(const EngineContext& engine, const std::string& connection,
               const std::map<std::string, Maker>& makers, std::vector<CleanEntry>& entries) {
  Result<std::unique_ptr<Warehouse>> warehouse =
      engine.open(engine.project->connections.at(connection), Access::kReadOnly, true);
  if (!warehouse.ok()) return std::move(warehouse).error();
  RF_ASSIGN(std::unique_ptr<Session> session, (*warehouse)->Connect());
  RF_ASSIGN(std::vector<StoredObject> objects, session->ListObjects());
  std::set<std::string> used = InUse(makers);
  absl::Time now = engine.clock->Now();
  for (StoredObject& object : objects) {
    CleanEntry entry{.connection = connection,
                     .object = std::move(object),
                     .file = "",
                     .backfill = "",
                     .why = "no plan of this journal made it",
                     .expired = false};
    auto maker = makers.find(entry.object.table);
    if (maker != makers.end()) {
      entry.backfill = maker->second.state.id;
      if (entry.object.schema == "retrofill_stage") {
        JudgeStage(maker->second, now, entry);
      } else {
        JudgeBackup(maker->second, now, used.contains(entry.object.table), entry);
      }
    }
    entries.push_back(std::move(entry));
  }
  return Ok();
}

Status ListScratch(const EngineContext& engine, std::vector<CleanEntry>& entries) {
  RF_ASSIGN(const std::vector<ScratchFile> files, ListScratchFiles(engine.ScratchFolder()));
  for (const ScratchFile& file : files) {
    entries.push_back({.connection = "",
                       .object = {},
                       .file = file.path,
                       .backfill = "",
                       .why = fmt::format("scratch of a proof {}, {}",
                                          file.is_held ? "under way" : "that was killed",
                                          ByteSizeText(file.bytes)),
                       .expired = !file.is_held});
  }
  return Ok();
}

void Count(Result<bool> dropped, const std::string& name, CleanResult& result) {
  if (!dropped.ok()) {
    result.failed.push_back(name + ": " + dropped.error().message());
  } else if (*dropped) {
    ++result.dropped;
  }
}

}  // namespace

Result<std::vector<CleanEntry>> ListCleanable(const EngineContext& engine) {
  RF_ASSIGN(auto makers, Makers(engine));
  std::vector<CleanEntry> entries;
  for (const auto& [name, connection] : engine.project->connections)
    RF_TRY(ListOne(engine, name, makers, entries));
  RF_TRY(ListScratch(engine, entries));
  return entries;
}

Result<CleanResult> Clean(const EngineContext& engine, const std::vector<CleanEntry>& entries) {
  CleanResult result;
  std::map<std::string, std::vector<const CleanEntry*>> by_connection;
  for (const CleanEntry& entry : entries) {
    if (!entry.expired) continue;
    if (entry.file.empty()) by_connection[entry.connection].push_back(&entry);
  }
  for (const CleanEntry& entry : entries) {
    if (entry.expired && !entry.file.empty())
      Count(RemoveScratchFile(entry.file), entry.file, result);
  }
  for (const auto& [connection, list] : by_connection) {
    RF_ASSIGN(std::unique_ptr<Warehouse> warehouse,
              engine.open(engine.project->connections.at(connection), Access::kReadWrite, false));
    RF_ASSIGN(std::unique_ptr<Session> session, warehouse->Connect());
    for (const CleanEntry* entry : list) {
      Status dropped = session->DropObject(entry->object);
      Count(dropped.ok() ? Result<bool>(true) : std::move(dropped).error(),
            entry->object.schema + "." + entry->object.table, result);
    }
  }
  return result;
}

}  // namespace retrofill
