#pragma once

// The demo project `shop` (product document, 11): what `init --demo` writes, and the steps by which
// the past of its tables comes about. The contents are the same bytes on every machine.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/embedded_file.h"

namespace retrofill {

// One first load of a table, by the real stage and publish path.
struct DemoLoad {
  std::string name;        // of the plan and backfill
  std::string table;       // of the past project
  std::string selection;   // one selection word
  int64_t partitions = 0;  // that it fills
};

// Name of the DuckDB file, relative to the project.
inline constexpr std::string_view kDemoDatabase = "shop.duckdb";
// The one instant the demo takes for "now".
inline constexpr std::string_view kDemoAsOf = "2026-02-10T09:14:05Z";

// The order in which `init --demo` does its work:
//   1. SourcesSql on an empty DuckDB file,
//   2. PastFiles into a folder beside the file, then Loads() there, in order,
//   3. AfterLoadSql on the file,
//   4. ProjectFiles into the project's folder.
// Paths are relative to the project.
std::vector<EmbeddedFile> DemoProjectFiles();
std::vector<EmbeddedFile> DemoPastFiles();
std::string_view DemoSourcesSql();
std::string_view DemoAfterLoadSql();
std::vector<DemoLoad> DemoLoads();

}  // namespace retrofill
