// What every journal does alike. Runs unchanged against the fake and each store.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include "base/file.h"
#include "journal/journal.h"
#include "journal/lease_owner.h"
#include "journal/sqlite_journal.h"
#include "memory_journal.h"

namespace retrofill {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Store {
  std::string name;
  std::function<std::unique_ptr<Journal>(const std::string& folder)> open;
};

class JournalContract : public ::testing::TestWithParam<Store> {
 protected:
  void SetUp() override {
    std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(name.begin(), name.end(), '/', '_');
    folder_ = ::testing::TempDir() + "contract_" + name;
    ASSERT_TRUE(RemoveFolder(folder_).ok());
    journal_ = GetParam().open(folder_);
  }
  void TearDown() override {
    journal_.reset();
    EXPECT_TRUE(RemoveFolder(folder_).ok());
  }
  int64_t Append(const std::string& backfill, const std::string& type) {
    std::vector<Record> one{{.seq = 0,
                             .backfill = backfill,
                             .at = absl::UnixEpoch(),
                             .actor = "ana@build-1",
                             .type = type,
                             .body = "{}"}};
    return journal_->Append(one).value();
  }

  std::string folder_;
  std::unique_ptr<Journal> journal_;
};

TEST_P(JournalContract, ANewJournalIsEmpty) {
  EXPECT_EQ(journal_->LastSeq().value(), 0);
  EXPECT_THAT(journal_->Backfills().value(), IsEmpty());
  EXPECT_THAT(journal_->Read("", 0, 10).value(), IsEmpty());
  EXPECT_FALSE(journal_->ReadLease("a").value().has_value());
}

TEST_P(JournalContract, SeqRisesByOneAndReadGoesOnAfterOne) {
  EXPECT_EQ(Append("a", "one"), 1);
  EXPECT_EQ(Append("b", "two"), 2);
  EXPECT_EQ(Append("a", "three"), 3);
  const std::vector<Record> rest = journal_->Read("a", 1, 10).value();
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0].type, "three");
  EXPECT_EQ(journal_->Read("", 0, 2).value().size(), 2U);
  EXPECT_THAT(journal_->Backfills().value(), ElementsAre("a", "b"));
}

TEST_P(JournalContract, AppendingNothingChangesNothing) {
  Append("a", "one");
  EXPECT_EQ(journal_->Append({}).value(), 1);
}

TEST_P(JournalContract, ADocumentIsNeverReplaced) {
  const Document first{.kind = "plan", .key = "k", .text = "1", .at = absl::UnixEpoch()};
  EXPECT_TRUE(journal_->Put(first).ok());
  EXPECT_TRUE(journal_->Put(first).ok());
  const Document second{.kind = "plan", .key = "k", .text = "2", .at = absl::UnixEpoch()};
  EXPECT_EQ(journal_->Put(second).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(journal_->Get("plan", "k").value()->text, "1");
  EXPECT_EQ(journal_->List("plan").value().size(), 1U);
  EXPECT_THAT(journal_->List("log").value(), IsEmpty());
}

TEST_P(JournalContract, ALivingOwnerKeepsItsLease) {
  const std::string mine = LeaseOwnerOfThisProcess("build-1");
  EXPECT_TRUE(journal_->TakeLease("a", mine).value());
  EXPECT_FALSE(journal_->TakeLease("a", "build-2/1/x").value());
  EXPECT_TRUE(journal_->DropLease("a", "build-2/1/x").ok());
  EXPECT_EQ(journal_->ReadLease("a").value()->owner, mine);
  EXPECT_TRUE(journal_->DropLease("a", mine).ok());
  EXPECT_TRUE(journal_->TakeLease("a", "build-2/1/x").value());
}

INSTANTIATE_TEST_SUITE_P(
    Stores, JournalContract,
    ::testing::Values(Store{"memory",
                            [](const std::string&) { return std::make_unique<MemoryJournal>(); }},
                      Store{"sqlite",
                            [](const std::string& folder) {
                              return OpenSqliteJournal(folder + "/journal.db",
                                                       JournalAccess::kReadWrite);
                            }}),
    [](const ::testing::TestParamInfo<Store>& store) { return store.param.name; });

}  // namespace
}  // namespace retrofill
