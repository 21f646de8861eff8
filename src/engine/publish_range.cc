#include "engine/publish_range.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/point.h"

namespace retrofill {
namespace {

// What the ledger row says beyond its columns: the versions of the inputs and where the pre-image
// is.
std::string LedgerBody(const RunContext& run, const PartitionState& p) {
  Json inputs = Json::Object();
  for (const auto& [name, version] : p.inputs) inputs[name] = version;
  Json body =
      Json::Object({{"inputs", inputs}, {"pre_image", run.backup}, {"source_rows", p.source_rows}});
  if (p.confirmed_empty) body["confirmed_empty"] = true;
  return body.Compact();
}

// An undo puts back rows together with what was known of them, so that health afterwards is what it
// was before.
void Restore(const RunContext& run, PublishItem& item) {
  auto before = run.restored.find(item.part);
  if (before == run.restored.end()) {
    item.code = "";
    item.body = Json::Object({{"pre_image", run.backup}, {"restores", "unknown rows"}}).Compact();
    return;
  }
  item.code = before->second.code;
  Result<Json> body = Json::Parse(before->second.body);
  Json copy = body.ok() ? *std::move(body) : Json::Object();
  copy["pre_image"] = run.backup;
  item.body = copy.Compact();
}

}  // namespace

Result<PublishGroup> GroupOf(const RunContext& run, const BackfillState& state,
                             const std::vector<size_t>& places) {
  const Plan& plan = *run.plan;
  PublishGroup group;
  group.target = plan.relation;
  group.live = run.context.sides.target;
  group.rows =
      run.undo() ? run.context.BackupSide(run.undo_rows) : run.context.StageSide(run.stage.table);
  group.rows_have_units = !run.undo();
  group.space = plan.space.get();
  group.shape = run.context.shape;
  group.grain = run.context.table->grain;
  group.create_target = !run.context.target_exists;
  group.plan = plan.hash;
  group.plan_no = state.plan_no;
  group.undoes = plan.undoes;
  group.run = run.backfill;
  group.code = plan.pin.digest;
  group.actor = run.actor;
  group.backup = run.backup;
  for (size_t place : places) {
    const PartitionState& p = state.partitions[place];
    PublishItem item;
    item.partition = p.partition;
    item.part = p.part;
    item.unit = {.unit = p.unit, .epoch = p.unit_epoch};
    item.epoch = p.epoch;
    item.attempt = p.attempts;
    item.baseline = run.baseline.Of(p.part);
    RF_ASSIGN(item.staged, ParseFingerprint(p.digest));
    item.body = LedgerBody(run, p);
    if (run.undo()) Restore(run, item);
    group.items.push_back(std::move(item));
  }
  std::sort(group.items.begin(), group.items.end(),
            [](const PublishItem& a, const PublishItem& b) { return a.part < b.part; });
  return group;
}

Result<GroupPublished> PublishRange(const RunContext& run, const BackfillState& state,
                                    const std::vector<size_t>& places, const Announce& announce,
                                    Session& session) {
  absl::Duration start = run.clock->Monotonic();
  RF_ASSIGN(PublishGroup group, GroupOf(run, state, places));
  RF_ASSIGN(PublishOutcome outcome, session.Publish(group, announce));
  RF_TRY(Reach("engine.published"));
  GroupPublished published;
  published.elapsed = run.clock->Monotonic() - start;
  for (const LedgerRow& row : outcome.rows)
    published.rows.push_back(
        {.part = row.part, .epoch = row.epoch, .rows = row.rows.value_or(0), .adopted = false});
  if (published.rows.size() != group.items.size()) {
    return Fail(ErrorCode::kFailed, "R0402",
                "{} of {} ledger rows could not be read back after the publish",
                group.items.size() - published.rows.size(), group.items.size());
  }
  return published;
}

}  // namespace retrofill
