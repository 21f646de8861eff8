#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "engine/gaps_operation.h"
#include "model/project.h"
#include "report/text_table.h"

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
// The lines of such a list. The columns are as wide as the names of all tables need, so that each
// line can be shown as soon as it is known.
class TablesText {
 public:
  TablesText(const Project& project, const std::vector<std::string>& tables);
  std::string Heading();
  std::string Line(const TableHealth& table);

 private:
  TextTable table_;
};
Json TablesJson(std::span<const TableHealth> tables);

}  // namespace retrofill
