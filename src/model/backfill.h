#pragma once

// The state of a backfill: the fold of its events. The only place that computes a state; recovery,
// commands and views call it.

#include <absl/time/time.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/event.h"
#include "model/plan.h"

namespace retrofill {

enum class BackfillPhase {
  kPlanned,
  kProven,
  kCanaried,
  kRunning,
  kStaged,
  kVerified,
  kPublished,
  kDone,
  kPaused,
  kAttention,
  kCancelled,
  kUndone
};
// "planned" ... "undone": the words of the product document, 3.
std::string_view PhaseText(BackfillPhase phase);
// Nothing more can happen to it by itself: done, cancelled, undone.
bool IsFinal(BackfillPhase phase);

enum class PartitionPhase {
  kWaiting,
  kRunning,
  kStaged,
  kPublished,
  kSkip,
  kBlocked,
  kFailed,
  kIndeterminate,
  kUndone
};
std::string_view PhaseText(PartitionPhase phase);
// `.` `>` `#` `@` `=` `!` `x` `?` `u`.
char PhaseGlyph(PartitionPhase phase);

struct PartitionState {
  Partition partition;
  std::string part;  // identity text
  Action action = Action::kFill;
  std::string why;  // of the plan's run
  PartitionPhase phase = PartitionPhase::kWaiting;
  int64_t attempts = 0;  // tries that failed or succeeded, since the last retry
  int64_t unit = 0;      // where its staged rows are
  int64_t unit_epoch = 0;
  int64_t epoch = 0;  // highest fence epoch seen, 0 = none
  absl::Time not_before = absl::InfinitePast();
  int64_t rows = 0;
  int64_t source_rows = -1;
  bool confirmed_empty = false;
  int64_t milliseconds = 0;
  std::string digest;
  std::map<std::string, std::string> inputs;
  std::vector<CheckResult> checks;
  std::string failure_id;
  std::string failure;
};

struct BackfillCounts {
  int64_t waiting = 0, running = 0, staged = 0, published = 0, skip = 0, blocked = 0, failed = 0,
          indeterminate = 0, undone = 0;
  int64_t to_compute = 0;
};

struct BackfillState {
  std::string id;
  std::shared_ptr<const Plan> plan;
  std::string actor;  // who planned
  BackfillPhase phase = BackfillPhase::kPlanned;
  std::vector<PartitionState> partitions;  // every selected partition, time-major
  std::map<std::string, size_t> index;     // identity text -> place in partitions
  int64_t last_seq = 0;
  absl::Time created;
  std::optional<absl::Time> started;
  std::optional<absl::Time> finished;
  std::string owner;  // of the last session, host/pid/start
  // Not of the fold: whoever loaded it saw that NeedsDriver and that no living process drives it.
  bool interrupted = false;
  bool skip_blocked = false;
  bool publish_consent = false;

  bool proof_passed = false;
  bool proof_failed = false;
  bool batch_proven = false;
  std::string certificate;
  std::string proof_override;  // reason, or empty
  std::string canary_skipped;  // reason, or empty
  bool canary_passed = false;
  bool canary_failed = false;
  std::string canary_part;

  int64_t plan_no = 0;  // 0 = not registered
  int64_t next_unit = 1;
  bool verified = false;
  bool publish_intended = false;      // and neither published nor known not to be
  std::vector<std::string> intended;  // identity texts of what was to be published last
  bool published = false;
  std::optional<absl::Time> undo_until;
  int64_t publish_milliseconds = 0;
  std::vector<CheckResult> verify_checks;  // of the range, before publish
  std::vector<CheckResult> done_checks;    // after publish
  std::string attention_id, attention;
  std::vector<std::string> attention_next;
  std::string pause_reason;
  bool pause_requested = false;
  bool cancel_requested = false;
  std::string undoes_backfill;
  std::string undone_by;

  BackfillCounts Counts() const;
};

// The state before any event but PlanCreated. RF_CHECKs that the plan's runs are disjoint.
BackfillState StartBackfill(std::string id, std::shared_ptr<const Plan> plan);

// Whether a session has begun that did not come to its end: some process should be driving it.
bool NeedsDriver(const BackfillState& state);

// Applies one event. RF_CHECKs every transition: an event that the state does not allow is a bug or
// a damaged journal.
void Apply(BackfillState& state, const Event& event);

}  // namespace retrofill
