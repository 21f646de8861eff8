#pragma once

#include <string>

#include "base/json.h"
#include "engine/lineage_operation.h"

namespace retrofill {

// The two lines, what is read of each input, and the tables below with their partitions.
std::string LineageText(const LineageResult& lineage);
// `inputs` and `downstream`, with every partition by its key.
Json LineageJson(const LineageResult& lineage);

}  // namespace retrofill
