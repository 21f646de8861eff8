#include "base/db/duckdb.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "base/db/duckdb_text.h"

namespace retrofill {
namespace {

std::string FreshPath(const std::string& name) {
  const std::string path = testing::TempDir() + "duckdb_test_" + std::to_string(getpid()) + name;
  unlink(path.c_str());
  return path;
}

class DuckdbTest : public testing::Test {
 protected:
  void SetUp() override {
    auto database = DuckdbDatabase::Open(":memory:", DuckdbAccess::kReadWrite);
    ASSERT_TRUE(database.ok()) << database.error().message();
    database_ = std::move(database).value();
    auto connection = database_->Connect();
    ASSERT_TRUE(connection.ok()) << connection.error().message();
    connection_ = std::move(connection).value();
  }

  std::string One(const std::string& sql) {
    auto rows = connection_->Query(sql);
    if (!rows.ok()) return rows.error().message();
    return rows->columns[0].type + " " + rows->rows.at(0).at(0).value_or("NULL");
  }

  std::unique_ptr<DuckdbDatabase> database_;
  std::unique_ptr<DuckdbConnection> connection_;
};

TEST_F(DuckdbTest, ValuesAreTheTextsOfTheEngine) {
  EXPECT_EQ(One("select 1.50::decimal(18,2)"), "DECIMAL(18,2) 1.50");
  EXPECT_EQ(One("select -0.05::decimal(4,2)"), "DECIMAL(4,2) -0.05");
  EXPECT_EQ(One("select 99999999999999999999999999999999.999999::decimal(38,6)"),
            "DECIMAL(38,6) 99999999999999999999999999999999.999999");
  EXPECT_EQ(One("select sum(x) from (values (9223372036854775807),(1)) t(x)"),
            "HUGEINT 9223372036854775808");
  EXPECT_EQ(One("select timestamptz '2026-01-01 00:00:00+02'"),
            "TIMESTAMP WITH TIME ZONE 2025-12-31 22:00:00+00");
  EXPECT_EQ(One("select timestamp '2026-01-01 01:02:03.5'"), "TIMESTAMP 2026-01-01 01:02:03.5");
  EXPECT_EQ(One("select date '2026-01-01'"), "DATE 2026-01-01");
  EXPECT_EQ(One("select null::date"), "DATE NULL");
  EXPECT_EQ(One("select true"), "BOOLEAN true");
  EXPECT_EQ(One("select 0.1::double"), "DOUBLE 0.1");
  EXPECT_EQ(One("select 'it''s a text that is longer than twelve bytes'"),
            "VARCHAR it's a text that is longer than twelve bytes");
}

TEST_F(DuckdbTest, NestedAndUnknownTypesAreReadAsText) {
  EXPECT_EQ(One("select [1.5, 2]"), "DECIMAL(11,1)[] [1.5, 2.0]");
  EXPECT_EQ(One("select {'a': 1, 'b c': 'x'}"),
            "STRUCT(a INTEGER, \"b c\" VARCHAR) {'a': 1, 'b c': x}");
  EXPECT_EQ(One("select 'b'::enum('a', 'b')"), "ENUM('a', 'b') b");
  EXPECT_EQ(One("select '{\"a\":1}'::json"), "JSON {\"a\":1}");
  EXPECT_EQ(One("select uuid '3f4962cd-d266-4ab2-b479-a5b5a4a6d063'"),
            "UUID 3f4962cd-d266-4ab2-b479-a5b5a4a6d063");
}

TEST_F(DuckdbTest, NestedResultsKeepTheirOrder) {
  auto rows = connection_->Query("select [x] from range(5000) t(x) order by x desc");
  ASSERT_TRUE(rows.ok()) << rows.error().message();
  ASSERT_EQ(rows->rows.size(), 5000u);
  EXPECT_EQ(rows->rows[0][0], "[4999]");
  EXPECT_EQ(rows->rows[4999][0], "[0]");
}

TEST_F(DuckdbTest, LimitCutsAndSaysSo) {
  auto rows = connection_->Query("select * from range(5000)", 2048);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->rows.size(), 2048u);
  EXPECT_TRUE(rows->truncated);
  rows = connection_->Query("select * from range(2048)", 2048);
  ASSERT_TRUE(rows.ok());
  EXPECT_FALSE(rows->truncated);
}

TEST_F(DuckdbTest, ParametersAreTyped) {
  auto rows = connection_->Query(
      "select unnest($1) as part, unnest($2) as known, $3 as text, $4 as nothing",
      {std::vector<std::string>{"a'b", "c"}, std::vector<int64_t>{1, 2}, std::string("x"),
       std::monostate()});
  ASSERT_TRUE(rows.ok()) << rows.error().message();
  ASSERT_EQ(rows->rows.size(), 2u);
  EXPECT_EQ(rows->rows[0][0], "a'b");
  EXPECT_EQ(rows->rows[1][1], "2");
  EXPECT_EQ(rows->rows[1][2], "x");
  EXPECT_EQ(rows->rows[1][3], std::nullopt);
  EXPECT_EQ(rows->columns[1].type, "BIGINT");
}

TEST_F(DuckdbTest, ExecuteCountsChangedRows) {
  ASSERT_TRUE(connection_->Execute("create table t(a bigint)").ok());
  EXPECT_EQ(connection_->Execute("insert into t select * from range(7)").value(), 7);
  EXPECT_EQ(connection_->Execute("delete from t where a >= $1", {int64_t{5}}).value(), 2);
}

TEST_F(DuckdbTest, ErrorsGivePositionAndCandidates) {
  ASSERT_TRUE(connection_->Execute("create table t(amount bigint)").ok());
  const auto bound = connection_->BindSelect("select amont from t where 'é' = 'é'");
  ASSERT_FALSE(bound.ok());
  EXPECT_EQ(bound.error().code(), ErrorCode::kInvalid);
  EXPECT_EQ(bound.error().id(), "X0206");
  EXPECT_EQ(connection_->last_failure().position, 7u);
  EXPECT_EQ(connection_->last_failure().candidates, std::vector<std::string>{"amount"});
  EXPECT_TRUE(connection_->last_failure().cannot_bind);
  const auto parsed = connection_->BindSelect("select 1 form t");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().id(), "X0206");
  EXPECT_EQ(connection_->last_failure().position, 14u);
}

