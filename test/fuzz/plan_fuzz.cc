// No text makes the reader of plans crash, hang or store what it would not read again; also none
// whose hash fits.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/hash.h"
#include "base/json.h"
#include "changed_text.h"
#include "model/plan.h"

namespace retrofill {
namespace {

void CheckPlan(std::string_view text) {
  const Result<Plan> plan = ParsePlan(text);
  if (!plan.ok()) {
    RF_CHECK(plan.error().id() == "P0308" && plan.error().code() == ErrorCode::kRefused);
    return;
  }
  RF_CHECK(IsPlanName(plan->name) && plan->settings.slots > 0 && !plan->pin.files.empty());
  RF_CHECK(Covers(plan->runs, plan->Selected(), *plan->space));
  const Result<Plan> again = ParsePlan(plan->text);
  RF_CHECK(again.ok() && again->text == plan->text && again->hash == plan->hash);
}

void AddPlaces(Json& part, std::vector<Json*>& places) {
  places.push_back(&part);
  if (part.is_object()) {
    for (auto& [key, value] : part.members()) AddPlaces(value, places);
  } else if (part.is_array()) {
    for (Json& value : part.items()) AddPlaces(value, places);
  }
}

// The value with one of its parts replaced by another of its parts, or by what is often not
// expected.
Json Swapped(Json json, Numbers& numbers) {
  std::vector<Json*> places;
  AddPlaces(json, places);
  const Json odd[] = {Json(),        -1,         0,       kMaxJsonInteger, "", "2026-01-01", "..",
                      Json::Array(), Json(true), "@null", Json::Object()};
  const size_t odds = sizeof odd / sizeof odd[0];
  const uint64_t from = numbers.Below(places.size() + odds);
  const Json value = from < odds ? odd[from] : *places[from - odds];
  *places[numbers.Below(places.size())] = value;
  return json;
}

std::string Sealed(Json json) {
  json.Remove("hash");
  json["hash"] = Sha256Hex(json.Canonical());
  return json.Compact();
}

}  // namespace

void CheckText(std::string_view text) {
  CheckPlan(text);
  const Result<Json> json = Json::Parse(text);
  if (!json.ok() || !json->is_object()) return;
  CheckPlan(Sealed(*json));
  static Numbers numbers;
  constexpr int kSwaps = 8;
  for (int i = 0; i < kSwaps; ++i) {
    Json swapped = Swapped(*json, numbers);
    if (swapped.is_object()) CheckPlan(Sealed(std::move(swapped)));
  }
}

}  // namespace retrofill
