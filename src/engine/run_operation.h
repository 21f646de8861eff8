#pragma once

// `run`, `resume`, `retry`, `publish`: all steps of a backfill up to the first gate that is not
// met.

#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "base/error.h"
#include "engine/canary_operation.h"
#include "engine/engine_context.h"
#include "engine/proof_report.h"
#include "engine/run_loop.h"

namespace retrofill {

// What the person said, and how to reach the person. All callbacks are called on the calling
// thread, may be empty, and answer no then.
struct RunRequest {
  std::string backfill;
  bool resumed = false;        // goes on with what was agreed to before: no flag is repeated
  bool publish = false;        // agreed to the publish already
  bool no_publish = false;     // ends at `verified` without asking
  bool may_publish = true;     // else ends at `verified`, whatever was agreed to
  bool skip_blocked = false;   // agreed to run without the blocked partitions
  std::string override_proof;  // reason, or empty
  std::string skip_canary;     // reason, or empty
  std::string allow_stale;     // reason, or empty: runs the pinned code though the files changed
  std::optional<int> slots;
  std::function<bool(const Plan&)> ask_blocked;  // may it run without the blocked partitions?
  std::function<bool(const BackfillState&)> ask_publish;  // publish now?
  std::function<void(const std::string& doing)> on_step;  // "proving", "canary": what runs now
  std::function<void(const ProofReport&)> on_proof;
  std::function<void(const CanaryResult&)> on_canary;
  std::function<void(const std::vector<Event>&, const BackfillState&)> on_events;
  std::function<void(const BackfillState&)> on_idle;
};

struct RunResult {
  RunEnd end;
  BackfillState state;
  bool nothing_to_do = false;  // it was done already
};

// A run that can be asked to stop from a signal thread while Run is under way.
class Runner {
 public:
  explicit Runner(const EngineContext& engine) : engine_(engine) {}

  // Proof, canary, stage, verify, publish. kFailed I0xxx: not proven; kFailed: the canary did not
  // pass; kRefused P0202, P0301, P0303, P0305, P0306, X0105 (another process drives it, or the
  // state does not allow it), C0204; kUnavailable. What happens once the loop runs stands in
  // RunResult::end.
  Result<RunResult> Run(const RunRequest& request);

  // Any thread. Before the loop runs it makes Run return kCancelled at the next step. True if a
  // publish has begun: that is finished first.
  bool Ask(StopAsked stop);

 private:
  const EngineContext& engine_;
  std::mutex mutex_;
  RunLoop* loop_ = nullptr;         // while it runs
  std::optional<StopAsked> asked_;  // before it runs
};

}  // namespace retrofill
