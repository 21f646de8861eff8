#pragma once

// What the runs and the text of a proof mean, in words: properties, diagnostics, limits.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/attribution.h"
#include "engine/proof_report.h"
#include "engine/static_rules.h"

namespace retrofill {

// Everything that was observed.
struct ProofEvidence {
  const TableContext* context = nullptr;
  const ProofRuns* runs = nullptr;
  std::vector<ProofProbe> probes;
  std::vector<Cause> causes;
  std::vector<Hazard> hazards;
  int64_t outside_rows = 0;                         // of all runs
  std::map<std::string, int64_t> outside_by_probe;  // key -> rows, where any
  int64_t duplicate_keys = 0;                       // most of one run
  int64_t null_keys = 0;
  std::string grain_probe;  // key of a probe with such rows
  bool batch_tried = false;
  bool batch_equal = false;
  int batch_size = 0;
  std::string batch_difference;  // "rows differ", "only in `x`"
  int watched = 0;
  std::vector<std::string> changed;  // watched relations that changed
  std::vector<std::string> unknown;  // why something could not be told (I0208)
  bool only_outsiders = false;       // undeclared relations remain: input perturbations say nothing
};

// Fills properties, findings, diagnostics, counts and `proven`.
void Conclude(const ProofEvidence& evidence, ProofReport& report);

// What no proof can see (verification document, 5.9), and what this one did not run.
std::vector<std::string> LimitsOfProof(const ProofEvidence& evidence);

}  // namespace retrofill
