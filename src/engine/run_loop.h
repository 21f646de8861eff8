#pragma once

// Drives one session of a backfill: events in, decisions by Step, records made durable, commands
// carried out by executors.

#include <absl/time/time.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/queue.h"
#include "engine/backfill_store.h"
#include "engine/run_context.h"
#include "engine/step.h"
#include "warehouse/warehouse.h"

namespace retrofill {

// What a session shows and asks. Called on the loop's thread, never while a lock is held.
struct RunObserver {
  // Events that have just become durable, and the state after them.
  std::function<void(const std::vector<Event>&, const BackfillState&)> on_events;
  // Asked once when everything is verified and nobody has agreed to the publish; true publishes.
  // Absent = no.
  std::function<bool(const BackfillState&)> ask_publish;
  // Called a few times a second while nothing happens.
  std::function<void(const BackfillState&)> on_idle;
};

// One session. Made and run on one thread; Ask may be called from any.
class RunLoop {
 public:
  // All references outlive the loop. `state` is the fold of all events so far. `stop_file` is a
  // path: while it exists nothing new starts and the session pauses (X0103).
  RunLoop(RunContext& run, BackfillState state, RunOptions options, BackfillStore& store,
          Warehouse& warehouse, RunObserver observer, std::string owner, std::string stop_file);
  ~RunLoop();

  // Runs until the session ends. Errors are those of the journal and of connecting; everything else
  // is in the RunEnd.
  Result<RunEnd> Run();

  // Pauses, breaks or cancels. Any thread; returns at once. True if a publish has begun: that is
  // finished first. False: none begins any more.
  bool Ask(StopAsked stop);

  // The state as the session left it. After Run.
  const BackfillState& state() const { return state_.fold; }

 private:
  struct Work {
    Command command;
    std::shared_ptr<const BackfillState> snapshot;  // of the fold, for commands other than Build
  };

  Status Connect();
  void Execute(Session& session, std::stop_token stop);
  LoopEvent Carry(const Work& work, Session& session);
  LoopEvent CarryBuild(const BuildCommand& build, Session& session);
  Status Announce(const std::string& transaction);
  Status Take(std::vector<LoopEvent> events);
  Status PollJournal();
  bool StopFileIsThere() const;
  void Dispatch(std::vector<Command> commands);
  void Interrupt();
  void Finish();

  RunContext& run_;
  RunState state_;
  BackfillStore& store_;
  Warehouse& warehouse_;
  RunObserver observer_;
  std::string owner_;
  std::string stop_file_;
  const absl::Time opened_;  // by both clocks: what waits, waits by the one that never stands still
  const absl::Duration opened_monotonic_;
  int64_t polled_seq_ = 0;
  bool asked_publish_ = false;

  Queue<LoopEvent> events_;
  Queue<Work> work_;
  std::vector<std::unique_ptr<Session>> sessions_;
  std::vector<std::jthread> executors_;

  std::atomic<bool> stop_asked_ = false;   // no unit starts any more
  std::mutex step_mutex_;                  // a step and a request to stop exclude each other
  std::optional<StopAsked> pending_stop_;  // guarded by it: asked for, not stepped through yet
  bool publish_begun_ = false;             // guarded by it
  std::atomic<bool> publishing_ =
      false;  // a publish is under way: its statements are not interrupted
  std::mutex announce_mutex_;
  std::condition_variable announce_changed_;
  bool announced_ = false;  // the loop made the last announcement durable
  bool announce_refused_ = false;
};

}  // namespace retrofill
