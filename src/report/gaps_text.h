#pragma once

#include <span>
#include <string>

#include "base/json.h"
#include "engine/gaps_operation.h"

namespace retrofill {

// The partitions of one table that are not `ok`, grouped by what is wrong, with the first reasons;
// `all` also those that are. Ends with a newline.
std::string GapsText(const GapsResult& gaps, bool all);
// `table`, `range`, `counts`, `blocked`, `gaps` (each group: `health`, `reasons`, `blocked`,
// `partitions`, `range`).
Json GapsJson(const GapsResult& gaps, bool all);
// Whether something is missing or not right. Blocked partitions that are right are no gap.
bool HasGaps(const GapsResult& gaps);

// `TABLE RELATION PARTITIONS HEALTH`: one line a table. `problem` is set where a table could not be
// looked at.
struct TableHealth {
  std::string table;
  std::string relation;
  GapsResult gaps;
  std::string problem;
};
std::string TablesText(std::span<const TableHealth> tables);
Json TablesJson(std::span<const TableHealth> tables);

}  // namespace retrofill
