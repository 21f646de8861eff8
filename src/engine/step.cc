#include "engine/step.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/check.h"
#include "engine/unit_size.h"

namespace retrofill {
namespace {

// Collects what one step does.
class Stepper {
 public:
  explicit Stepper(RunState& state) : state_(state) {}

  void operator()(const SessionOpened& e) {
    state_.opened = true;
    Record(SessionStarted{.owner = e.owner, .slots = state_.options.slots});
  }

  void operator()(const Prepared& e) {
    state_.busy = false;
    state_.prepared = true;
    state_.plan_ended = e.ended;
    if (state_.fold.plan_no == 0) Record(Registered{.plan_no = e.plan_no});
    for (const UnitPart& part : e.epochs)
      At(part.part).epoch = std::max(At(part.part).epoch, part.epoch);
    for (const PartitionPublished& published : e.published) Record(published);
    if (!e.vanished.empty()) {
      return Attention(
          Fail(ErrorCode::kFailed, "W0202",
               "the target lost {} publishes that the journal knows, the first is {}",
               e.vanished.size(), e.vanished[0])
              .Help("the database was restored or replaced; plan the partitions again"));
    }
    std::vector<std::string> unknown;
    for (const PartitionState& p : state_.fold.partitions) {
      if (p.phase == PartitionPhase::kIndeterminate) unknown.push_back(p.part);
    }
    bool none_published =
        std::none_of(state_.fold.partitions.begin(), state_.fold.partitions.end(),
                     [](const PartitionState& p) { return p.phase == PartitionPhase::kPublished; });
    if (!unknown.empty() || (state_.fold.publish_intended && none_published))
      Record(OutcomeNotPublished{.parts = unknown});
    if (!e.lost.empty()) Record(StageLost{.parts = e.lost, .why = e.lost_why});
  }

  void operator()(const UnitsBuilt& e) {
    --state_.builds;
    state_.time_built += e.elapsed;
    std::optional<Error> fatal;  // of the session: the units after it have the same
    for (const UnitOutcome& outcome : e.units) {
      auto unit = state_.running.find(outcome.unit);
      RF_CHECK(unit != state_.running.end(), "unit {} is not running", outcome.unit);
      std::vector<size_t> places = std::move(unit->second);
      state_.running.erase(unit);
      if (!outcome.broken) {
        Take(outcome);
        continue;
      }
      state_.stage_dirty = true;
      if (outcome.broken->code() == ErrorCode::kFailed) {
        UnitFailed(std::move(places), *outcome.broken);
      } else if (!fatal) {
        fatal = outcome.broken;
      }
    }
    if (fatal) Broken(*fatal);
  }

  void operator()(const RangeChecked& e) {
    state_.busy = false;
    for (const CheckResult& check : e.checks) {
      if (check.verdict != Verdict::kOk && !check.warn_only) return CheckFailed(e, check);
    }
    if (!state_.fold.published) {
      Record(RangeVerified{.checks = e.checks});
    } else {
      state_.checked_after = true;
      state_.after_checks = e.checks;
    }
  }

  void operator()(const AnnounceAsked& e) {
    Record(CommitAnnounced{.transaction = e.transaction});
    output_.commands.push_back(AnswerAnnounce{});
  }

  void operator()(const GroupPublished& e) {
    state_.busy = false;
    for (const PartitionPublished& row : e.rows) {
      if (At(row.part).phase != PartitionPhase::kPublished) Record(row);
    }
    if (Left(PartitionPhase::kPublished) == 0) PublishedAll(e.elapsed);
  }

  void operator()(const PlanEnded&) {
    state_.busy = false;
    state_.plan_ended = true;
  }

  void operator()(const CommandBroken& e) {
    state_.busy = false;
    if (e.error.code() == ErrorCode::kIndeterminate) return Unknown(e.error);
    NotPublished();  // every other error rolled the transaction back
    if (e.error.code() == ErrorCode::kUnavailable) return Pause(e.error);
    if (e.error.code() == ErrorCode::kCancelled) {
      if (!state_.stop) state_.stop = StopAsked{.kind = StopKind::kPause, .reason = "cancelled"};
      return;
    }
    Attention(e.error);
  }

