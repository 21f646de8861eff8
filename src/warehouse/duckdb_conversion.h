#pragma once

#include <cstdint>
#include <string>

#include "base/db/duckdb.h"
#include "base/error.h"
#include "warehouse/relation.h"

namespace retrofill {

// Runs `<into> select <columns by name>, <marks> from (<select>)` and returns the rows inserted. A
// column of another type than `target` has is accepted only if every value converts there and
// back without a change; else kFailed P0208 names the column. Errors of DuckdbConnection.
Result<int64_t> InsertExactly(DuckdbConnection& connection, const std::string& into,
                              const std::string& marks, const RelationShape& target,
                              const RelationShape& result, const std::string& select);

// Whether every conversion between the types keeps the value or fails: integers of any width, and
// decimals that lose no digit after the point. Others have to be tried value by value.
bool ConvertsOrFails(const std::string& from, const std::string& to);

}  // namespace retrofill
