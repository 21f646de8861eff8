#pragma once

// The engine's decisions, pure: what a running backfill does next, from its state and one event. No
// I/O, no clock, no threads; the loop (engine/loop.h) makes events of what happens and carries out
// the commands.

#include <absl/time/time.h>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "engine/build_unit.h"
#include "model/backfill.h"

namespace retrofill {

struct RunOptions {
  int slots = 1;               // builds at once, at least 1
  bool publish = false;        // consent to publish once verified
  bool per_partition = false;  // publish each unit once it is reconciled, verify at the end
  bool can_batch = false;      // a unit may hold several partitions
  bool cells_together = true;  // a unit may hold several cells of one interval
  std::optional<int> batch;    // most partitions of a unit; none = sized by unit_time
  absl::Duration unit_time = absl::Seconds(10);
  absl::Duration partition_time = absl::ZeroDuration();  // measured by the canary; 0 = not known
  Attempts attempts;
  FailureLimit max_failed;
  OnFailure on_failure = OnFailure::kContinue;
  absl::Duration keep_undo = absl::Hours(24 * 30);
  double jitter = 0.5;  // of the back-off, drawn once per session, from 0 to 1
};

// -- what the loop tells

struct SessionOpened {
  std::string owner;
};
// Registered, every unpublished partition taken over, the ledger read after that.
struct Prepared {
  int64_t plan_no = 0;
  bool ended = false;                           // the plan has an `end` row
  std::vector<UnitPart> epochs{};               // of each partition taken over
  std::vector<PartitionPublished> published{};  // in the ledger, not in the journal
  std::vector<std::string> vanished{};          // in the journal, not in the ledger
  std::vector<std::string> lost{};              // staged, but the rows are gone or no longer right
  std::string lost_why{};
};
// What became of the units of one BuildCommand, all of them.
struct UnitsBuilt {
  std::vector<UnitOutcome> units;
  absl::Duration elapsed;
};
struct RangeChecked {
  std::vector<CheckResult> checks;
};
struct AnnounceAsked {
  std::string transaction;
};
struct GroupPublished {
  std::vector<PartitionPublished> rows;
  absl::Duration elapsed;
};
struct PlanEnded {};
struct CommandBroken {
  Error error;
};
enum class StopKind {
  kPause,   // nothing new starts, what runs may finish
  kBreak,   // the loop interrupts the running statements; the backfill stays resumable
  kCancel,  // final
};
struct StopAsked {
  StopKind kind = StopKind::kPause;
  std::string reason;
};
struct TimePassed {};

using LoopEvent = std::variant<SessionOpened, Prepared, UnitsBuilt, RangeChecked, AnnounceAsked,
                               GroupPublished, PlanEnded, CommandBroken, StopAsked, TimePassed>;

// -- what the loop is to do. Each starts only after the records of the same step are durable.

struct PrepareCommand {};
struct BuildCommand {
  std::vector<UnitToBuild> units;  // filled one after the other, looked at together
  bool clear_first = false;        // an earlier try of this session may have left rows in the stage
};
struct CheckCommand {
  bool after_publish = false;
};
struct PublishCommand {
  std::vector<size_t> places;
};
struct AnswerAnnounce {};
struct EndCommand {
  std::string outcome;
};
using Command = std::variant<PrepareCommand, BuildCommand, CheckCommand, PublishCommand,
                             AnswerAnnounce, EndCommand>;

enum class RunOutcome { kDone, kVerified, kPaused, kAttention, kCancelled };

struct RunEnd {
  RunOutcome outcome = RunOutcome::kDone;
  std::optional<Error> error;  // why, for kAttention and for a pause that an error caused
};

// The state of one session. Owned by the loop; the fold inside is the journal's, the rest lives as
// long as the process.
struct RunState {
  BackfillState fold;
  RunOptions options;
  absl::Time now;                                  // set by the loop before each step
  absl::Time waited = absl::InfinitePast();        // likewise: goes on where `now` stands still
  std::map<int64_t, std::vector<size_t>> running;  // unit -> its partitions
  int builds = 0;                                  // BuildCommands under way, at most slots
  std::deque<std::vector<size_t>> split;           // halves of units that broke, built next
  bool busy = false;                               // a command other than Build is under way
  bool prepared = false;
  bool opened = false;
  bool checked_after = false;
  std::vector<CheckResult> after_checks;
  bool stage_dirty = false;  // a try of this session may have left rows behind
  bool plan_ended = false;
  int64_t partitions_built = 0;
  absl::Duration time_built = absl::ZeroDuration();
  int64_t last_unit_size = 0;
  int64_t last_group_size = 0;
  std::optional<StopAsked> stop;
  std::optional<RunEnd> end;
};

struct StepOutput {
  std::vector<EventBody> records;
  std::vector<Command> commands;
};

// Takes one event. The records it returns are already applied to state.fold (with seq 0); the loop
// makes them durable before it carries out the commands. When state.end is set nothing more is to
// be done.
StepOutput Step(RunState& state, const LoopEvent& event);

}  // namespace retrofill