  void operator()(const StopAsked& e) {
    if (!state_.stop || static_cast<int>(e.kind) > static_cast<int>(state_.stop->kind))
      state_.stop = e;
  }

  void operator()(const TimePassed&) {}

  // What follows from the state, whatever the event was.
  void Decide() {
    if (state_.end || !state_.opened) return;
    if (state_.stop) return Stop();
    if (state_.busy) return;
    if (!state_.prepared) return Start(PrepareCommand{});
    if (state_.fold.published) return AfterPublish();
    if (TooManyFailed()) return;
    if (state_.options.per_partition && AnyStaged()) return Publish();
    Build();
    if (!state_.running.empty() || !state_.split.empty()) return;
    BackfillCounts counts = state_.fold.Counts();
    if (counts.waiting > 0) return;  // all of them wait for their next attempt
    if (counts.failed > 0) return Partial(counts);
    if (Left(PartitionPhase::kPublished) == 0) return PublishedAll(absl::ZeroDuration());
    if (!state_.fold.verified) return Start(CheckCommand{.after_publish = false});
    if (!state_.options.publish) return End(RunOutcome::kVerified, std::nullopt);
    Publish();
  }

  StepOutput TakeOutput() { return std::move(output_); }

 private:
  void Take(const UnitOutcome& outcome) {
    state_.partitions_built += static_cast<int64_t>(outcome.staged.size() + outcome.failed.size());
    for (const PartitionStaged& staged : outcome.staged) Record(staged);
    if (!outcome.failed.empty()) state_.stage_dirty = true;
    for (PartitionFailed failed : outcome.failed) {
      failed.attempt = At(failed.part).attempts + 1;
      Record(std::move(failed));
    }
  }

  // No fault of a partition: the session ends.
  void Broken(const Error& error) {
    switch (error.code()) {
      case ErrorCode::kCancelled:
        if (!state_.stop) state_.stop = StopAsked{.kind = StopKind::kPause, .reason = "cancelled"};
        return;
      case ErrorCode::kUnavailable:
        return Pause(error);
      case ErrorCode::kFailed:
      case ErrorCode::kInvalid:
      case ErrorCode::kRefused:
      case ErrorCode::kConflict:
      case ErrorCode::kIndeterminate:
      case ErrorCode::kCorrupt:
      case ErrorCode::kInternal:
        return Attention(error);
    }
  }

  void Record(EventBody body) {
    Event event{.seq = 0,
                .backfill = state_.fold.id,
                .at = state_.now,
                .actor = "",
                .body = std::move(body)};
    Apply(state_.fold, event);
    output_.records.push_back(std::move(event.body));
  }

  PartitionState& At(const std::string& part) {
    auto found = state_.fold.index.find(part);
    RF_CHECK(found != state_.fold.index.end(), "no partition {} in {}", part, state_.fold.id);
    return state_.fold.partitions[found->second];
  }

  // Partitions to compute that are not in this phase.
  int64_t Left(PartitionPhase phase) const {
    return std::count_if(
        state_.fold.partitions.begin(), state_.fold.partitions.end(),
        [&](const PartitionState& p) { return IsComputed(p.action) && p.phase != phase; });
  }

  void Start(Command command) {
    state_.busy = true;
    output_.commands.push_back(std::move(command));
  }

  void End(RunOutcome outcome, std::optional<Error> error) {
    state_.end = RunEnd{.outcome = outcome, .error = std::move(error)};
  }

  void Attention(const Error& error, std::vector<std::string> next = {}) {
    Record(AttentionNeeded{.id = error.id(), .message = error.message(), .next = std::move(next)});
    End(RunOutcome::kAttention, error);
  }

  void Pause(const Error& error) {
    Record(BackfillPaused{.reason = error.id() + " " + error.message()});
    End(RunOutcome::kPaused, error);
  }

