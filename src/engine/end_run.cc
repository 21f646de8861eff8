#include "engine/end_run.h"

#include "base/log.h"
#include "base/point.h"

namespace retrofill {

Status EndRun(const RunContext& run, const BackfillState& state, const std::string& outcome,
              Session& session) {
  EndRequest request{.target = run.plan->relation,
                     .plan = run.plan->hash,
                     .plan_no = state.plan_no,
                     .unpublished = {},
                     .run = run.backfill,
                     .actor = run.actor,
                     .outcome = outcome};
  for (const PartitionState& p : state.partitions) {
    bool live = p.phase == PartitionPhase::kPublished || p.phase == PartitionPhase::kUndone;
    if (IsComputed(p.action) && !live) request.unpublished.push_back(p.part);
  }
  RF_TRY(Reach("engine.before_end"));
  RF_TRY(session.End(request));
  RF_TRY(Reach("engine.plan_ended"));
  if (run.undo()) return Ok();
  Status dropped =
      session.DropObject({.schema = "retrofill_stage", .table = run.stage.table, .rows = 0});
  if (!dropped.ok())
    Log("stage {} is left to clean: {}", run.stage.table, dropped.error().message());
  return Ok();
}

}  // namespace retrofill
