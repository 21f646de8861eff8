#include "model/backfill.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace retrofill {

std::string_view PhaseText(BackfillPhase phase) {
  switch (phase) {
    case BackfillPhase::kPlanned:
      return "planned";
    case BackfillPhase::kProven:
      return "proven";
    case BackfillPhase::kCanaried:
      return "canaried";
    case BackfillPhase::kRunning:
      return "running";
    case BackfillPhase::kStaged:
      return "staged";
    case BackfillPhase::kVerified:
      return "verified";
    case BackfillPhase::kPublished:
      return "published";
    case BackfillPhase::kDone:
      return "done";
    case BackfillPhase::kPaused:
      return "paused";
    case BackfillPhase::kAttention:
      return "attention";
    case BackfillPhase::kCancelled:
      return "cancelled";
    case BackfillPhase::kUndone:
      return "undone";
  }
  return "attention";
}

bool IsFinal(BackfillPhase phase) {
  return phase == BackfillPhase::kDone || phase == BackfillPhase::kCancelled ||
         phase == BackfillPhase::kUndone;
}

std::string_view PhaseText(PartitionPhase phase) {
  switch (phase) {
    case PartitionPhase::kWaiting:
      return "waiting";
    case PartitionPhase::kRunning:
      return "running";
    case PartitionPhase::kStaged:
      return "staged";
    case PartitionPhase::kPublished:
      return "published";
    case PartitionPhase::kSkip:
      return "skip";
    case PartitionPhase::kBlocked:
      return "blocked";
    case PartitionPhase::kFailed:
      return "failed";
    case PartitionPhase::kIndeterminate:
      return "indeterminate";
    case PartitionPhase::kUndone:
      return "undone";
  }
  return "indeterminate";
}

char PhaseGlyph(PartitionPhase phase) {
  switch (phase) {
    case PartitionPhase::kWaiting:
      return '.';
    case PartitionPhase::kRunning:
      return '>';
    case PartitionPhase::kStaged:
      return '#';
    case PartitionPhase::kPublished:
      return '@';
    case PartitionPhase::kSkip:
      return '=';
    case PartitionPhase::kBlocked:
      return '!';
    case PartitionPhase::kFailed:
      return 'x';
    case PartitionPhase::kIndeterminate:
      return '?';
    case PartitionPhase::kUndone:
      return 'u';
  }
  return '?';
}

BackfillCounts BackfillState::Counts() const {
  BackfillCounts counts;
  for (const PartitionState& partition : partitions) {
    if (IsComputed(partition.action)) ++counts.to_compute;
    switch (partition.phase) {
      case PartitionPhase::kWaiting:
        ++counts.waiting;
        break;
      case PartitionPhase::kRunning:
        ++counts.running;
        break;
      case PartitionPhase::kStaged:
        ++counts.staged;
        break;
      case PartitionPhase::kPublished:
        ++counts.published;
        break;
      case PartitionPhase::kSkip:
        ++counts.skip;
        break;
      case PartitionPhase::kBlocked:
        ++counts.blocked;
        break;
      case PartitionPhase::kFailed:
        ++counts.failed;
        break;
      case PartitionPhase::kIndeterminate:
        ++counts.indeterminate;
        break;
      case PartitionPhase::kUndone:
        ++counts.undone;
        break;
    }
  }
  return counts;
}

BackfillState StartBackfill(std::string id, std::shared_ptr<const Plan> plan) {
  BackfillState state;
  state.id = std::move(id);
  state.plan = std::move(plan);
  for (const PlanRun& run : state.plan->runs) {
    for (const Partition& partition : run.set.Partitions(*state.plan->space)) {
      PartitionState entry;
      entry.partition = partition;
      entry.part = state.plan->space->IdentityText(partition);
      entry.action = run.action;
      entry.why = run.why;
      if (run.action == Action::kSkip) entry.phase = PartitionPhase::kSkip;
      if (run.action == Action::kBlocked) entry.phase = PartitionPhase::kBlocked;
      state.partitions.push_back(std::move(entry));
    }
  }
  std::sort(
      state.partitions.begin(), state.partitions.end(),
      [](const PartitionState& a, const PartitionState& b) { return a.partition < b.partition; });
  for (size_t i = 0; i < state.partitions.size(); ++i) {
    bool fresh = state.index.emplace(state.partitions[i].part, i).second;
    RF_CHECK(fresh, "partition {} is in two runs of plan {}", state.partitions[i].part, state.id);
  }
  return state;
}

