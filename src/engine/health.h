#pragma once

// Whether partitions are right, and why not (product document, 5.1; intervals document, 11).

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/observation.h"
#include "engine/table_context.h"

namespace retrofill {

enum class Health { kOk, kMissing, kStale, kChanged, kFailed, kUnknown };
// "ok", "missing" ...
std::string_view HealthText(Health health);

struct PartitionHealth {
  Partition partition;
  Health health = Health::kUnknown;
  std::vector<std::string> reasons;  // of kStale: "code", "upstream", "source"
  bool recorded = false;             // it has a ledger row
  bool empty = false;                // no rows, and the source has none: shown as `ok (empty)`
  int64_t target_rows = 0;
  int64_t source_rows = -1;  // -1: not asked
  std::string blocked;       // "open", "future", "incomplete", "expired" or empty
  std::string note;          // "compared by portable parts: duckdb-1.5.5, now duckdb-1.5.6"

  // "stale: code, source"; "ok (empty)".
  std::string Text() const;
};

struct HealthInputs {
  const Observation* seen = nullptr;
  const std::map<std::string, std::string>* blocked = nullptr;  // identity text -> reason
  const std::set<std::string>* failed = nullptr;   // identity texts whose last attempt failed
  const std::set<std::string>* unknown = nullptr;  // whose publish has no known outcome yet
};

// The health of each partition of `set`, time-major.
std::vector<PartitionHealth> JudgeHealth(const TableContext& context, const PartitionSet& set,
                                         const HealthInputs& inputs);

}  // namespace retrofill
