#include "engine/run_operation.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "base/text.h"
#include "engine/pool_slots.h"
#include "engine/prove_operation.h"
#include "engine/run_context.h"
#include "engine/undo_operation.h"
#include "model/selection.h"

namespace retrofill {
namespace {

// A plan that nobody ran for this long is made anew (product document, 5.3).
constexpr absl::Duration kPlanAge = absl::Hours(24 * 28);
constexpr absl::Duration kDefaultUnitTime = absl::Seconds(10);  // of DuckDB (guard document, 5.5)

// Holds the lease of a backfill while this process drives it.
class HeldLease {
 public:
  static Result<std::unique_ptr<HeldLease>> Take(const EngineContext& engine,
                                                 const std::string& backfill) {
    RF_ASSIGN(bool taken, engine.store->journal().TakeLease(backfill, engine.owner));
    if (!taken) {
      return Fail(ErrorCode::kRefused, "X0105", "another process drives backfill {}", backfill)
          .Help(fmt::format("watch it: retrofill status {0}; stop it: retrofill pause {0}",
                            backfill));
    }
    return std::unique_ptr<HeldLease>(new HeldLease(engine, backfill));
  }
  ~HeldLease() {
    // A lease that stays is seen to be dead by the next process.
    static_cast<void>(engine_.store->journal().DropLease(backfill_, engine_.owner).ok());
  }
  HeldLease(const HeldLease&) = delete;
  HeldLease& operator=(const HeldLease&) = delete;

 private:
  HeldLease(const EngineContext& engine, std::string backfill)
      : engine_(engine), backfill_(std::move(backfill)) {}
  const EngineContext& engine_;
  std::string backfill_;
};

// The gates of one run, in order. Every step that is done already is passed over.
class Gates {
 public:
  Gates(const EngineContext& engine, const RunRequest& request, std::function<Status()> stopped)
      : engine_(engine), request_(request), stopped_(std::move(stopped)) {}

  Status Pass(BackfillState& state) {
    RF_TRY(CheckState(state));
    if (!state.plan->undoes.empty()) return KeepConsent(state);  // an undo runs no transform
    RF_TRY(CheckPlan(state));
    RF_TRY(CheckBlocked(state));
    RF_TRY(KeepConsent(state));
    RF_TRY(CheckProof(state));
    return CheckCanary(state);
  }

  // The run that the canary opened, else opened now. After Pass.
  Result<OpenedRun> TakeRun(const BackfillState& state) {
    RF_TRY(Open(state));
    OpenedRun taken = *std::move(opened_);
    opened_.reset();
    return taken;
  }

 private:
  // Only now: a proof opens the file itself.
  Status Open(const BackfillState& state) {
    if (opened_) return Ok();
    RF_ASSIGN(opened_, OpenRun(engine_, state, Access::kReadWrite));
    return Ok();
  }

  Status Reload(BackfillState& state) {
    RF_ASSIGN(state, engine_.store->Load(state.id));
    return stopped_();
  }

  Status Record(BackfillState& state, EventBody body) {
    RF_ASSIGN(int64_t seq, engine_.store->Append(state.id, {std::move(body)}));
    static_cast<void>(seq);
    return Reload(state);
  }

  void Step(const std::string& doing) const {
    if (request_.on_step) request_.on_step(doing);
  }

  Status CheckState(const BackfillState& state) const {
    if (state.phase != BackfillPhase::kCancelled && state.phase != BackfillPhase::kUndone)
      return Ok();
    return Fail(ErrorCode::kRefused, "X0105", "backfill {} is {} and cannot run", state.id,
                PhaseText(state.phase))
        .Help("plan again");
  }

