#pragma once

// Our own schemas in a DuckDB file.

#include <string>

#include "base/db/duckdb.h"
#include "base/error.h"

namespace retrofill {

// Version of the tables in schema `retrofill` that this program reads and writes.
inline constexpr int64_t kLayoutVersion = 1;

// Whether the file has our tables. kRefused W0107 if a newer program made them.
Result<bool> DuckdbHasLayout(DuckdbConnection& connection);

// Whether the current database has the table (or view).
Result<bool> DuckdbHasTable(DuckdbConnection& connection, const std::string& schema,
                            const std::string& table);

}  // namespace retrofill
