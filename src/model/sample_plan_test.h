#pragma once

// A plan for the tests of plans: by day and region, with every list filled.

#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/plan.h"

namespace retrofill {

inline Plan MakePlan() {
  Plan plan;
  plan.name = "fin-812";
  plan.author = "ana@build-1";
  plan.reason = "FIN-812 refunds missing";
  plan.created = *ParseInstant("2026-02-10T09:14:05Z");
  plan.as_of = plan.created;
  plan.table = "revenue_daily";
  plan.relation = "analytics.revenue_daily";
  plan.scope = "range";
  plan.described = {.by = "day",
                    .column = "order_date",
                    .kind = "date",
                    .zone = "UTC",
                    .zone_db = "2026a",
                    .week_start = "monday",
                    .bounds = "a41c"};
  Result<Grid> grid = Grid::Make(
      {.by = "day", .zone = Zone(), .week_start = absl::Weekday::monday, .begin = "", .end = ""});
  Dimension region{
      .name = "region", .type = DimensionType::kText, .values = {{"eu"}, {"us"}, {std::nullopt}}};
  plan.space = std::make_shared<PartitionSpace>(*grid, std::vector<Dimension>{region}, true);
  auto day = [&](const char* key) { return plan.space->ParseKey(key)->interval; };
  Interval december{day("2025-12-01/eu").start, day("2025-12-24/eu").end};
  Interval christmas = day("2025-12-25/eu");
  plan.runs = {{.action = Action::kRestate,
                .why = "stale:code",
                .set = PartitionSet::Rectangle({december}, {{0, 3}}),
                .before = "51c0"},
               {.action = Action::kFill,
                .why = "missing",
                .set = PartitionSet::Rectangle({christmas}, {{0, 2}}),
                .before = "empty"},
               {.action = Action::kBlocked,
                .why = "expired",
                .set = PartitionSet::Rectangle({christmas}, {{2, 3}}),
                .before = ""}};
  plan.pin.files["sql/revenue_daily.sql"] = "1c77e0b4";
  plan.pin.sql = "select 1";
  plan.pin.digest = "d1";
  plan.pin.retrofill = "0.1.0";
  plan.pin.engine = "duckdb 1.5.6";
  plan.sources["raw.orders"] = {.schema = "9be1", .fingerprint = "77ab", .rows = 41022};
  plan.strength = "exactly-once";
  plan.settings.pool = "backfill";
  plan.downstream = {{.table = "revenue_monthly",
                      .action = "restate",
                      .keys = "2025-12",
                      .partitions = 3,
                      .of = 219,
                      .refresh = "auto"}};
  plan.gate_proof = "14d";
  plan.estimate_basis = "row counts";
  plan.estimate_seconds_high = 6600;
  SealPlan(plan);
  return plan;
}

}  // namespace retrofill
