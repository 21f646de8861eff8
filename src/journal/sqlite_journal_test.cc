#include "journal/sqlite_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "journal/lease_owner.h"

namespace retrofill {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SqliteJournalTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const ::testing::TestInfo* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / (std::string("journal_") + info->name());
    fs::remove_all(folder_);
    path_ = (folder_ / "state" / "journal.db").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::unique_ptr<Journal> Writer() const {
    return OpenSqliteJournal(path_, JournalAccess::kReadWrite);
  }
  std::unique_ptr<Journal> Reader() const {
    return OpenSqliteJournal(path_, JournalAccess::kReadOnly);
  }
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  // Runs SQL on the file behind the journal's back.
  void Tamper(const char* sql) const {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &handle), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(handle);
    sqlite3_close(handle);
  }

  fs::path folder_;
  std::string path_;
};

Record Event(std::string backfill, std::string type) {
  return {.seq = 0,
          .backfill = std::move(backfill),
          .at = absl::FromUnixMicros(1'770'715'445'123'456),
          .actor = "ana@build-1",
          .type = std::move(type),
          .body = R"({"rows":212})"};
}

void AppendOne(Journal& journal, const Record& record) {
  std::vector<Record> records{record};
  ASSERT_TRUE(journal.Append(records).ok());
}

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(SqliteJournalTest, ReadingAMissingJournalIsEmptyAndMakesNoFile) {
  for (const auto& journal : {Writer(), Reader()}) {
    EXPECT_THAT(journal->Read("", 0, 10).value(), IsEmpty());
    EXPECT_THAT(journal->Backfills().value(), IsEmpty());
    EXPECT_EQ(journal->LastSeq().value(), 0);
    EXPECT_FALSE(journal->Get("plan", "9f3c").value().has_value());
    EXPECT_FALSE(journal->ReadLease("fin-812").value().has_value());
  }
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(SqliteJournalTest, TheFirstWriteMakesFolderAndFile) {
  AppendOne(*Writer(), Event("fin-812", "plan.created"));
  EXPECT_TRUE(fs::exists(path_));
}

TEST_F(SqliteJournalTest, ARecordComesBackAsItWasWritten) {
  AppendOne(*Writer(), Event("fin-812", "partition.staged"));
  const std::vector<Record> records = Reader()->Read("fin-812", 0, 10).value();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].seq, 1);
  EXPECT_EQ(records[0].backfill, "fin-812");
  EXPECT_EQ(records[0].at, absl::FromUnixMicros(1'770'715'445'123'456));
  EXPECT_EQ(records[0].actor, "ana@build-1");
  EXPECT_EQ(records[0].type, "partition.staged");
  EXPECT_EQ(records[0].body, R"({"rows":212})");
}

TEST_F(SqliteJournalTest, SeqRisesByOneOverAllBackfillsAndProcesses) {
  const auto first = Writer();
  const auto second = Writer();
  std::vector<Record> two{Event("a", "x"), Event("b", "x")};
  EXPECT_EQ(first->Append(two).value(), 2);
  EXPECT_EQ(two[0].seq, 1);
  EXPECT_EQ(two[1].seq, 2);
  std::vector<Record> one{Event("a", "y")};
  EXPECT_EQ(second->Append(one).value(), 3);
  EXPECT_EQ(first->LastSeq().value(), 3);
}

TEST_F(SqliteJournalTest, ReadGivesOneBackfillAfterASeqUpToALimit) {
  const auto journal = Writer();
  for (const char* id : {"a", "b", "a", "a"}) AppendOne(*journal, Event(id, "x"));
  const std::vector<Record> one = journal->Read("a", 1, 1).value();
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].seq, 3);
  const std::vector<Record> rest = journal->Read("a", 3, 9).value();
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0].seq, 4);
  EXPECT_EQ(journal->Read("", 0, 9).value().size(), 4U);
}

TEST_F(SqliteJournalTest, BackfillsAreListedByTheirFirstRecord) {
  const auto journal = Writer();
  for (const char* id : {"z", "a", "z", "m"}) AppendOne(*journal, Event(id, "x"));
  EXPECT_THAT(journal->Backfills().value(), ElementsAre("z", "a", "m"));
}

TEST_F(SqliteJournalTest, ADocumentIsStoredOnceAndNeverChanged) {
  const auto journal = Writer();
  const Document plan{.kind = "plan", .key = "9f3c", .text = "{}", .at = absl::UnixEpoch()};
  EXPECT_TRUE(journal->Put(plan).ok());
  EXPECT_TRUE(journal->Put(plan).ok());
  Document other = plan;
  other.text = "{\"v\":2}";
  const Status refused = journal->Put(other);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kConflict);
  EXPECT_EQ(refused.error().id(), "X0105");
  EXPECT_EQ(Reader()->Get("plan", "9f3c").value()->text, "{}");
}

TEST_F(SqliteJournalTest, ListGivesTheDocumentsOfOneKindOldestFirst) {
  const auto journal = Writer();
  const absl::Time t = absl::UnixEpoch();
  const std::vector<Document> documents{
      {.kind = "log", .key = "b", .text = "2", .at = t + absl::Seconds(2)},
      {.kind = "log", .key = "c", .text = "1", .at = t + absl::Seconds(1)},
      {.kind = "plan", .key = "a", .text = "3", .at = t}};
  for (const Document& document : documents) ASSERT_TRUE(journal->Put(document).ok());
  const std::vector<Document> logs = journal->List("log").value();
  ASSERT_EQ(logs.size(), 2U);
  EXPECT_EQ(logs[0].text, "1");
  EXPECT_EQ(logs[1].text, "2");
}

