#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "model/plan.h"

namespace retrofill {

struct PlanTextOptions {
  bool all = false;      // unfold partitions that are skipped
  std::string engine{};  // "duckdb 1.5.6"; the plan's own where empty
  // Of `plan`, after the actions: rows in no partition (UnassignedText). A plan does not hold them.
  std::string unassigned{};
};

// What a plan says, as `plan` and `show` print it: head, range, actions, downstream, cost, gates.
std::string PlanText(const Plan& plan, const PlanTextOptions& options = {});

// The Range and Interval lines of a selection, each with a newline (product document, 4.2).
std::string SelectionText(const PartitionSet& set, const PartitionSpace& space);

// A line for each: `~` stale, `%` mixed, `+` never built, `.` not over yet, `?` not looked at.
std::string DownstreamText(std::span<const PlanDownstream> downstream);

// `plan` (the plan file's object), `counts` by action and `to_compute`, `range` (compact text).
Json PlanJson(const Plan& plan);

// `+`, `~`, `=`, `!`.
char ActionGlyph(Action action);
// "stale: code changed", "missing", "expired": a run's reason for people.
std::string WhyText(const PlanRun& run);

}  // namespace retrofill