TEST_F(DuckdbTest, ExactlyOneSelectIsBound) {
  const auto columns = connection_->BindSelect("select 1 as a, 2.5::decimal(9,2) as b -- end\n;");
  ASSERT_TRUE(columns.ok()) << columns.error().message();
  EXPECT_EQ(*columns, (std::vector<DuckdbColumn>{{"a", "INTEGER"}, {"b", "DECIMAL(9,2)"}}));
  EXPECT_EQ(connection_->BindSelect("select 1; select 2").error().id(), "X0205");
  EXPECT_EQ(connection_->BindSelect("create table x(a int)").error().id(), "X0205");
  EXPECT_EQ(connection_->BindSelect("-- nothing").error().id(), "X0205");
}

TEST_F(DuckdbTest, KindsOfFailureHaveTheirOwnCodes) {
  ASSERT_TRUE(connection_->Execute("create table t(a bigint primary key)").ok());
  ASSERT_TRUE(connection_->Execute("insert into t values (1)").ok());
  EXPECT_EQ(connection_->Execute("insert into t values (1)").error().id(), "X0207");
  EXPECT_EQ(connection_->Query("select 'x'::int").error().code(), ErrorCode::kFailed);
  EXPECT_EQ(connection_->Query("select * from nowhere").error().id(), "X0206");
  EXPECT_EQ(connection_->Execute("copy (select * from range(1000000)) to '/dev/full'").error().id(),
            "W0109");
  EXPECT_EQ(connection_->Query("from read_csv('no_such_file.csv')").error().id(), "X0207");
  EXPECT_EQ(connection_->Query("from read_csv($1)", {std::string("no_such_file.csv")}).error().id(),
            "X0207");
}