namespace {

PartitionState& Find(BackfillState& state, const std::string& part) {
  auto found = state.index.find(part);
  RF_CHECK(found != state.index.end(), "event of {} names {}, which its plan does not", state.id,
           part);
  return state.partitions[found->second];
}

bool AllComputed(const BackfillState& state, PartitionPhase phase) {
  return std::all_of(
      state.partitions.begin(), state.partitions.end(),
      [&](const PartitionState& p) { return !IsComputed(p.action) || p.phase == phase; });
}

// One overload per event: what it does to the state.
struct Folder {
  BackfillState& state;
  const Event& event;

  void operator()(const PlanCreated& e) const {
    state.created = event.at;
    state.actor = event.actor;
    state.undoes_backfill = e.undoes_backfill;
  }
  void operator()(const ConsentGiven& e) const {
    if (e.what == "skip_blocked") state.skip_blocked = true;
    if (e.what == "publish") state.publish_consent = true;
  }
  void operator()(const ProofRecorded& e) const {
    state.proof_passed = e.passed;
    state.proof_failed = !e.passed;
    state.batch_proven = e.passed && e.batch_proven;
    state.certificate = e.certificate;
    if (e.passed && state.phase == BackfillPhase::kPlanned) state.phase = BackfillPhase::kProven;
  }
  void operator()(const ProofOverridden& e) const { state.proof_override = e.reason; }
  void operator()(const CanarySkipped& e) const { state.canary_skipped = e.reason; }
  void operator()(const CanaryRecorded& e) const {
    state.canary_passed = e.passed;
    state.canary_failed = !e.passed;
    state.canary_part = e.part;
    bool before_run =
        state.phase == BackfillPhase::kPlanned || state.phase == BackfillPhase::kProven;
    if (e.passed && before_run) state.phase = BackfillPhase::kCanaried;
  }
  void operator()(const SessionStarted& e) const {
    RF_CHECK(!IsFinal(state.phase), "backfill {} is {} and was started again", state.id,
             PhaseText(state.phase));
    state.owner = e.owner;
    state.interrupted = false;
    if (!state.started) state.started = event.at;
    state.pause_requested = false;
    state.pause_reason.clear();
    state.attention_id.clear();
    state.attention.clear();
    state.attention_next.clear();
    for (PartitionState& p : state.partitions) {
      if (p.phase == PartitionPhase::kRunning) p.phase = PartitionPhase::kWaiting;
    }
    state.phase = state.published  ? BackfillPhase::kPublished
                  : state.verified ? BackfillPhase::kVerified
                                   : BackfillPhase::kRunning;
  }
  void operator()(const Registered& e) const {
    RF_CHECK(state.plan_no == 0 || state.plan_no == e.plan_no, "backfill {} has number {}, then {}",
             state.id, state.plan_no, e.plan_no);
    state.plan_no = e.plan_no;
  }
  void operator()(const UnitStarted& e) const {
    state.next_unit = std::max(state.next_unit, e.unit + 1);
    for (const UnitPart& part : e.parts) {
      PartitionState& p = Find(state, part.part);
      RF_CHECK(IsComputed(p.action), "unit {} of {} builds {}, which is {}", e.unit, state.id,
               p.part, ActionText(p.action));
      RF_CHECK(p.phase != PartitionPhase::kPublished,
               "unit {} of {} builds {} again after its publish", e.unit, state.id, p.part);
      p.phase = PartitionPhase::kRunning;
      p.unit = e.unit;
      p.unit_epoch = e.epoch;
      p.epoch = std::max(p.epoch, part.epoch);
    }
  }
  void operator()(const PartitionStaged& e) const {
    PartitionState& p = Find(state, e.part);
    RF_CHECK(p.phase == PartitionPhase::kRunning && p.unit == e.unit,
             "{} of {} is staged by unit {} but is {} in unit {}", e.part, state.id, e.unit,
             PhaseText(p.phase), p.unit);
    p.phase = PartitionPhase::kStaged;
    p.attempts = e.attempt;
    p.unit_epoch = e.epoch;
    p.rows = e.rows;
    p.source_rows = e.source_rows;
    p.confirmed_empty = e.confirmed_empty;
    p.milliseconds = e.milliseconds;
    p.digest = e.digest;
    p.inputs = e.inputs;
    p.checks = e.checks;
    p.failure_id.clear();
    p.failure.clear();
    if (state.phase == BackfillPhase::kRunning && AllComputed(state, PartitionPhase::kStaged))
      state.phase = BackfillPhase::kStaged;
  }
  void operator()(const StageLost& e) const {
    for (const std::string& part : e.parts) {
      PartitionState& p = Find(state, part);
      RF_CHECK(p.phase == PartitionPhase::kStaged, "the stage of {} of {} is lost but it is {}",
               part, state.id, PhaseText(p.phase));
      p.phase = PartitionPhase::kWaiting;
    }
    state.verified = false;
    if (state.phase == BackfillPhase::kStaged || state.phase == BackfillPhase::kVerified)
      state.phase = BackfillPhase::kRunning;
  }
  void operator()(const PartitionFailed& e) const {
    PartitionState& p = Find(state, e.part);
    RF_CHECK(p.phase != PartitionPhase::kPublished, "{} of {} failed after its publish", e.part,
             state.id);
    p.phase = e.final ? PartitionPhase::kFailed : PartitionPhase::kWaiting;
    p.attempts = e.attempt;
    p.not_before = e.not_before;
    p.failure_id = e.id;
    p.failure = e.message;
    p.checks = e.checks;
    state.verified = false;
  }
  void operator()(const PartitionBlocked& e) const {
    PartitionState& p = Find(state, e.part);
    p.phase = PartitionPhase::kBlocked;
    p.why = e.why;
  }
  void operator()(const RangeVerified& e) const {
    state.verified = true;
    state.verify_checks = e.checks;
    state.phase = BackfillPhase::kVerified;
  }
  void operator()(const PublishIntended& e) const {
    state.publish_intended = true;
    state.intended.clear();
    for (const UnitPart& part : e.parts) {
      state.intended.push_back(part.part);
      PartitionState& p = Find(state, part.part);
      p.epoch = std::max(p.epoch, part.epoch);
    }
  }
  void operator()(const CommitAnnounced&) const {
    RF_CHECK(state.publish_intended, "backfill {} announced a commit that it did not intend",
             state.id);
    // From here on only the ledger knows: whoever looks now sees neither failed nor done.
    for (const std::string& part : state.intended) {
      PartitionState& p = Find(state, part);
      if (p.phase == PartitionPhase::kStaged) p.phase = PartitionPhase::kIndeterminate;
    }
  }
  void operator()(const OutcomeUnknown& e) const {
    for (const std::string& part : e.parts)
      Find(state, part).phase = PartitionPhase::kIndeterminate;
  }
  void operator()(const OutcomeNotPublished& e) const {
    for (const std::string& part : e.parts) {
      PartitionState& p = Find(state, part);
      if (p.phase == PartitionPhase::kIndeterminate) p.phase = PartitionPhase::kStaged;
    }
    state.publish_intended = false;
  }
  void operator()(const PartitionPublished& e) const {
    PartitionState& p = Find(state, e.part);
    RF_CHECK(IsComputed(p.action), "{} of {} is published but was not to be computed", e.part,
             state.id);
    p.phase = PartitionPhase::kPublished;
    p.epoch = std::max(p.epoch, e.epoch);
    p.rows = e.rows;
  }
  void operator()(const RangePublished& e) const {
    state.published = true;
    state.publish_intended = false;
    state.publish_milliseconds = e.milliseconds;
    state.undo_until = e.undo_until;
    state.phase = BackfillPhase::kPublished;
  }
  void operator()(const BackfillDone& e) const {
    RF_CHECK(state.Counts().published > 0, "backfill {} is done without a published partition",
             state.id);
    state.done_checks = e.checks;
    state.finished = event.at;
    state.phase = BackfillPhase::kDone;
  }
  void operator()(const AttentionNeeded& e) const {
    state.attention_id = e.id;
    state.attention = e.message;
    state.attention_next = e.next;
    state.phase = BackfillPhase::kAttention;
  }
  void operator()(const BackfillPaused& e) const {
    state.pause_reason = e.reason;
    state.pause_requested = false;
    for (PartitionState& p : state.partitions) {
      if (p.phase == PartitionPhase::kRunning) p.phase = PartitionPhase::kWaiting;
    }
    state.phase = BackfillPhase::kPaused;
  }
  void operator()(const BackfillCancelled&) const {
    state.cancel_requested = false;
    // What was staged is dropped with the plan, and nothing runs any more.
    for (PartitionState& p : state.partitions) {
      bool gone = p.phase == PartitionPhase::kRunning || p.phase == PartitionPhase::kStaged;
      if (gone) p.phase = PartitionPhase::kWaiting;
    }
    state.finished = event.at;
    state.phase = BackfillPhase::kCancelled;
  }
  void operator()(const PartitionsUndone& e) const {
    for (const std::string& part : e.parts) {
      PartitionState& p = Find(state, part);
      RF_CHECK(p.phase == PartitionPhase::kPublished, "{} of {} is undone but is {}", part,
               state.id, PhaseText(p.phase));
      p.phase = PartitionPhase::kUndone;
    }
    state.undone_by = e.by;
    if (state.Counts().published == 0) state.phase = BackfillPhase::kUndone;
  }
  void operator()(const PauseRequested& e) const {
    state.pause_requested = true;
    state.pause_reason = e.reason;
  }
  void operator()(const CancelRequested&) const { state.cancel_requested = true; }
  void operator()(const RetryRequested& e) const {
    for (const std::string& part : e.parts) {
      PartitionState& p = Find(state, part);
      if (p.phase != PartitionPhase::kFailed) continue;
      p.phase = PartitionPhase::kWaiting;
      p.attempts = 0;
      p.not_before = absl::InfinitePast();
    }
  }
};

}  // namespace

bool NeedsDriver(const BackfillState& state) {
  switch (state.phase) {
    case BackfillPhase::kRunning:
    case BackfillPhase::kStaged:
    case BackfillPhase::kPublished:
      return true;
    case BackfillPhase::kVerified:
      return state.publish_intended;  // else it was to end there
    case BackfillPhase::kPlanned:
    case BackfillPhase::kProven:
    case BackfillPhase::kCanaried:
    case BackfillPhase::kDone:
    case BackfillPhase::kPaused:
    case BackfillPhase::kAttention:
    case BackfillPhase::kCancelled:
    case BackfillPhase::kUndone:
      return false;
  }
  return false;
}

void Apply(BackfillState& state, const Event& event) {
  RF_CHECK(event.backfill == state.id, "event of {} applied to {}", event.backfill, state.id);
  RF_CHECK(event.seq == 0 || event.seq > state.last_seq, "event {} after {}", event.seq,
           state.last_seq);
  std::visit(Folder{state, event}, event.body);
  if (event.seq != 0) state.last_seq = event.seq;
}

}  // namespace retrofill