  void NotPublished() {
    OutcomeNotPublished outcome;
    for (const PartitionState& p : state_.fold.partitions) {
      if (p.phase == PartitionPhase::kIndeterminate) outcome.parts.push_back(p.part);
    }
    bool announced = !outcome.parts.empty();
    // Before a session has looked into the ledger, what an earlier one left open stays open.
    if (announced && state_.prepared) Record(std::move(outcome));
  }

  // The commit was sent and no answer came: bump first, then read the marker (publish document, 6).
  void Unknown(const Error& error) {
    OutcomeUnknown unknown{.parts = {}, .message = error.message()};
    for (const PartitionState& p : state_.fold.partitions) {
      bool open = p.phase == PartitionPhase::kIndeterminate;
      if (open || p.phase == PartitionPhase::kStaged) unknown.parts.push_back(p.part);
    }
    Record(std::move(unknown));
    state_.prepared = false;
  }

  void UnitFailed(std::vector<size_t> places, const Error& error) {
    if (places.size() > 1) {
      auto middle = places.begin() + static_cast<std::ptrdiff_t>(places.size() / 2);
      state_.split.emplace_back(places.begin(), middle);
      state_.split.emplace_back(middle, places.end());
      return;
    }
    const PartitionState& p = state_.fold.partitions[places[0]];
    int64_t attempt = p.attempts + 1;
    bool final = attempt >= state_.options.attempts.max;
    Record(PartitionFailed{
        .part = p.part,
        .attempt = attempt,
        .final = final,
        .not_before =
            final ? absl::InfinitePast()
                  : state_.now + BackOff(state_.options.attempts, attempt, state_.options.jitter),
        .id = error.id(),
        .message = error.message(),
        .checks = {}});
  }

  void CheckFailed(const RangeChecked& e, const CheckResult& bad) {
    if (state_.fold.published)
      state_.fold.done_checks = e.checks;
    else
      state_.fold.verify_checks = e.checks;
    std::string id = bad.id.empty() ? "R0102" : bad.id;
    Attention(Fail(ErrorCode::kFailed, id, "check `{}` {}: {}", bad.name,
                   bad.verdict == Verdict::kFailed ? "failed" : "is indeterminate", bad.note)
                  .Help("see it: retrofill verify " + state_.fold.id),
              {"retrofill", "verify", state_.fold.id});
  }

  void PublishedAll(absl::Duration elapsed) {
    Record(RangePublished{.milliseconds = absl::ToInt64Milliseconds(elapsed),
                          .undo_until = state_.now + state_.options.keep_undo});
  }

  void AfterPublish() {
    if (!state_.checked_after) return Start(CheckCommand{.after_publish = true});
    // The target first: a plan that is done must own nothing, whatever is killed between the two.
    if (!state_.plan_ended) return Start(EndCommand{.outcome = "done"});
    Record(BackfillDone{.checks = state_.after_checks});
    End(RunOutcome::kDone, std::nullopt);
  }

  void Stop() {
    if (!state_.running.empty() || state_.busy) return;
    if (state_.stop->kind == StopKind::kCancel) {
      if (state_.fold.plan_no != 0 && !state_.plan_ended)
        return Start(EndCommand{.outcome = "cancelled"});
      Record(BackfillCancelled{.reason = state_.stop->reason});
      return End(RunOutcome::kCancelled, std::nullopt);
    }
    Record(BackfillPaused{.reason = state_.stop->reason});
    End(RunOutcome::kPaused, std::nullopt);
  }

  bool TooManyFailed() {
    BackfillCounts counts = state_.fold.Counts();
    const FailureLimit& limit = state_.options.max_failed;
    // A share of a few partitions is less than one of them: one failure alone never is too many.
    double share = std::max(1.0, limit.share * static_cast<double>(counts.to_compute));
    bool over =
        limit.count ? counts.failed > *limit.count : static_cast<double>(counts.failed) > share;
    bool stop = counts.failed > 0 && (state_.options.on_failure == OnFailure::kStop || over);
    if (!stop || (counts.waiting == 0 && state_.split.empty())) return false;
    if (!state_.running.empty()) return true;
    const PartitionState* failed = FirstFailed();
    Attention(Fail(ErrorCode::kFailed, over ? "X0102" : failed->failure_id,
                   "{} of {} partitions failed, which stops the backfill; the first is {}: {}",
                   counts.failed, counts.to_compute,
                   state_.fold.plan->space->KeyText(failed->partition), failed->failure)
                  .Help("mend the cause, then: retrofill retry " + state_.fold.id),
              {"retrofill", "retry", state_.fold.id});
    return true;
  }