  // P0206 to P0306: what has moved since the plan was made.
  Status CheckPlan(const BackfillState& state) const {
    const Plan& plan = *state.plan;
    RF_ASSIGN(const Table* table, FindTable(*engine_.project, plan.table));
    if (plan.transform_class == TransformClass::kSequential) {
      return Fail(ErrorCode::kRefused, "X0105",
                  "`{}` reads its own earlier partitions; running such a table is not available in "
                  "this version",
                  plan.table)
          .Note("the plan stands; nothing was computed");
    }
    if (!request_.allow_stale.empty()) return Ok();
    bool early = !state.started.has_value();
    if (early && engine_.clock->Now() - plan.created > kPlanAge) {
      return Fail(ErrorCode::kRefused, "P0306", "plan {} is older than 28 days", plan.name)
          .Help("plan again, or run it all the same: --allow-stale REASON");
    }
    Result<SqlTemplate> now = LoadSqlTemplate(engine_.project->folder, table->sql_file);
    if (now.ok() && TransformDigest(now->text) == plan.pin.digest &&
        table->sql_file == plan.pin.files.begin()->first)
      return Ok();
    Error error = Fail(ErrorCode::kRefused, "P0301", "{} is not what plan {} pinned",
                       table->sql_file, plan.name);
    if (now.ok())
      error = std::move(error).Note(fmt::format("pinned {}, now {}", plan.pin.digest.substr(0, 8),
                                                TransformDigest(now->text).substr(0, 8)));
    return std::move(error).Help("plan again, or run the pinned code: --allow-stale REASON");
  }

  Status CheckBlocked(BackfillState& state) {
    if (state.skip_blocked) return Ok();
    PartitionSet blocked;
    for (const PlanRun& run : state.plan->runs) {
      if (run.action == Action::kBlocked) blocked = Union(blocked, run.set);
    }
    if (blocked.empty()) return Ok();
    bool agreed =
        request_.skip_blocked || (request_.ask_blocked && request_.ask_blocked(*state.plan));
    if (agreed) return Record(state, ConsentGiven{.what = "skip_blocked"});
    return Fail(ErrorCode::kRefused, "P0202", "{} cannot be computed: {}",
                Plural(blocked.Count(*state.plan->space), "partition", "partitions"),
                SetText(blocked, *state.plan->space, 5))
        .Note("their rows in the target would stay as they are")
        .Help("run without them: --skip-blocked");
  }

  // Whoever goes on with an interrupted run repeats no flag: what was agreed to is kept before
  // anything runs.
  Status KeepConsent(BackfillState& state) {
    const bool agrees = request_.publish && request_.may_publish && !request_.no_publish;
    if (!agrees || state.publish_consent) return Ok();
    return Record(state, ConsentGiven{.what = "publish"});
  }

  Status CheckProof(BackfillState& state) {
    if (state.proof_passed || !state.proof_override.empty() || state.published) return Ok();
    if (!request_.override_proof.empty())
      return Record(state, ProofOverridden{.reason = request_.override_proof});
    RF_ASSIGN(bool adopted, AdoptCertificate(engine_, state.id));
    if (adopted) return Reload(state);
    Step("proving");
    ProveOptions options;
    options.stop = [this] { return !stopped_().ok(); };
    RF_ASSIGN(ProofReport report, ProveBackfill(engine_, state.id, options));
    if (request_.on_proof) request_.on_proof(report);
    RF_TRY(Reload(state));
    if (report.proven) return Ok();
    std::string id = report.diagnostics.empty() ? "I0208" : report.diagnostics[0].id;
    return Fail(ErrorCode::kFailed, id, "not proven: {}",
                report.diagnostics.empty() ? report.LastLine() : report.diagnostics[0].message)
        .Help("mend the transform and plan again, or run it all the same: --override-proof REASON");
  }

  Status CheckCanary(BackfillState& state) {
    bool over = state.canary_passed || !state.canary_skipped.empty() || state.started.has_value();
    if (over) return Ok();
    if (!request_.skip_canary.empty())
      return Record(state, CanarySkipped{.reason = request_.skip_canary});
    Step("canary");
    RF_TRY(Open(state));
    RF_ASSIGN(CanaryResult canary, RunCanary(engine_, state, *opened_, ""));
    if (request_.on_canary) request_.on_canary(canary);
    RF_TRY(Reload(state));
    if (canary.passed) return Ok();
    return Fail(ErrorCode::kFailed, canary.failure_id, "the canary {} did not pass: {}", canary.key,
                canary.failure)
        .Help("mend the cause and plan again");
  }

