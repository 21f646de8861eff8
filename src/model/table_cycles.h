#pragma once

#include <map>
#include <string>
#include <vector>

namespace retrofill {

// Which other tables each table reads.
using TableReads = std::map<std::string, std::vector<std::string>>;

// Cycles of two tables or more, one for each read that closes one: each table reads the next, and
// the last one the first. What a table reads of itself is no cycle.
std::vector<std::vector<std::string>> FindTableCycles(const TableReads& reads);

}  // namespace retrofill