  const PartitionState* FirstFailed() const {
    for (const PartitionState& p : state_.fold.partitions) {
      if (p.phase == PartitionPhase::kFailed) return &p;
    }
    return nullptr;
  }

  void Partial(const BackfillCounts& counts) {
    const PartitionState* failed = FirstFailed();
    int64_t good = counts.to_compute - counts.failed;
    Attention(Fail(ErrorCode::kFailed, failed->failure_id.empty() ? "X0101" : failed->failure_id,
                   "partial {}/{}: {} failed: {}", good, counts.to_compute,
                   state_.fold.plan->space->KeyText(failed->partition), failed->failure)
                  .Help("mend the cause, then: retrofill retry " + state_.fold.id),
              {"retrofill", "retry", state_.fold.id});
  }

  void Build() {
    while (state_.builds < state_.options.slots) {
      BuildCommand build{.units = {}, .clear_first = state_.stage_dirty};
      for (int64_t left = GroupSize(state_); left > 0; --left) {
        std::vector<size_t> places = NextUnit(state_);
        if (places.empty()) break;
        build.units.push_back(StartUnit(std::move(places)));
      }
      if (build.units.empty()) return;
      state_.last_group_size = static_cast<int64_t>(build.units.size());
      ++state_.builds;
      output_.commands.push_back(std::move(build));
    }
  }

  UnitToBuild StartUnit(std::vector<size_t> places) {
    UnitStarted started{.unit = state_.fold.next_unit, .epoch = 0, .parts = {}};
    UnitToBuild unit;
    for (size_t place : places) {
      const PartitionState& p = state_.fold.partitions[place];
      started.parts.push_back({.part = p.part, .epoch = p.epoch});
      started.epoch = std::max(started.epoch, p.epoch);
      unit.partitions.push_back(p.partition);
    }
    unit.unit = {.unit = started.unit, .epoch = started.epoch};
    state_.last_unit_size = static_cast<int64_t>(places.size());
    state_.running[started.unit] = std::move(places);
    Record(std::move(started));
    return unit;
  }

  bool AnyStaged() const {
    return std::any_of(state_.fold.partitions.begin(), state_.fold.partitions.end(),
                       [](const PartitionState& p) { return p.phase == PartitionPhase::kStaged; });
  }

  void Publish() {
    PublishIntended intended;
    PublishCommand publish;
    for (size_t place = 0; place < state_.fold.partitions.size(); ++place) {
      const PartitionState& p = state_.fold.partitions[place];
      if (!IsComputed(p.action) || p.phase == PartitionPhase::kPublished) continue;
      if (state_.options.per_partition && p.phase != PartitionPhase::kStaged) continue;
      RF_CHECK(p.phase == PartitionPhase::kStaged, "{} of {} is to be published but is {}", p.part,
               state_.fold.id, PhaseText(p.phase));
      intended.parts.push_back({.part = p.part, .epoch = p.epoch});
      publish.places.push_back(place);
    }
    RF_CHECK(!publish.places.empty(), "nothing to publish in {}", state_.fold.id);
    Record(std::move(intended));
    Start(std::move(publish));
  }

  RunState& state_;
  StepOutput output_;
};

}  // namespace

StepOutput Step(RunState& state, const LoopEvent& event) {
  RF_CHECK(!state.end, "a step of {} after its end", state.fold.id);
  Stepper stepper(state);
  std::visit(stepper, event);
  stepper.Decide();
  return stepper.TakeOutput();
}

}  // namespace retrofill