  const EngineContext& engine_;
  const RunRequest& request_;
  std::function<Status()> stopped_;
  std::optional<OpenedRun> opened_;
};

RunOptions OptionsFor(const EngineContext& engine, const RunRequest& request,
                      const BackfillState& state, const TableContext& context) {
  const Table& table = *context.table;
  RunOptions options;
  // A pool that has become smaller since the plan was made is still a ceiling.
  options.slots = request.slots.value_or(std::min(
      state.plan->settings.slots, SlotsOfPool(*engine.project, state.plan->settings.pool)));
  options.publish = request.may_publish && !request.no_publish &&
                    (request.publish || (request.resumed && state.publish_consent));
  options.per_partition =
      state.plan->settings.publish == PublishMode::kPerPartition && options.publish;
  options.batch = state.plan->settings.batch;
  options.can_batch = state.batch_proven && context.can_batch() && options.batch != 1;
  options.cells_together = context.cells_together();
  auto pool = engine.project->pools.find(state.plan->settings.pool);
  bool declared =
      pool != engine.project->pools.end() && pool->second.unit_time > absl::ZeroDuration();
  options.unit_time = declared ? pool->second.unit_time : kDefaultUnitTime;
  options.attempts = table.attempts;
  options.max_failed = table.max_failed;
  options.on_failure = table.on_failure;
  options.keep_undo = table.keep.undo;
  options.jitter =
      Random(static_cast<uint64_t>(absl::ToUnixMicros(engine.clock->Now())), "back-off").Fraction();
  if (!state.plan->undoes.empty()) {
    options.can_batch = true;  // reading saved rows needs no proof
    options.partition_time = absl::Milliseconds(1);
  }
  for (const PartitionState& p : state.partitions) {
    if (p.part == state.canary_part && p.milliseconds > 0)
      options.partition_time = absl::Milliseconds(p.milliseconds);
  }
  return options;
}

// Whether a run has nothing left to do, though nothing is wrong.
bool Over(const BackfillState& state) { return state.phase == BackfillPhase::kDone; }

}  // namespace

bool Runner::Ask(StopAsked stop) {
  std::lock_guard lock(mutex_);
  if (loop_ != nullptr) return loop_->Ask(std::move(stop));
  asked_ = std::move(stop);
  return false;
}

Result<RunResult> Runner::Run(const RunRequest& request) {
  RF_ASSIGN(std::unique_ptr<HeldLease> lease, HeldLease::Take(engine_, request.backfill));
  RF_ASSIGN(BackfillState state, engine_.store->Load(request.backfill));
  if (Over(state))
    return RunResult{.end = {.outcome = RunOutcome::kDone, .error = std::nullopt},
                     .state = std::move(state),
                     .nothing_to_do = true};
  auto stopped = [this]() -> Status {
    std::lock_guard lock(mutex_);
    if (asked_)
      return Fail(ErrorCode::kCancelled, "X0106", "stopped before anything ran: {}",
                  asked_->reason);
    return Ok();
  };
  RF_TRY(ChooseSlots(*engine_.project, state.plan->settings.pool, request.slots));
  Gates gates(engine_, request, stopped);
  RF_TRY(gates.Pass(state));
  RF_ASSIGN(OpenedRun opened, gates.TakeRun(state));
  RunOptions options = OptionsFor(engine_, request, state, opened.run.context);
  const bool may_ask = request.may_publish && !request.no_publish &&
                       state.plan->settings.publish != PublishMode::kManual;
  RunObserver observer{.on_events = request.on_events,
                       .ask_publish = may_ask ? request.ask_publish : nullptr,
                       .on_idle = request.on_idle};
  RunLoop loop(opened.run, std::move(state), options, *engine_.store, *opened.warehouse,
               std::move(observer), engine_.owner, engine_.StopFile());
  {
    std::lock_guard lock(mutex_);
    loop_ = &loop;
    if (asked_) loop.Ask(*asked_);
  }
  Result<RunEnd> end = loop.Run();
  {
    std::lock_guard lock(mutex_);
    loop_ = nullptr;
  }
  if (!end.ok()) return std::move(end).error();
  RunResult result{.end = *std::move(end), .state = loop.state(), .nothing_to_do = false};
  if (!result.state.undoes_backfill.empty() && result.end.outcome == RunOutcome::kDone)
    RF_TRY(MarkUndone(engine_, result.state));
  return result;
}

}  // namespace retrofill
