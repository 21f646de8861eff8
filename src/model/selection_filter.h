#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/partition_set.h"
#include "model/selection_words.h"
#include "model/space.h"

namespace retrofill {

// Keeps what passes all filters. kInvalid P0108 for a dimension that `table` does not have or a
// value that is not listed, P0110 for a dimension that is filtered twice.
Result<PartitionSet> ApplyFilters(const std::vector<SelectionFilter>& filters,
                                  const PartitionSpace& space, std::string_view table,
                                  PartitionSet set);

}  // namespace retrofill