// The engine gives a commit that cannot write its log and a conflict the same numeric type.
TEST_F(DuckdbTest, ACommitThatCannotWriteIsNoConflict) {
  const auto said = [](const std::string& message) {
    return ErrorOfDuckdb(ReadDuckdbFailure(0, R"({"exception_type":"TransactionContext",)"
                                              R"("exception_message":")" +
                                                  message + "\"}"),
                         std::nullopt);
  };
  for (const char* reason : {"No space left on device", "Permission denied", "File too large"}) {
    const Error error =
        said(std::string("Failed to commit: Could not write file shop.duckdb.wal: ") + reason);
    EXPECT_EQ(error.id(), "W0109");
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
  }
  const Error conflict = said("Failed to commit: write-write conflict on key: 1");
  EXPECT_EQ(conflict.id(), "P0302");
  EXPECT_EQ(conflict.code(), ErrorCode::kConflict);
}

// Met in the middle of a statement, unlike a file that cannot be opened.
TEST_F(DuckdbTest, ADamagedBlockIsNoFailureOfTheSql) {
  const Error error = ErrorOfDuckdb(
      ReadDuckdbFailure(28, R"({"exception_type":"IO","exception_message":"Corrupt database file: )"
                            R"(computed checksum 1 does not match stored checksum 2 in block at )"
                            R"(location 2109440"})"),
      std::nullopt);
  EXPECT_EQ(error.id(), "W0108");
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
}

TEST_F(DuckdbTest, ConflictingWritersAreAConflict) {
  auto other = database_->Connect();
  ASSERT_TRUE(other.ok());
  ASSERT_TRUE(connection_->Execute("create table t(a bigint)").ok());
  ASSERT_TRUE(connection_->Execute("insert into t values (1)").ok());
  ASSERT_TRUE(connection_->Execute("begin; update t set a = 2").ok());
  ASSERT_TRUE((*other)->Execute("begin").ok());
  const auto second = (*other)->Execute("update t set a = 3");
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kConflict);
}

TEST_F(DuckdbTest, InterruptCancelsAndTheNextStatementRuns) {
  std::atomic<bool> is_done = false;
  std::thread canceller([&] {
    while (!is_done) connection_->Interrupt();
  });
  const auto counted = connection_->Query(
      "select count(*) from range(100000000) a, range(100000) b where a.range % 7 = b.range % 5");
  is_done = true;
  canceller.join();
  ASSERT_FALSE(counted.ok());
  EXPECT_EQ(counted.error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(counted.error().id(), "X0106");
  EXPECT_EQ(One("select 1"), "INTEGER 1");
}

TEST_F(DuckdbTest, ExtensionsAreNeitherInstalledNorLoadedByThemselves) {
  EXPECT_EQ(One("select current_setting('autoinstall_known_extensions')"), "BOOLEAN false");
  EXPECT_EQ(One("select current_setting('autoload_known_extensions')"), "BOOLEAN false");
  EXPECT_EQ(One("select current_setting('TimeZone')"), "VARCHAR UTC");
}

TEST(DuckdbOpen, ReadOnlyNeverMakesAFile) {
  const std::string path = FreshPath("missing.duckdb");
  const auto opened = DuckdbDatabase::Open(path, DuckdbAccess::kReadOnly);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().id(), "W0101");
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

TEST(DuckdbOpen, MissingFolderIsMissing) {
  const auto opened =
      DuckdbDatabase::Open(FreshPath("no_folder") + "/a.duckdb", DuckdbAccess::kReadWrite);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().id(), "W0101");
}

