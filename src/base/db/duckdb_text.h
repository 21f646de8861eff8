#pragma once

// How the engine's values, types and errors become ours. Used by duckdb.cc alone.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/db/duckdb.h"
#include "base/error.h"

struct _duckdb_data_chunk;
struct _duckdb_logical_type;

namespace retrofill {

// One column of a result: how its values are laid out, read once per result.
struct DuckdbLayout {
  int type = 0;                            // duckdb_type
  int width = 0, scale = 0, internal = 0;  // DECIMAL
};

// The type as the engine prints it. nullopt for nested and unknown ones: ask `describe`.
std::optional<std::string> DuckdbTypeText(_duckdb_logical_type* type);
DuckdbLayout DuckdbLayoutOf(_duckdb_logical_type* type);
// Whether AppendDuckdbRows can print values of this layout. If not, the caller has the engine cast.
bool PrintsDuckdbValues(const DuckdbLayout& layout);
// Appends the rows of a chunk, until `rows` holds `limit`.
void AppendDuckdbRows(_duckdb_data_chunk* chunk, const std::vector<DuckdbLayout>& layouts,
                      size_t limit, std::vector<std::vector<std::optional<std::string>>>& rows);

// What the engine said, taken out of its JSON form. `type` 0 = unknown: taken from the JSON as
// well.
DuckdbFailure ReadDuckdbFailure(int type, std::string_view text);
// The one place that decides what an engine error means for the caller.
Error ErrorOfDuckdb(const DuckdbFailure& failure, std::optional<int> system_error);
// The operating system's error number inside an I/O error, where the engine gives it.
std::optional<int> SystemErrorOf(std::string_view text);
// Why opening failed. `text` is the engine's sentence; only the holder's pid is taken from it.
Error OpenErrorOfDuckdb(const std::string& path, DuckdbAccess access, std::string_view text);

}  // namespace retrofill
