// The journal as the engine reads it, where a stored plan cannot be read.

#include "engine/backfill_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "engine/database_folder_test.h"
#include "journal/sqlite_journal.h"
#include "model/sample_plan_test.h"

namespace retrofill {
namespace {

class Store : public DatabaseFolder {
 protected:
  void SetUp() override {
    DatabaseFolder::SetUp();
    journal_ = OpenSqliteJournal(folder_ + "/journal.db", JournalAccess::kReadWrite);
    store_ = std::make_unique<BackfillStore>(journal_.get(), clock_.get(), "ana@test");
  }

  void Create(const std::string& name, const std::string& table) {
    Plan plan = MakePlan();
    plan.name = name;
    plan.table = table;
    SealPlan(plan);
    // What a version that knows more would have stored.
    if (name == "newer") plan.text.replace(plan.text.find("windowed"), 8, "streamed");
    const Status created = store_->Create(plan, {}, "");
    ASSERT_TRUE(created.ok()) << created.error().message();
  }

  std::vector<std::string> Loaded(const std::string& table, size_t warnings) {
    const Result<LoadedBackfills> loaded = store_->LoadAll(table);
    EXPECT_TRUE(loaded.ok());
    EXPECT_EQ(loaded->warnings.size(), warnings);
    for (const Diagnostic& warning : loaded->warnings) {
      EXPECT_EQ(warning.id, "P0308");
      EXPECT_EQ(warning.level, Level::kWarning);
      EXPECT_NE(warning.message.find("newer"), std::string::npos);
    }
    std::vector<std::string> ids;
    for (const BackfillState& state : loaded->states) ids.push_back(state.id);
    return ids;
  }

  std::unique_ptr<Clock> clock_ = MakeFixedClock(*ParseInstant("2026-02-11T00:00:00Z"));
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<BackfillStore> store_;
};

TEST_F(Store, APlanThatCannotBeReadStopsNoOtherBackfill) {
  Create("first", "revenue_daily");
  Create("newer", "revenue_daily");
  Create("last", "costs");
  EXPECT_EQ(Loaded("", 1), (std::vector<std::string>{"first", "last"}));
  EXPECT_EQ(Loaded("revenue_daily", 1), (std::vector<std::string>{"first"}));
  EXPECT_EQ(Loaded("costs", 0), (std::vector<std::string>{"last"}));
  const Result<BackfillState> state = store_->Load("newer");
  ASSERT_FALSE(state.ok());
  EXPECT_EQ(state.error().id(), "P0308");
}

TEST_F(Store, AMemberOfALaterVersionIsStoredAsItCame) {
  Plan plan = MakePlan();
  Json json = *Json::Parse(plan.text);
  json.Remove("hash");
  json["schedule"] = "nightly";
  json["hash"] = Sha256Hex(json.Canonical());
  const Result<Plan> read = ParsePlan(json.Indented());
  ASSERT_TRUE(read.ok());
  ASSERT_TRUE(store_->Create(*read, {}, "").ok());
  const Result<BackfillState> state = store_->Load(plan.name);
  ASSERT_TRUE(state.ok()) << state.error().message();
  EXPECT_EQ(state->plan->hash, read->hash);
  EXPECT_EQ(state->plan->text, json.Indented());
}

}  // namespace
}  // namespace retrofill
