#pragma once

// The fixture under the tests of the engine: an empty folder with a DuckDB file in it.

#include <gtest/gtest.h>

#include <string>

#include "base/file.h"
#include "warehouse/duckdb_warehouse.h"

namespace retrofill {

class DatabaseFolder : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = testing::TempDir() + test->test_suite_name() + "_" + test->name();
    ASSERT_TRUE(RemoveFolder(folder_).ok());
    ASSERT_TRUE(MakeFolders(folder_).ok());
  }

  std::string Path() const { return folder_ + "/shop.duckdb"; }

  void Execute(const std::string& sql) {
    auto database = DuckdbDatabase::Open(Path(), DuckdbAccess::kReadWrite);
    ASSERT_TRUE(database.ok()) << database.error().message();
    auto connection = (*database)->Connect();
    ASSERT_TRUE(connection.ok());
    Result<int64_t> done = (*connection)->Execute(sql);
    ASSERT_TRUE(done.ok()) << done.error().message();
  }

  // The first value of the first row, or why there is none.
  std::string Value(const std::string& sql) {
    auto database = DuckdbDatabase::Open(Path(), DuckdbAccess::kReadOnly);
    if (!database.ok()) return database.error().message();
    auto connection = (*database)->Connect();
    Result<DuckdbRows> rows = (*connection)->Query(sql);
    return rows.ok() ? rows->rows.at(0).at(0).value_or("NULL") : rows.error().message();
  }

  std::string folder_;
};

}  // namespace retrofill
