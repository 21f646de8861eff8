#pragma once

// The journal as the engine uses it: typed events, plans and baselines by backfill.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "engine/baseline.h"
#include "journal/journal.h"
#include "model/backfill.h"

namespace retrofill {

struct LoadedBackfills {
  std::vector<BackfillState> states;
  std::vector<Diagnostic> warnings;  // one P0308 for each whose plan cannot be read: it is left out
};

// Used by one thread at a time, as the journal below it.
class BackfillStore {
 public:
  // Journal and clock outlive the store. `actor` is user@host, written into every event.
  BackfillStore(Journal* journal, const Clock* clock, std::string actor)
      : journal_(journal), clock_(clock), actor_(std::move(actor)) {}

  Journal& journal() { return *journal_; }
  const std::string& actor() const { return actor_; }
  const Clock& clock() const { return *clock_; }

  // Appends durably, all or none. Returns the last seq.
  Result<int64_t> Append(const std::string& backfill, const std::vector<EventBody>& bodies);
  // Stores plan and baseline under the hash, then the event that makes it a backfill. kConflict
  // X0105 if the name is taken.
  Status Create(const Plan& plan, const Baseline& baseline, const std::string& undoes_backfill);
  // kConflict X0105 if a backfill has that name.
  Status CheckFree(const std::string& name);

  // The state from all its events, and whether the process that drove it is gone. kInvalid C0109
  // with a suggestion for an unknown id; kCorrupt for a damaged journal.
  Result<BackfillState> Load(const std::string& backfill);
  // Applies the events after state.last_seq; returns them.
  Result<std::vector<Event>> Refresh(BackfillState& state);
  Result<std::vector<Event>> Events(const std::string& backfill, int64_t after);
  Result<std::vector<std::string>> Ids();
  // Every backfill, or every one of a table, oldest first.
  Result<LoadedBackfills> LoadAll(const std::string& table = "");
  // The newest backfill of this plan hash, if any.
  Result<std::optional<std::string>> FindByHash(const std::string& hash);
  Result<std::shared_ptr<const Plan>> LoadPlan(const std::string& hash);
  // nullopt if the journal does not hold it (it was deleted since).
  Result<std::optional<Baseline>> LoadBaseline(const std::string& hash);
  // A name that no backfill has: `TABLE-YYYYMMDD-n`.
  Result<std::string> FreshName(const std::string& table, absl::Time as_of);

 private:
  // The event that made a backfill.
  Result<std::optional<PlanCreated>> CreationOf(const std::string& backfill);
  // Sets state.interrupted.
  Status LookForDriver(BackfillState& state);

  Journal* journal_;
  const Clock* clock_;
  std::string actor_;
};

}  // namespace retrofill
