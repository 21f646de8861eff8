#pragma once

#include <vector>

#include "base/error.h"
#include "model/dimension.h"
#include "warehouse/relation.h"

namespace retrofill {

// Dimensions as the columns of the target have them: values are written as text in a configuration,
// and of an integer or boolean column they become the canonical text of their type (`01` is `1`).
// A column that the target lacks stays text. kInvalid C0103 at the origin for a value that is none
// of its type, else as CheckDimensions, such as for two that become one.
Result<std::vector<Dimension>> TypedDimensions(std::vector<Dimension> dimensions,
                                               const RelationShape& target, const Origin& origin);

}  // namespace retrofill
