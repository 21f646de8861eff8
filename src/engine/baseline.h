#pragma once

// What was live when a plan was made: per partition "before" versions and everything outside the
// plan. Kept in the journal under the plan's hash; the plan itself holds only combined digests.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "engine/observation.h"
#include "model/plan.h"

namespace retrofill {

struct Baseline {
  std::map<std::string, Fingerprint>
      partitions;  // identity -> live rows; partitions without rows are left out
  std::map<std::string, Fingerprint> others;  // partitions outside the plan that have rows
  Fingerprint null_rows;
  Fingerprint outside;
  std::map<std::string, int64_t> source_unassigned;
  std::map<std::string, int64_t> source_rows;  // identity -> rows of the first windowed input

  // Of a planned partition; n = 0 if it had no rows.
  Fingerprint Of(const std::string& part) const;
};

Baseline MakeBaseline(const PartitionSpace& space, const Observation& seen);
std::string BaselineText(const Baseline& baseline);
Result<Baseline> ParseBaseline(std::string_view text);

// Whether live rows are what the baseline says, by portable parts where the engine's version
// differs; `note` then says so.
bool SameRows(const Fingerprint& before, const Fingerprint& now, std::string* note);

}  // namespace retrofill
