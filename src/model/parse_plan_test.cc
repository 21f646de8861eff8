// What is no plan is refused when it is read, whatever its hash says.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "model/plan.h"
#include "model/sample_plan_test.h"

namespace retrofill {
namespace {

Json* Place(Json& json, std::string_view path) {
  Json* place = &json;
  while (!path.empty()) {
    const std::string_view step = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), step.size() + 1));
    place =
        place->is_array() ? &place->items()[static_cast<size_t>(step[0] - '0')] : &(*place)[step];
  }
  return place;
}

std::string Sealed(Json json) {
  json.Remove("hash");
  json["hash"] = Sha256Hex(json.Canonical());
  return json.Indented();
}

// The sample plan with another value at a place, and the hash of that.
std::string With(std::string_view path, Json value) {
  Json json = *Json::Parse(MakePlan().text);
  *Place(json, path) = std::move(value);
  return Sealed(std::move(json));
}

void ExpectRefused(std::string_view text, std::string_view what) {
  const Result<Plan> read = ParsePlan(text);
  ASSERT_FALSE(read.ok()) << what;
  EXPECT_EQ(read.error().id(), "P0308") << what;
  EXPECT_EQ(read.error().code(), ErrorCode::kRefused) << what;
  EXPECT_FALSE(read.error().message().empty());
}

void ExpectRefusedWith(std::string_view path, Json value) {
  ExpectRefused(With(path, value), std::string(path) + " = " + value.Compact());
}

TEST(ParsePlan, TakesTheSampleThatTheOthersChange) {
  EXPECT_TRUE(ParsePlan(With("reason", "another")).ok());
}

TEST(ParsePlan, MembersThatALaterVersionAddedAreKept) {
  Json json = *Json::Parse(MakePlan().text);
  json["schedule"] = Json::Array({Json::Object({{"name", "nightly"}})});
  *Place(json, "pin.commit") = "4f1d2c9";
  *Place(json, "runs.0.note") = "x";
  const std::string text = Sealed(json);
  const Result<Plan> read = ParsePlan(text);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->text, text);
  const Result<Plan> again = ParsePlan(read->text);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->hash, read->hash);
}

TEST(ParsePlan, WordsThatThisVersionDoesNotKnowAreRefused) {
  ExpectRefusedWith("class", "streaming");
  ExpectRefusedWith("scope", "everything");
  ExpectRefusedWith("settings.order", "random");
  ExpectRefusedWith("settings.publish", "never");
  ExpectRefusedWith("settings.batch", "most");
  ExpectRefusedWith("runs.0.action", "drop");
  ExpectRefusedWith("space.dims.0.type", "float");
  ExpectRefusedWith("space.week_start", "someday");
  ExpectRefusedWith("space.zone", "Mars/Olympus");
  ExpectRefusedWith("space.by", "fortnight");
  ExpectRefusedWith("gates.proof", "soon");
}

TEST(ParsePlan, ANameIsNoPath) {
  for (const char* name : {"../../etc/x", "", "A", "a b", "-n"}) ExpectRefusedWith("name", name);
  ExpectRefusedWith("name", std::string(64, 'a'));
}

TEST(ParsePlan, NumbersOutsideOfTheirRangeAreRefused) {
  for (const int64_t slots : {int64_t{0}, int64_t{-4}, int64_t{1} << 40}) {
    ExpectRefusedWith("settings.slots", slots);
    ExpectRefusedWith("settings.batch", slots);
  }
  ExpectRefusedWith("estimate.source_rows", -1);
  ExpectRefusedWith("estimate.seconds", Json::Array({9, 3}));
  ExpectRefusedWith("downstream.0.partitions", -1);
  ExpectRefusedWith("sources.raw.orders", 1);
  std::string text = MakePlan().text;
  text.replace(text.find("41022"), 5, "9007199254740992");
  ExpectRefused(text, "2^53");
}

TEST(ParsePlan, InstantsAndKeysOfThePlanAreItsOwnFault) {
  ExpectRefusedWith("as_of", "yesterday");
  ExpectRefusedWith("created", "");
  ExpectRefusedWith("runs.1.times.0.0", "2025-12");
  ExpectRefusedWith("runs.1.times.0.0", "2025-02-30");
  ExpectRefusedWith("runs.1.times.0", Json::Array({"2025-12-26", "2025-12-25"}));
}

