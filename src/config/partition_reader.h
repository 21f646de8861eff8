#pragma once

#include "config/problems.h"
#include "config/yaml_reader.h"
#include "model/project.h"

namespace retrofill {

// Reads `tables.N.partition` of a table whose timezone is known. Adds C0103: keys that do not go
// together, a grain that does not exist, a begin or end off the grid.
PartitionSpec ReadPartition(const YamlEntry& entry, const Table& table, Problems& problems);

}  // namespace retrofill
