#pragma once

#include <vector>

#include "base/db/duckdb.h"
#include "base/error.h"
#include "model/partition_set.h"
#include "warehouse/publish.h"

namespace retrofill {

// The partitions of some items of the group.
PartitionSet SetOf(const PublishGroup& group, const std::vector<const PublishItem*>& items);

// Inserts into the target exactly the rows that the items' units staged for the items' own
// partitions (of a backup: the rows kept under their parts), by column name. kFailed R0301 if their
// number is not the staged one.
Status InsertStagedRows(DuckdbConnection& connection, const PublishGroup& group,
                        const std::vector<const PublishItem*>& items);

}  // namespace retrofill
