#include "model/plan.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "base/json.h"
#include "base/text.h"

namespace retrofill {
namespace {

Plan MakePlan() {
  Plan plan;
  plan.name = "fin-812";
  plan.author = "ana@build-1";
  plan.reason = "FIN-812 refunds missing";
  plan.created = *ParseInstant("2026-02-10T09:14:05Z");
  plan.as_of = plan.created;
  plan.table = "revenue_daily";
  plan.relation = "analytics.revenue_daily";
  plan.scope = "range";
  plan.described = {.by = "day",
                    .column = "order_date",
                    .kind = "date",
                    .zone = "UTC",
                    .zone_db = "2026a",
                    .week_start = "monday",
                    .bounds = "a41c"};
  Result<Grid> grid = Grid::Make(
      {.by = "day", .zone = Zone(), .week_start = absl::Weekday::monday, .begin = "", .end = ""});
  Dimension region{
      .name = "region", .type = DimensionType::kText, .values = {{"eu"}, {"us"}, {std::nullopt}}};
  plan.space = std::make_shared<PartitionSpace>(*grid, std::vector<Dimension>{region}, true);
  auto day = [&](const char* key) { return plan.space->ParseKey(key)->interval; };
  Interval december{day("2025-12-01/eu").start, day("2025-12-24/eu").end};
  Interval christmas = day("2025-12-25/eu");
  plan.runs = {{.action = Action::kRestate,
                .why = "stale:code",
                .set = PartitionSet::Rectangle({december}, {{0, 3}}),
                .before = "51c0"},
               {.action = Action::kFill,
                .why = "missing",
                .set = PartitionSet::Rectangle({christmas}, {{0, 2}}),
                .before = "empty"},
               {.action = Action::kBlocked,
                .why = "expired",
                .set = PartitionSet::Rectangle({christmas}, {{2, 3}}),
                .before = ""}};
  plan.pin.files["sql/revenue_daily.sql"] = "1c77e0b4";
  plan.pin.sql = "select 1";
  plan.pin.digest = "d1";
  plan.pin.retrofill = "0.1.0";
  plan.pin.engine = "duckdb 1.5.6";
  plan.sources["raw.orders"] = {.schema = "9be1", .fingerprint = "77ab", .rows = 41022};
  plan.strength = "exactly-once";
  plan.settings.pool = "backfill";
  plan.downstream = {{.table = "revenue_monthly",
                      .action = "restate",
                      .keys = "2025-12",
                      .partitions = 3,
                      .of = 219,
                      .refresh = "auto"}};
  plan.gate_proof = "14d";
  plan.estimate_basis = "row counts";
  plan.estimate_seconds_high = 6600;
  plan.hash = PlanHash(plan);
  return plan;
}

TEST(PlanFile, ReadsBackWhatItPrints) {
  Plan plan = MakePlan();
  Result<Plan> read = ParsePlan(PlanFileText(plan));
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(PlanFileText(*read), PlanFileText(plan));
  EXPECT_EQ(read->Selected(), plan.Selected());
  EXPECT_EQ(read->ToCompute().Count(*read->space), 24 * 3 + 2);
  EXPECT_EQ(read->short_hash(), plan.hash.substr(0, 8));
}

TEST(PlanFile, TheSameInputsGiveTheSameBytesAndHash) {
  EXPECT_EQ(PlanFileText(MakePlan()), PlanFileText(MakePlan()));
}

TEST(PlanFile, EveryFieldChangesTheHash) {
  Plan plan = MakePlan();
  Result<Json> json = Json::Parse(PlanCanonicalText(plan));
  ASSERT_TRUE(json.ok());
  for (const auto& [key, value] : json->members()) {
    Json changed = *json;
    changed[key] = "something else";
    EXPECT_NE(changed.Canonical(), json->Canonical()) << key;
  }
  Plan other = plan;
  other.runs[0].before = "51c1";
  EXPECT_NE(PlanHash(other), plan.hash);
  other = plan;
  other.settings.slots = 2;
  EXPECT_NE(PlanHash(other), plan.hash);
}

TEST(PlanFile, AnEditedPlanIsRefused) {
  std::string text = PlanFileText(MakePlan());
  size_t place = text.find("FIN-812");
  text.replace(place, 7, "FIN-813");
  Result<Plan> read = ParsePlan(text);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().id(), "P0308");
  EXPECT_EQ(read.error().code(), ErrorCode::kRefused);
}

TEST(PlanFile, AnUnknownFormatIsRefused) {
  std::string text = PlanFileText(MakePlan());
  size_t place = text.find("\"format\": 1");
  text.replace(place, 11, "\"format\": 2");
  EXPECT_EQ(ParsePlan(text).error().id(), "P0308");
  EXPECT_EQ(ParsePlan("not a plan").error().id(), "P0308");
}

TEST(PlanFile, ItsSizeDoesNotGrowWithTheNumberOfPartitions) {
  Plan plan = MakePlan();
  auto day = [&](const char* key) { return plan.space->ParseKey(key)->interval; };
  Interval century{day("1950-01-01/eu").start, day("2049-12-31/eu").end};
  plan.runs = {{.action = Action::kFill,
                .why = "missing",
                .set = PartitionSet::Rectangle({century}, {{0, 3}}),
                .before = "empty"}};
  EXPECT_LT(PlanFileText(plan).size(), 8192u);
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
