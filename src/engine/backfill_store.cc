#include "engine/backfill_store.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace retrofill {
namespace {

constexpr int64_t kReadAtOnce = 10'000;

Result<std::optional<Event>> ToEvent(const Record& record) {
  RF_ASSIGN(std::optional<EventBody> body, ParseEvent(record.type, record.body));
  if (!body) return std::optional<Event>();
  return std::optional<Event>(Event{.seq = record.seq,
                                    .backfill = record.backfill,
                                    .at = record.at,
                                    .actor = record.actor,
                                    .body = *std::move(body)});
}

}  // namespace

Result<int64_t> BackfillStore::Append(const std::string& backfill,
                                      const std::vector<EventBody>& bodies) {
  std::vector<Record> records;
  for (const EventBody& body : bodies) {
    records.push_back({.seq = 0,
                       .backfill = backfill,
                       .at = clock_->Now(),
                       .actor = actor_,
                       .type = std::string(EventType(body)),
                       .body = EventText(body)});
  }
  return journal_->Append(records);
}

Status BackfillStore::CheckFree(const std::string& name) {
  RF_ASSIGN(std::vector<std::string> ids, Ids());
  if (std::find(ids.begin(), ids.end(), name) == ids.end()) return Ok();
  return Fail(ErrorCode::kConflict, "X0105", "a backfill named `{}` exists", name)
      .Help("choose another name with --name");
}

Status BackfillStore::Create(const Plan& plan, const Baseline& baseline,
                             const std::string& undoes_backfill) {
  RF_TRY(CheckFree(plan.name));
  absl::Time now = clock_->Now();
  RF_TRY(journal_->Put({.kind = "plan", .key = plan.hash, .text = plan.text, .at = now}));
  RF_TRY(journal_->Put(
      {.kind = "baseline", .key = plan.hash, .text = BaselineText(baseline), .at = now}));
  RF_ASSIGN(int64_t seq, Append(plan.name, {PlanCreated{.plan = plan.hash,
                                                        .table = plan.table,
                                                        .undoes = plan.undoes,
                                                        .undoes_backfill = undoes_backfill}}));
  static_cast<void>(seq);
  return Ok();
}

Result<std::vector<Event>> BackfillStore::Events(const std::string& backfill, int64_t after) {
  std::vector<Event> events;
  while (true) {
    RF_ASSIGN(std::vector<Record> records, journal_->Read(backfill, after, kReadAtOnce));
    for (const Record& record : records) {
      RF_ASSIGN(std::optional<Event> event, ToEvent(record));
      if (event) events.push_back(*std::move(event));
      after = record.seq;
    }
    if (static_cast<int64_t>(records.size()) < kReadAtOnce) return events;
  }
}

Result<BackfillState> BackfillStore::Load(const std::string& backfill) {
  RF_ASSIGN(std::vector<Event> events, Events(backfill, 0));
  const PlanCreated* created = events.empty() ? nullptr : std::get_if<PlanCreated>(&events[0].body);
  if (created == nullptr) {
    RF_ASSIGN(std::vector<std::string> ids, Ids());
    Error error = Fail(ErrorCode::kInvalid, "C0109", "no backfill is named `{}`", backfill);
    if (std::optional<std::string> near = Nearest(backfill, ids))
      return std::move(error).Help("did you mean `" + *near + "`?");
    return std::move(error).Help("list them: retrofill history");
  }
  RF_ASSIGN(std::shared_ptr<const Plan> plan, LoadPlan(created->plan));
  BackfillState state = StartBackfill(backfill, std::move(plan));
  for (const Event& event : events) Apply(state, event);
  RF_TRY(LookForDriver(state));
  return state;
}

Status BackfillStore::LookForDriver(BackfillState& state) {
  if (!NeedsDriver(state)) return Ok();
  RF_ASSIGN(std::optional<Lease> lease, journal_->ReadLease(state.id));
  if (lease && lease->alive) return Ok();
  // It may have come to its end after its events were read, and another may have begun.
  std::string owner = state.owner;
  RF_TRY(Refresh(state));
  state.interrupted = NeedsDriver(state) && state.owner == owner;
  return Ok();
}

