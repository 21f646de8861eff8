#pragma once

// Makes plans (product document, 5). Reads metadata, aggregates, fingerprints and the ledger;
// writes nothing.

#include <absl/time/time.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/baseline.h"
#include "engine/health.h"
#include "engine/table_context.h"
#include "model/plan.h"
#include "model/selection.h"
#include "warehouse/warehouse.h"

namespace retrofill {

struct PlanRequest {
  SelectionArguments selection;
  std::string name;  // of the backfill; must be a plan name
  std::string reason;
  std::string author;  // user@host
  absl::Time created;
  absl::Time as_of;
  bool force = false;          // restate what is right already
  std::optional<Order> order;  // in place of the table's
  std::optional<int> slots;
  bool skip_blocked = false;
  std::string version;  // of retrofill
  std::string engine;   // "duckdb 1.5.6"
  std::string strength;
};

// What the journal knows about partitions beside the ledger.
struct KnownFailures {
  std::set<std::string> failed;      // identity texts whose last attempt failed
  std::set<std::string> unknown;     // whose publish has no known outcome yet
  std::vector<Diagnostic> warnings;  // backfills that could not be asked
};

struct PlanResult {
  std::optional<Plan> plan;  // none = nothing to do
  Baseline baseline;
  Selection selection;
  std::vector<std::string> echo;        // the two lines that say what was understood
  std::vector<PartitionHealth> health;  // of every selected partition
  std::map<std::string, std::string> blocked;
  std::vector<Diagnostic> warnings;        // P0206, P0207, P0209, P0210
  std::vector<PlanDownstream> downstream;  // also in the plan
  Unassigned unassigned;
};

// kInvalid P01xx for the selection; kRefused R0101, P0201, P0204, P0205, P0208, P0212.
Result<PlanResult> MakePlan(const TableContext& context, const PlanRequest& request,
                            const KnownFailures& known, Session& session);

// The selection alone, with states looked up: for gaps, verify and diff.
Result<Selection> Select(const TableContext& context, const SelectionArguments& arguments,
                         absl::Time as_of, const KnownFailures& known, Session& session);

}  // namespace retrofill
