#pragma once

// Why a run of a proof gave other rows (verification document, 5.4).

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/proof_runs.h"

namespace retrofill {

// What one thing that should not matter did to the result.
struct Cause {
  enum class Kind {
    kClock,           // I0101
    kNondeterminism,  // I0102 or I0205: two equal runs differ
    kZone,            // I0205
    kOrder,           // I0205
    kOwnResult,       // I0201
    kTarget,          // I0202
    kSourceOutside,   // I0204
    kOtherInputs,     // I0117
    kTogether,        // only several of them at once
  };
  Kind kind = Kind::kClock;
  std::set<std::string> columns;  // that differ; all of them if rows are missing or too many
  bool rows_differ = false;       // another number of rows
  int probes = 0;                 // that show it
};

// Compares runs of one unit with its first run and finds causes. Remembers what earlier units
// showed, so that each cause is looked for once.
class Attribution {
 public:
  explicit Attribution(ProofRuns& runs) : runs_(runs) {}

  // Looks at the later runs of a unit. Adds to `causes()`.
  Status Judge(const PartitionSet& unit, const ProofRun& first, const std::vector<ProofRun>& later);
  const std::vector<Cause>& causes() const { return causes_; }
  // Columns that some cause explains and that can be set aside: the rest of each row is equal.
  std::set<std::string> SetAside() const;

 private:
  struct Seen {
    std::set<std::string> columns;
    bool rows_differ = false;
    bool differs() const { return rows_differ || !columns.empty(); }
  };
  Result<Seen> Difference(const PartitionSet& unit, const ProofRun& first, const ProofRun& other,
                          const std::set<std::string>& without);
  Status Explain(const PartitionSet& unit, const ProofRun& first, std::set<std::string> without);
  Result<Seen> DifferenceOfOrders(const PartitionSet& unit, const std::set<std::string>& without);
  Status ExplainTogether(const PartitionSet& unit, const ProofRun& first);
  void Add(Cause::Kind kind, const Seen& seen, std::set<Cause::Kind>& counted);

  ProofRuns& runs_;
  std::vector<Cause> causes_;
};

}  // namespace retrofill
