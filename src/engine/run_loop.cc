#include "engine/run_loop.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/file.h"
#include "base/point.h"
#include "engine/build_unit.h"
#include "engine/end_run.h"
#include "engine/prepare_run.h"
#include "engine/publish_range.h"
#include "engine/range_check.h"
#include "engine/undo_rows.h"
#include "model/limits.h"

namespace retrofill {
namespace {

// How often a waiting loop looks for requests of other processes and for attempts whose time has
// come: a request is seen well within the second that a user is promised.
constexpr absl::Duration kPollEvery = absl::Milliseconds(200);

}  // namespace

RunLoop::RunLoop(RunContext& run, BackfillState state, RunOptions options, BackfillStore& store,
                 Warehouse& warehouse, RunObserver observer, std::string owner,
                 std::string stop_file)
    : run_(run),
      store_(store),
      warehouse_(warehouse),
      observer_(std::move(observer)),
      owner_(std::move(owner)),
      stop_file_(std::move(stop_file)),
      opened_(store.clock().Now()),
      opened_monotonic_(store.clock().Monotonic()),
      events_(kMaxQueuedEvents),
      work_(kMaxQueuedEvents) {
  polled_seq_ = state.last_seq;
  state_.fold = std::move(state);
  state_.options = options;
}

RunLoop::~RunLoop() { Finish(); }

Status RunLoop::Connect() {
  for (int i = 0; i < state_.options.slots; ++i) {
    RF_ASSIGN(std::unique_ptr<Session> session, warehouse_.Connect());
    sessions_.push_back(std::move(session));
  }
  for (std::unique_ptr<Session>& session : sessions_) {
    executors_.emplace_back([this, &session](std::stop_token stop) { Execute(*session, stop); });
  }
  return Ok();
}

void RunLoop::Execute(Session& session, std::stop_token stop) {
  while (std::optional<Work> work = work_.Pop(stop)) events_.Push(Carry(*work, session));
}

LoopEvent RunLoop::CarryBuild(const BuildCommand& build, Session& session) {
  BuildRequest request;
  request.context = &run_.context;
  request.plan = run_.plan.get();
  request.baseline = &run_.baseline;
  request.inputs = &run_.inputs;
  request.clock = run_.clock;
  request.stage = run_.stage;
  request.units = build.units;
  request.clear_first = build.clear_first;
  request.stop = [this] { return stop_asked_.load() || StopFileIsThere(); };
  BuildResult result =
      run_.undo() ? AdoptPreImages(run_, request, session) : BuildUnits(request, session);
  return UnitsBuilt{.units = std::move(result.units), .elapsed = result.elapsed};
}

LoopEvent RunLoop::Carry(const Work& work, Session& session) {
  if (const auto* build = std::get_if<BuildCommand>(&work.command))
    return CarryBuild(*build, session);
  const BackfillState& state = *work.snapshot;
  if (std::holds_alternative<PrepareCommand>(work.command)) {
    Result<Prepared> prepared = PrepareRun(run_, state, session);
    if (!prepared.ok()) return CommandBroken{.error = std::move(prepared).error()};
    return *std::move(prepared);
  }
  if (const auto* check = std::get_if<CheckCommand>(&work.command)) {
    Result<std::vector<CheckResult>> checks =
        CheckRange(run_, state, check->after_publish, session);
    if (!checks.ok()) return CommandBroken{.error = std::move(checks).error()};
    return RangeChecked{.checks = *std::move(checks)};
  }
  if (const auto* publish = std::get_if<PublishCommand>(&work.command)) {
    publishing_ = true;
    run_.live.reset();
    Result<GroupPublished> published = PublishRange(
        run_, state, publish->places,
        [this](const std::string& transaction) { return Announce(transaction); }, session);
    publishing_ = false;
    if (!published.ok()) return CommandBroken{.error = std::move(published).error()};
    return *std::move(published);
  }
  const auto* end = std::get_if<EndCommand>(&work.command);
  RF_CHECK(end != nullptr, "a command that no executor carries out");
  Status ended = EndRun(run_, state, end->outcome, session);
  if (!ended.ok()) return CommandBroken{.error = std::move(ended).error()};
  return PlanEnded{};
}

Status RunLoop::Announce(const std::string& transaction) {
  {
    std::lock_guard lock(announce_mutex_);
    announced_ = false;
  }
  if (!events_.Push(AnnounceAsked{.transaction = transaction}))
    return Fail(ErrorCode::kCancelled, "X0106", "the session ended before the commit was sent");
  std::unique_lock lock(announce_mutex_);
  announce_changed_.wait(lock, [this] { return announced_ || announce_refused_; });
  if (announce_refused_)
    return Fail(ErrorCode::kUnavailable, "W0201",
                "the journal could not record that the commit is about to be sent");
  return Ok();
}

void RunLoop::Dispatch(std::vector<Command> commands) {
  for (Command& command : commands) {
    if (std::holds_alternative<AnswerAnnounce>(command)) {
      std::lock_guard lock(announce_mutex_);
      announced_ = true;
      announce_changed_.notify_all();
      continue;
    }
    Work work{.command = std::move(command), .snapshot = nullptr};
    if (!std::holds_alternative<BuildCommand>(work.command))
      work.snapshot = std::make_shared<const BackfillState>(state_.fold);
    work_.Push(std::move(work));
  }
}

// Steps through the events, makes all their records durable together, then carries out the
// commands.
Status RunLoop::Take(std::vector<LoopEvent> events) {
  if (StopFileIsThere()) {
    stop_asked_ = true;
    events.insert(events.begin(),
                  StopAsked{.kind = StopKind::kPause, .reason = "X0103 the STOP file is present"});
  }
  std::vector<EventBody> records;
  std::vector<Command> commands;
  state_.now = store_.clock().Now();
  state_.waited = opened_ + (store_.clock().Monotonic() - opened_monotonic_);
  {
    std::lock_guard lock(step_mutex_);
    // Who was told that nothing is published yet is right: the request comes before this step.
    if (pending_stop_) events.insert(events.begin(), *std::exchange(pending_stop_, std::nullopt));
    for (const LoopEvent& event : events) {
      if (state_.end) break;
      if (std::holds_alternative<GroupPublished>(event)) run_.context.target_exists = true;
      StepOutput output = Step(state_, event);
      for (EventBody& record : output.records) records.push_back(std::move(record));
      for (Command& command : output.commands) {
        publish_begun_ |= std::holds_alternative<PublishCommand>(command);
        commands.push_back(std::move(command));
      }
    }
  }
  if (!records.empty()) {
    RF_TRY(Reach("engine.before_record"));
    RF_ASSIGN(int64_t seq, store_.Append(state_.fold.id, records));
    RF_TRY(Reach("engine.recorded"));
    // What is between is ours alone: nothing that a poll would have to read.
    if (seq == polled_seq_ + static_cast<int64_t>(records.size())) polled_seq_ = seq;
    state_.fold.last_seq = seq;
    if (observer_.on_events) {
      // Appended together they stand together: the last one has `seq`.
      int64_t next = seq - static_cast<int64_t>(records.size()) + 1;
      std::vector<Event> durable;
      for (EventBody& record : records)
        durable.push_back({.seq = next++,
                           .backfill = state_.fold.id,
                           .at = state_.now,
                           .actor = run_.actor,
                           .body = std::move(record)});
      observer_.on_events(durable, state_.fold);
    }
  }
  Dispatch(std::move(commands));
  if (state_.stop && state_.stop->kind != StopKind::kPause) Interrupt();
  return Ok();
}

// Requests that other processes appended.
Status RunLoop::PollJournal() {
  RF_ASSIGN(std::vector<Event> events, store_.Events(state_.fold.id, polled_seq_));
  for (const Event& event : events) {
    polled_seq_ = event.seq;
    if (const auto* pause = std::get_if<PauseRequested>(&event.body))
      Ask({.kind = StopKind::kPause, .reason = pause->reason});
    if (const auto* cancel = std::get_if<CancelRequested>(&event.body))
      Ask({.kind = StopKind::kCancel, .reason = cancel->reason});
  }
  return Ok();
}

bool RunLoop::StopFileIsThere() const { return !stop_file_.empty() && FileExists(stop_file_); }

bool RunLoop::Ask(StopAsked stop) {
  bool begun = false;
  {
    std::lock_guard lock(step_mutex_);
    stop_asked_ = true;
    pending_stop_ = stop;
    begun = publish_begun_;
  }
  bool hard = stop.kind != StopKind::kPause;
  events_.Push(std::move(stop));
  if (hard) Interrupt();
  return begun;
}

void RunLoop::Interrupt() {
  // A commit that was sent is awaited: only builds and checks are cut short.
  if (publishing_.load()) return;
  for (std::unique_ptr<Session>& session : sessions_) session->Interrupt();
}

Result<RunEnd> RunLoop::Run() {
  RF_TRY(Connect());
  // A request that is there already stops the session before it touches the target.
  RF_TRY(PollJournal());
  std::vector<LoopEvent> first;
  for (LoopEvent& event : events_.PopAll()) first.push_back(std::move(event));
  first.push_back(SessionOpened{.owner = owner_});
  Status taken = Take(std::move(first));
  absl::Duration last_poll = store_.clock().Monotonic();
  while (taken.ok()) {
    if (state_.end && state_.end->outcome == RunOutcome::kVerified && !asked_publish_ &&
        observer_.ask_publish) {
      asked_publish_ = true;
      if (observer_.ask_publish(state_.fold)) {
        state_.options.publish = true;
        state_.end.reset();
        taken = Take({TimePassed{}});
        continue;
      }
    }
    if (state_.end) return *state_.end;
    std::vector<LoopEvent> events;
    if (std::optional<LoopEvent> event = events_.PopWithin(kPollEvery))
      events.push_back(*std::move(event));
    for (LoopEvent& event : events_.PopAll()) events.push_back(std::move(event));
    if (store_.clock().Monotonic() - last_poll >= kPollEvery) {
      last_poll = store_.clock().Monotonic();
      taken = PollJournal();
      if (!taken.ok()) break;
      if (events.empty()) events.push_back(TimePassed{});
      if (observer_.on_idle) observer_.on_idle(state_.fold);
    }
    if (!events.empty()) taken = Take(std::move(events));
  }
  return std::move(taken).error();
}

void RunLoop::Finish() {
  {
    std::lock_guard lock(announce_mutex_);
    announce_refused_ = true;
    announce_changed_.notify_all();
  }
  work_.Close();
  events_.Close();
  for (std::unique_ptr<Session>& session : sessions_) session->Interrupt();
  executors_.clear();  // joins
}

}  // namespace retrofill
