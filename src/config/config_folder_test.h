#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "config/load_config.h"

namespace retrofill {

// The example of the product document, 10.1.
inline constexpr std::string_view kMinimalConfig = R"yaml(version: 1
connections:
  warehouse: {type: duckdb, path: shop.duckdb}
sources:
  main.orders: {event_time: ordered_at}
tables:
  revenue_daily:
    partition: {by: day, column: order_date, begin: 2025-01-01}
    grain: [order_date, product_id]
    inputs: [{source: main.orders}]
    transform: {sql: sql/revenue_daily.sql}
    reconcile: [{sum: {source: "sum(amount - refund)",
                                  target : "sum(net_revenue)"
}
}]
)yaml";

inline VariableReader NoVariables() {
  return [](std::string_view) { return std::optional<std::string>(); };
}

// One line an error: `C0102 retrofill.yml:3:5 unknown key `a``.
inline std::string Listing(const std::vector<Error>& errors) {
  std::string listing;
  for (const Error& error : errors) {
    const Origin origin = error.diagnostic().origin.value_or(Origin{});
    listing += fmt::format("{} {}:{}:{} {}\n", error.id(), origin.file, origin.line, origin.column,
                           error.message());
  }
  return listing;
}

// A folder of a test with files in it; removed at the end.
class ConfigFolder {
 public:
  explicit ConfigFolder(std::string_view name)
      : name_(fmt::format("config_{}", name)), path_(JoinPath(testing::TempDir(), name_)) {
    EXPECT_TRUE(RemoveFolder(path_).ok());
    EXPECT_TRUE(MakeFolders(path_).ok());
  }
  ~ConfigFolder() { EXPECT_TRUE(RemoveFolder(path_).ok()); }
  ConfigFolder(const ConfigFolder&) = delete;
  ConfigFolder& operator=(const ConfigFolder&) = delete;

  const std::string& name() const { return name_; }
  const std::string& path() const { return path_; }

  void Write(std::string_view name, std::string_view text) const {
    const std::string path = JoinPath(path_, name);
    EXPECT_TRUE(MakeFolders(FolderOf(path)).ok());
    EXPECT_TRUE(WriteFileAtomically(path, text).ok());
  }

  Checked<Configuration> Load(std::string_view name = kConfigFileName,
                              VariableReader environment = NoVariables()) const {
    return LoadConfiguration(
        {.config_file = JoinPath(path_, name), .environment = std::move(environment)});
  }

 private:
  std::string name_;
  std::string path_;
};

}  // namespace retrofill
