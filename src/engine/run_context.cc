#include "engine/run_context.h"

#include <utility>

namespace retrofill {
namespace {

// The definition may have moved since the plan was made: then its partitions are not those of the
// table any more.
Status CheckSpace(const Plan& plan, const TableContext& context) {
  for (const Partition& partition : plan.ToCompute().Partitions(*plan.space)) {
    std::string part = plan.space->IdentityText(partition);
    std::optional<Partition> now = context.space->ParseIdentity(part);
    if (now && now->interval == partition.interval) continue;
    return Fail(ErrorCode::kRefused, "P0307",
                "partition {} of the plan is not one of `{}` any more",
                plan.space->KeyText(partition), plan.table)
        .Note(
            "the table's grain, zone or dimensions changed, or the zone rules of this machine did")
        .Help("plan again");
  }
  return Ok();
}

Status CheckShape(const Plan& plan, const BackfillState& state, const TableContext& context) {
  if (plan.target_schema.empty() && (!context.target_exists || state.Counts().published > 0))
    return Ok();
  std::string now = context.target_exists ? ShapeHash(context.shape) : "";
  if (now == plan.target_schema || plan.target_schema.empty()) return Ok();
  return Fail(ErrorCode::kRefused, "P0303", "the columns of {} changed since the plan",
              plan.relation)
      .Help("plan again");
}

// The inputs must have the columns that they had when the plan was made.
Status CheckInputs(const Plan& plan, const TableContext& context) {
  for (const TransformInput& input : context.sides.inputs) {
    auto planned = plan.sources.find(input.name);
    if (planned == plan.sources.end() || planned->second.schema == ShapeHash(input.shape)) continue;
    return Fail(ErrorCode::kRefused, "P0303", "the columns of `{}` changed since the plan",
                input.name)
        .Help("plan again");
  }
  return Ok();
}

Result<TableContext> Bind(const EngineContext& engine, const Plan& plan, const Table& table,
                          Session& session) {
  if (!plan.undoes.empty()) return BindTarget(*engine.project, table, session);
  Result<TableContext> bound = BindTable(*engine.project, table, plan.pin.sql, session, plan.as_of);
  if (bound.ok() || bound.error().id() != "X0206") return bound;
  // The statement was bound when the plan was made, so what it reads is not what it was.
  return Fail(ErrorCode::kRefused, "P0303", "what `{}` reads changed since the plan: {}",
              plan.table, bound.error().message())
      .Help("plan again");
}

}  // namespace

Result<OpenedRun> OpenRun(const EngineContext& engine, const BackfillState& state, Access access) {
  const Plan& plan = *state.plan;
  RF_ASSIGN(const Table* table, FindTable(*engine.project, plan.table));
  OpenedRun opened;
  RF_ASSIGN(opened.warehouse,
            engine.open(engine.project->connections.at(table->connection), access, true));
  RF_ASSIGN(opened.session, opened.warehouse->Connect());
  RunContext& run = opened.run;
  RF_ASSIGN(run.context, Bind(engine, plan, *table, *opened.session));
  RF_TRY(CheckInputs(plan, run.context));
  RF_TRY(CheckSpace(plan, run.context));
  RF_TRY(CheckShape(plan, state, run.context));
  run.context.space =
      plan.space;  // the plan's own, so that cells and slots mean the same everywhere
  run.plan = state.plan;
  run.backfill = state.id;
  run.actor = engine.actor;
  run.clock = engine.clock;
  run.sole_writer = opened.warehouse->SoleWriter();
  RF_ASSIGN(std::optional<Baseline> baseline, engine.store->LoadBaseline(plan.hash));
  if (!baseline)
    return Fail(ErrorCode::kCorrupt, "W0201", "the journal has no baseline of plan {}",
                plan.hash.substr(0, 8));
  run.baseline = *std::move(baseline);
  run.backup = StageName(plan.relation, plan.hash);
  if (plan.undoes.empty()) {
    run.stage = {.table = StageName(plan.relation, plan.hash), .columns = run.context.shape};
    // A parameter of the partition may give a column another type from one unit to the next.
    if (run.context.cells_together()) run.stage.result = run.context.result;
  } else {
    run.undo_rows = StageName(plan.relation, plan.undoes);
  }
  return opened;
}

}  // namespace retrofill
