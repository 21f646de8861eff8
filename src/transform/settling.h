#pragma once

// Questions to the data whether an order that looks open is decided after all (verification
// document, 6).

#include <optional>

#include "base/json.h"
#include "transform/select_tree.h"

namespace retrofill {

// Each gives nothing where the question cannot be put as a select of its own. `query` is the query
// node that holds the part, `ctes` the common table expressions of the outermost query, or null
// pointer.

// LIMIT: rows that share all keys of the ORDER BY.
std::optional<DataQuestion> UndecidedLimit(const Json& query, const Json* ctes);
// DISTINCT ON: rows that share the targets and all keys of the ORDER BY.
std::optional<DataQuestion> UndecidedDistinct(const Json& query, const Json* ctes);
// A window function: rows that share its partition and all its keys.
std::optional<DataQuestion> UndecidedWindow(const Json& query, const Json& window,
                                            const Json* ctes);
// An aggregate: groups in which its argument has several values that no key tells apart.
std::optional<DataQuestion> UndecidedAggregate(const Json& query, const Json& call,
                                               const Json* ctes);

}  // namespace retrofill