TEST(DuckdbOpen, OtherFilesAreNotDatabases) {
  const std::string path = FreshPath("text.duckdb");
  std::ofstream(path) << "this is no database, but it is longer than the shortest header there is";
  for (const DuckdbAccess how : {DuckdbAccess::kReadOnly, DuckdbAccess::kReadWrite}) {
    const auto opened = DuckdbDatabase::Open(path, how);
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().id(), "W0108");
  }
}

TEST(DuckdbOpen, FlippedHeaderIsDamage) {
  const std::string path = FreshPath("damaged.duckdb");
  {
    auto database = DuckdbDatabase::Open(path, DuckdbAccess::kReadWrite);
    ASSERT_TRUE(database.ok());
    ASSERT_TRUE((*database)->Connect().value()->Execute("create table t(a int)").ok());
  }
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    for (const int block : {0, 1, 2}) {
      file.seekp(block * 4096 + 40);
      file.write("damage", 6);
    }
  }
  const auto opened = DuckdbDatabase::Open(path, DuckdbAccess::kReadWrite);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().id(), "W0108");
}

TEST(DuckdbOpen, SecondInstanceOfThisProcessIsRefusedIfOneWrites) {
  const std::string path = FreshPath("twice.duckdb");
  auto writer = DuckdbDatabase::Open(path, DuckdbAccess::kReadWrite);
  ASSERT_TRUE(writer.ok()) << writer.error().message();
  for (const DuckdbAccess how : {DuckdbAccess::kReadOnly, DuckdbAccess::kReadWrite}) {
    const auto second = DuckdbDatabase::Open(path, how);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().id(), "W0104");
  }
  writer->reset();
  auto reader = DuckdbDatabase::Open(path, DuckdbAccess::kReadOnly);
  ASSERT_TRUE(reader.ok()) << reader.error().message();
  EXPECT_TRUE(DuckdbDatabase::Open(path, DuckdbAccess::kReadOnly).ok());
  EXPECT_EQ(DuckdbDatabase::Open(path, DuckdbAccess::kReadWrite).error().id(), "W0104");
}

TEST(DuckdbOpen, HolderOfTheLockIsNamed) {
  const Error error = OpenErrorOfDuckdb(
      "shop.duckdb", DuckdbAccess::kReadWrite,
      "IO Error: Could not set lock on file \"shop.duckdb\": Conflicting lock is held in "
      "/usr/bin/loader (PID 4711). See also the documentation");
  EXPECT_EQ(error.id(), "W0104");
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
  EXPECT_NE(error.message().find("process 4711"), std::string::npos);
}

TEST(DuckdbLimits, StatementOverTheMemoryLimitFailsAlone) {
  DuckdbSettings settings;
  settings.memory_limit = "20MB";
  settings.max_temp_directory_size = "0KB";
  auto database = DuckdbDatabase::Open(":memory:", DuckdbAccess::kReadWrite, settings);
  ASSERT_TRUE(database.ok()) << database.error().message();
  auto connection = (*database)->Connect();
  ASSERT_TRUE(connection.ok()) << connection.error().message();
  const auto large = (*connection)->Query("select list(range) from range(20000000)");
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().id(), "X0204");
  EXPECT_EQ(large.error().code(), ErrorCode::kFailed);
  EXPECT_TRUE((*connection)->Query("select 1").ok());
}

TEST_F(DuckdbTest, ForbiddenAccessIsAMissingRight) {
  ASSERT_TRUE(connection_->Execute("set enable_external_access = false").ok());
  const auto refused = connection_->Query("from read_csv('any.csv')");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().id(), "W0102");
  EXPECT_EQ(refused.error().code(), ErrorCode::kRefused);
}

TEST(DuckdbOpen, RefusedSettingIsNamed) {
  DuckdbSettings settings;
  settings.memory_limit = "much";
  const auto opened = DuckdbDatabase::Open(":memory:", DuckdbAccess::kReadWrite, settings);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().id(), "W0106");
}

}  // namespace
}  // namespace retrofill
