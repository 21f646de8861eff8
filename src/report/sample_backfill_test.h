#pragma once

// A small backfill for the tests of the renderers: four days in two regions, one of them blocked.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/backfill.h"

namespace retrofill {

inline absl::Time At(const std::string& text) { return *ParseInstant(text); }

inline std::shared_ptr<const PartitionSpace> SampleSpace() {
  Result<Grid> grid = Grid::Make({.by = "day",
                                  .zone = Zone(),
                                  .week_start = absl::Weekday::monday,
                                  .begin = "2026-01-01",
                                  .end = ""});
  const Dimension region{.name = "region",
                         .type = DimensionType::kText,
                         .values = {DimensionValue{.text = "eu"}, DimensionValue{.text = "us"}}};
  return std::make_shared<const PartitionSpace>(*grid, std::vector<Dimension>{region}, true);
}

inline PartitionSet Days(const std::string& start, const std::string& end) {
  return PartitionSet::Rectangle({Interval{At(start), At(end)}}, {CellRange{0, 2}});
}

inline Plan SamplePlan() {
  Plan plan;
  plan.name = "fin-812";
  plan.author = "ana@build-1";
  plan.reason = "FIN-812 refunds";
  plan.created = plan.as_of = At("2026-02-10T09:14:05Z");
  plan.table = "revenue_daily";
  plan.relation = "analytics.revenue_daily";
  plan.scope = "range";
  plan.space = SampleSpace();
  plan.runs = {{.action = Action::kBlocked,
                .why = "expired",
                .set = Days("2026-01-01", "2026-01-02"),
                .before = "51c0"},
               {.action = Action::kFill,
                .why = "missing",
                .set = Days("2026-01-02", "2026-01-03"),
                .before = "empty"},
               {.action = Action::kRestate,
                .why = "stale:code,source",
                .set = Days("2026-01-03", "2026-01-05"),
                .before = "51c0"}};
  plan.pin.files = {{"sql/revenue_daily.sql", "1c77e0b4aaaa"}};
  plan.pin.sql = "select 1";
  plan.pin.engine = "duckdb 1.5.6";
  plan.strength = "exactly-once";
  plan.settings.pool = "default";
  plan.downstream = {{.table = "revenue_monthly",
                      .action = "restate",
                      .keys = "2026-01",
                      .partitions = 2,
                      .of = 12,
                      .refresh = "auto"}};
  plan.gate_proof = "14d";
  plan.estimate_seconds_low = 60;
  plan.estimate_seconds_high = 120;
  plan.estimate_source_rows = 41022;
  plan.estimate_basis = "source rows";
  plan.hash = "9f3c1ad2" + std::string(56, '0');
  return plan;
}

// The state after its plan was made.
inline BackfillState SampleState() {
  BackfillState state = StartBackfill("fin-812", std::make_shared<const Plan>(SamplePlan()));
  state.actor = "ana@build-1";
  state.created = At("2026-02-10T09:14:05Z");
  return state;
}

inline PartitionState& Place(BackfillState& state, const std::string& key) {
  const Partition partition = *state.plan->space->ParseKey(key);
  return state.partitions[state.index.at(state.plan->space->IdentityText(partition))];
}

}  // namespace retrofill