TEST(ParsePlan, DimensionsAreThoseATableCanHave) {
  const Json region = *Json::Parse(MakePlan().text)->FindPath("space.dims[0]");
  ExpectRefusedWith("space.dims.0.values", Json::Array());
  ExpectRefusedWith("space.dims.0.values", Json::Array({"eu", "us", "eu"}));
  ExpectRefusedWith("space.dims.0.values", Json::Array({"eu", "us", 3}));
  ExpectRefusedWith("space.dims.0.values.0", std::string(257, 'x'));
  ExpectRefusedWith("space.dims.0.name", "");
  ExpectRefusedWith("space.dims", Json::Array({region, region}));
}

TEST(ParsePlan, EachPartitionIsInOneRun) {
  ExpectRefusedWith("runs", Json::Array());
  ExpectRefusedWith("runs.1.cells", Json::Array());
  ExpectRefusedWith("runs.1.times", Json::Array());
  ExpectRefusedWith("runs.1.cells", Json::Array({Json::Array({0, 2}), Json::Array({1, 2})}));
  ExpectRefusedWith("runs.1.cells.0", Json::Array({1, 4}));
  ExpectRefusedWith("runs.1.cells.0", Json::Array({0, 3}));
  const Json day = Json::Array({"2025-12-25", "2025-12-25"});
  ExpectRefusedWith("runs.1.times", Json::Array({day, day}));
}

TEST(ParsePlan, HoldsNoMorePartitionsThanAPlanMay) {
  const Json ages = Json::Array({"1901-01-01T00:00", "2190-01-01T00:00"});
  Json json = *Json::Parse(MakePlan().text);
  *Place(json, "space.by") = "15m";
  *Place(json, "runs.0.times") = Json::Array({ages});
  const Result<Plan> read = ParsePlan(Sealed(json));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message(), "the plan names more than 10 000 000 partitions");
}

TEST(ParsePlan, PinsAStatementAndAFile) {
  ExpectRefusedWith("pin.files", Json::Object());
  ExpectRefusedWith("pin.files", Json::Object({{"sql/a.sql", 3}}));
  ExpectRefusedWith("pin.sql", Json::Array());
  ExpectRefusedWith("pin.digest", "");
}

TEST(ParsePlan, EveryMemberThatIsPrintedIsNeeded) {
  const Json whole = *Json::Parse(MakePlan().text);
  for (const auto& [key, value] : whole.members()) {
    Json less = whole;
    less.Remove(key);
    if (key != "hash") less["hash"] = "";
    ExpectRefused(key == "hash" ? less.Indented() : Sealed(less), key);
  }
}

TEST(ParsePlan, AnEditedPlanIsRefused) {
  std::string text = MakePlan().text;
  text.replace(text.find("FIN-812"), 7, "FIN-813");
  ExpectRefused(text, "edited");
}

TEST(ParsePlan, OneChangedCharacterIsRefused) {
  const Plan plan = MakePlan();
  for (size_t at = 0; at < plan.text.size(); ++at) {
    std::string text = plan.text;
    text[at] = text[at] == '7' ? '8' : '7';
    ExpectRefused(text, "changed");
  }
}

TEST(ParsePlan, ATruncatedPlanIsRefused) {
  const std::string text = MakePlan().text;
  for (size_t size = 0; size + 2 < text.size(); size += 7)
    ExpectRefused(text.substr(0, size), "truncated");
}

TEST(ParsePlan, AMemberThatStandsTwiceIsRefused) {
  std::string text = MakePlan().text;
  text.insert(text.find("\"table\""), "\"table\": \"other\",\n  ");
  ExpectRefused(text, "twice");
}

TEST(ParsePlan, AnUnknownFormatIsRefused) {
  ExpectRefusedWith("format", 2);
  ExpectRefusedWith("format", "1");
  ExpectRefused("not a plan", "text");
  ExpectRefused("", "empty");
  ExpectRefused("[]", "array");
}

}  // namespace
}  // namespace retrofill