Result<std::vector<Event>> BackfillStore::Refresh(BackfillState& state) {
  RF_ASSIGN(std::vector<Event> events, Events(state.id, state.last_seq));
  for (const Event& event : events) Apply(state, event);
  return events;
}

Result<std::vector<std::string>> BackfillStore::Ids() { return journal_->Backfills(); }

Result<LoadedBackfills> BackfillStore::LoadAll(const std::string& table) {
  LoadedBackfills loaded;
  RF_ASSIGN(std::vector<std::string> ids, Ids());
  for (const std::string& id : ids) {
    if (!table.empty()) {
      RF_ASSIGN(std::optional<PlanCreated> created, CreationOf(id));
      if (created && created->table != table) continue;
    }
    Result<BackfillState> state = Load(id);
    if (state.ok()) {
      loaded.states.push_back(std::move(state).value());
      continue;
    }
    // A plan of another version says nothing about the other backfills.
    if (state.error().id() != "P0308") return std::move(state).error();
    Diagnostic warning = Warn("P0308", "backfill {} is left out, its plan cannot be read: {}", id,
                              state.error().message());
    warning.helps.push_back("look at it with the version of retrofill that planned it");
    loaded.warnings.push_back(std::move(warning));
  }
  return loaded;
}

Result<std::optional<PlanCreated>> BackfillStore::CreationOf(const std::string& backfill) {
  RF_ASSIGN(std::vector<Record> first, journal_->Read(backfill, 0, 1));
  if (first.empty()) return std::optional<PlanCreated>();
  RF_ASSIGN(std::optional<Event> event, ToEvent(first[0]));
  const PlanCreated* created = event ? std::get_if<PlanCreated>(&event->body) : nullptr;
  return created != nullptr ? std::optional<PlanCreated>(*created) : std::nullopt;
}

Result<std::optional<std::string>> BackfillStore::FindByHash(const std::string& hash) {
  RF_ASSIGN(std::vector<std::string> ids, Ids());
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
    RF_ASSIGN(std::optional<PlanCreated> created, CreationOf(*id));
    if (created && created->plan == hash) return std::optional<std::string>(*id);
  }
  return std::optional<std::string>();
}

Result<std::shared_ptr<const Plan>> BackfillStore::LoadPlan(const std::string& hash) {
  RF_ASSIGN(std::optional<Document> document, journal_->Get("plan", hash));
  if (!document)
    return Fail(ErrorCode::kCorrupt, "W0201", "the journal has no plan {}", hash.substr(0, 8));
  RF_ASSIGN(Plan plan, ParsePlan(document->text));
  return std::make_shared<const Plan>(std::move(plan));
}

Result<std::optional<Baseline>> BackfillStore::LoadBaseline(const std::string& hash) {
  RF_ASSIGN(std::optional<Document> document, journal_->Get("baseline", hash));
  if (!document) return std::optional<Baseline>();
  RF_ASSIGN(Baseline baseline, ParseBaseline(document->text));
  return std::optional<Baseline>(std::move(baseline));
}

Result<std::string> BackfillStore::FreshName(const std::string& table, absl::Time as_of) {
  std::string stem = Lower(table);
  for (char& c : stem) {
    bool fits =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
    if (!fits) c = '-';
  }
  if (stem.empty() || stem[0] == '.' || stem[0] == '_' || stem[0] == '-') stem = "t" + stem;
  stem = stem.substr(0, 45) + "-" + absl::FormatTime("%Y%m%d", as_of, absl::UTCTimeZone());
  RF_ASSIGN(std::vector<std::string> ids, Ids());
  for (int n = 1;; ++n) {
    std::string name = fmt::format("{}-{}", stem, n);
    if (std::find(ids.begin(), ids.end(), name) == ids.end()) return name;
  }
}

}  // namespace retrofill