TEST_F(SqliteJournalTest, AReaderSeesWhatAWriterThatIsStillOpenAppended) {
  const auto writer = Writer();
  const auto reader = Reader();
  AppendOne(*writer, Event("a", "x"));
  EXPECT_EQ(reader->LastSeq().value(), 1);
  AppendOne(*writer, Event("a", "y"));
  EXPECT_EQ(reader->LastSeq().value(), 2);
}

TEST_F(SqliteJournalTest, AReaderLeavesTheFolderAsItWas) {
  AppendOne(*Writer(), Event("a", "x"));
  const std::vector<std::string> files = Files();
  const std::string bytes = Contents(path_);
  EXPECT_EQ(Reader()->LastSeq().value(), 1);
  EXPECT_EQ(Files(), files);
  EXPECT_EQ(Contents(path_), bytes);
}

TEST_F(SqliteJournalTest, TwoWritersAtOnceLoseNothing) {
  constexpr int kEach = 50;
  std::vector<std::jthread> writers;
  for (int w = 0; w < 4; ++w) {
    writers.emplace_back([this, w] {
      const auto journal = Writer();
      for (int i = 0; i < kEach; ++i) AppendOne(*journal, Event(fmt::format("b{}", w), "x"));
    });
  }
  writers.clear();
  const auto journal = Reader();
  EXPECT_EQ(journal->LastSeq().value(), 4 * kEach);
  EXPECT_EQ(journal->Read("b2", 0, 1000).value().size(), static_cast<size_t>(kEach));
}

TEST_F(SqliteJournalTest, ANewerLayoutIsRefused) {
  AppendOne(*Writer(), Event("a", "x"));
  Tamper("pragma user_version = 2");
  const Result<int64_t> read = Reader()->LastSeq();
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().id(), "W0107");
  std::vector<Record> records{Event("a", "y")};
  EXPECT_EQ(Writer()->Append(records).error().id(), "W0107");
}

TEST_F(SqliteJournalTest, ADamagedFileIsCorruptAndNamed) {
  fs::create_directories(fs::path(path_).parent_path());
  std::ofstream(path_) << std::string(8192, 'x');
  const Result<int64_t> read = Reader()->LastSeq();
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(read.error().id(), "W0201");
  EXPECT_THAT(read.error().message(), HasSubstr("journal.db"));
}

TEST_F(SqliteJournalTest, AnotherProgramsDatabaseIsNotTakenForAJournal) {
  fs::create_directories(fs::path(path_).parent_path());
  Tamper("create table t (a)");
  std::vector<Record> records{Event("a", "x")};
  const Result<int64_t> appended = Writer()->Append(records);
  ASSERT_FALSE(appended.ok());
  EXPECT_EQ(appended.error().code(), ErrorCode::kCorrupt);
}

TEST_F(SqliteJournalTest, ARecordThatIsNotAnObjectIsReportedAsDamage) {
  AppendOne(*Writer(), Event("a", "x"));
  Tamper("update record set body = 'oops'");
  const auto read = Reader()->Read("a", 0, 10);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt);
}

TEST_F(SqliteJournalTest, AFolderThatCannotBeMadeIsNoRightToWrite) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "state") << "a file stands where the folder should be";
  std::vector<Record> records{Event("a", "x")};
  const Result<int64_t> appended = Writer()->Append(records);
  ASSERT_FALSE(appended.ok());
  EXPECT_EQ(appended.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(appended.error().id(), "W0109");
}

TEST_F(SqliteJournalTest, OnlyOneOfTwoLivingOwnersGetsTheLease) {
  const auto journal = Writer();
  const std::string mine = LeaseOwnerOfThisProcess("build-1");
  EXPECT_TRUE(journal->TakeLease("fin-812", mine).value());
  EXPECT_TRUE(journal->TakeLease("fin-812", mine).value());
  EXPECT_FALSE(journal->TakeLease("fin-812", "other/1/0").value());
  const std::optional<Lease> lease = Reader()->ReadLease("fin-812").value();
  ASSERT_TRUE(lease.has_value());
  EXPECT_EQ(lease->owner, mine);
  EXPECT_TRUE(lease->alive);
}

TEST_F(SqliteJournalTest, TheLeaseOfADeadProcessIsTaken) {
  const auto journal = Writer();
  const std::string mine = LeaseOwnerOfThisProcess("build-1");
  // Our pid with another start time: the number was given to a new process.
  const std::string dead = mine + "9";
  EXPECT_TRUE(journal->TakeLease("fin-812", dead).value());
  EXPECT_FALSE(journal->ReadLease("fin-812").value()->alive);
  EXPECT_TRUE(journal->TakeLease("fin-812", mine).value());
}

TEST_F(SqliteJournalTest, DroppingTheLeaseOfAnotherChangesNothing) {
  const auto journal = Writer();
  const std::string mine = LeaseOwnerOfThisProcess("build-1");
  ASSERT_TRUE(journal->TakeLease("fin-812", mine).value());
  EXPECT_TRUE(journal->DropLease("fin-812", "other/1/0").ok());
  EXPECT_TRUE(journal->ReadLease("fin-812").value().has_value());
  EXPECT_TRUE(journal->DropLease("fin-812", mine).ok());
  EXPECT_FALSE(journal->ReadLease("fin-812").value().has_value());
}

}  // namespace
}  // namespace retrofill
