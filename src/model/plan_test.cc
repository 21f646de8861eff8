#include "model/plan.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/json.h"
#include "model/sample_plan_test.h"

namespace retrofill {
namespace {

TEST(PlanFile, ReadsBackWhatItPrints) {
  Plan plan = MakePlan();
  Result<Plan> read = ParsePlan(plan.text);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->text, plan.text);
  EXPECT_EQ(read->Selected(), plan.Selected());
  EXPECT_EQ(read->ToCompute().Count(*read->space), 24 * 3 + 2);
  EXPECT_EQ(read->short_hash(), plan.hash.substr(0, 8));
}

TEST(PlanFile, TheSameInputsGiveTheSameBytesAndHash) {
  EXPECT_EQ(MakePlan().text, MakePlan().text);
}

// Calls `visit` with the whole after each of its values, however deep, was replaced by another.
void ForEachChange(Json& part, const Json& whole, const std::function<void(const Json&)>& visit) {
  if (part.is_object()) {
    for (auto& [key, value] : part.members()) ForEachChange(value, whole, visit);
  } else if (part.is_array()) {
    for (Json& value : part.items()) ForEachChange(value, whole, visit);
  }
  const Json kept = part;
  part = "something else";
  visit(whole);
  part = kept;
}

TEST(PlanFile, EveryFieldChangesTheHash) {
  Json json = *Json::Parse(MakePlan().text);
  json.Remove("hash");
  const std::string before = json.Canonical();
  int changes = 0;
  ForEachChange(json, json, [&](const Json& changed) {
    EXPECT_NE(changed.Canonical(), before);
    ++changes;
  });
  EXPECT_GT(changes, 80);
  Plan plan = MakePlan();
  plan.runs[0].before = "51c1";
  EXPECT_NE(PlanHash(plan), plan.hash);
  plan = MakePlan();
  plan.settings.slots = 2;
  EXPECT_NE(PlanHash(plan), plan.hash);
}

TEST(PlanRuns, CoverTheSelectionWithEachPartitionOnce) {
  const Plan plan = MakePlan();
  const PartitionSet all = plan.Selected();
  EXPECT_TRUE(Covers(plan.runs, all, *plan.space));
  std::vector<PlanRun> less(plan.runs.begin() + 1, plan.runs.end());
  EXPECT_FALSE(Covers(less, all, *plan.space));
  std::vector<PlanRun> twice = plan.runs;
  twice.push_back(plan.runs[0]);
  EXPECT_FALSE(Covers(twice, all, *plan.space));
  EXPECT_FALSE(Covers(plan.runs, less[0].set, *plan.space));
}

TEST(PlanFile, ItsSizeDoesNotGrowWithTheNumberOfPartitions) {
  Plan plan = MakePlan();
  auto day = [&](const char* key) { return plan.space->ParseKey(key)->interval; };
  Interval century{day("1950-01-01/eu").start, day("2049-12-31/eu").end};
  plan.runs = {{.action = Action::kFill,
                .why = "missing",
                .set = PartitionSet::Rectangle({century}, {{0, 3}}),
                .before = "empty"}};
  SealPlan(plan);
  EXPECT_LT(plan.text.size(), 8192u);
}

TEST(PlanName, IsShortLowerCaseAndBeginsWithALetterOrDigit) {
  for (const char* good : {"fin-812", "a", "0", "x.y_z-1"}) EXPECT_TRUE(IsPlanName(good)) << good;
  for (const char* bad : {"", "-a", ".a", "Fin", "a b", "a/b", "../a"})
    EXPECT_FALSE(IsPlanName(bad)) << bad;
  EXPECT_FALSE(IsPlanName(std::string(64, 'a')));
}

TEST(BeforeDigestTest, DependsOnRowsAndNotOnTheirOrder) {
  EXPECT_EQ(BeforeDigest({}), "empty");
  EXPECT_EQ(BeforeDigest({{.identity = "a", .fingerprint = "", .rows = 0}}), "empty");
  BeforeLine a{.identity = "a", .fingerprint = "1", .rows = 1},
      b{.identity = "b", .fingerprint = "2", .rows = 1};
  EXPECT_EQ(BeforeDigest({a, b}), BeforeDigest({b, a}));
  EXPECT_NE(BeforeDigest({a}), BeforeDigest({b}));
}

}  // namespace
}  // namespace retrofill
