#pragma once

#include <string>

#include "base/json.h"
#include "engine/inspect_operation.h"

namespace retrofill {

// What `diff` prints: totals, columns, then the partitions that moved most, at most `top`. With one
// partition asked for also sample rows.
std::string DiffText(const DiffAnswer& answer, int top, bool with_samples);
Json DiffJson(const DiffAnswer& answer, int top);
bool HasDifferences(const DiffAnswer& answer);

// Sample keys with the values that differ, at most `limit`; empty if there are none.
std::string DiffSamplesText(const DiffResult& diff, int limit);
Json DiffCountsJson(const DiffResult& diff);

}  // namespace retrofill
