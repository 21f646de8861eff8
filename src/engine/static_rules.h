#pragma once

// What a transform's text says about its safety (verification document, 6).

#include <cstddef>
#include <string>
#include <vector>

#include "engine/proof_report.h"
#include "engine/proof_runs.h"
#include "engine/table_context.h"

namespace retrofill {

// A hazard in the text, before anything is settled.
struct Hazard {
  Diagnostic diagnostic;
  bool by_data = false;  // an `error*`: settled if the data decide the order
  size_t fact = 0;       // by_data: index of its fact in ProofRuns::facts
  std::string column;    // of the result, where it is clear
  std::string settled;   // why it does not count; empty = it counts
};

// All findings, in the order of the text; those that a `-- retrofill: allow ID REASON` comment or
// an ignored column settles say so.
std::vector<Hazard> FindHazards(const TableContext& context, const ProofRuns& runs);

// The hazard's place: the expression that starts at `position` of the rendered statement, up to the
// end of its name and its arguments.
Origin PlaceOfFact(const TableContext& context, const RenderedSql& rendered, size_t position,
                   std::string label);

}  // namespace retrofill
