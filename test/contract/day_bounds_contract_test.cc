// Dates begin where the engine's own zone rules begin them, in every zone: users' SQL may truncate
// in a zone. The past is the same in every release of the zone database; of what is to come, a
// release may lack the latest laws.

#include <gtest/gtest.h>

#include "backfill_rig.h"
#include "model/zone_names_test.h"
#include "warehouse/day_bounds.h"

namespace retrofill {
namespace {

constexpr absl::CivilDay kFirst(2000, 1, 1);
constexpr absl::CivilDay kLaws(2026, 1, 1);  // from here on, laws may change
constexpr absl::CivilDay kEnd(2038, 1, 1);
constexpr size_t kNewLaws = 8;  // zones whose rules two releases of the database may not share

// `Zone: 19 dates from 2026-11-02 to 2027-03-08`, for each zone in which some differ.
std::vector<std::string> Differences(absl::CivilDay first, absl::CivilDay end) {
  Rig rig("");
  std::vector<std::string> found;
  for (const std::string& name : AllZoneNames()) {
    const Result<Zone> zone = Zone::Load(name);
    if (!zone.ok()) continue;  // a zone database may lack names that another one has
    const auto elsewhere = DatesCutElsewhere(rig.session(), *zone, first, end);
    if (!elsewhere.ok()) {
      found.push_back(name + ": " + elsewhere.error().message());
    } else if (!elsewhere->empty()) {
      found.push_back(fmt::format("{}: {} dates from {} to {}", name, elsewhere->size(),
                                  absl::FormatCivilTime(elsewhere->front()),
                                  absl::FormatCivilTime(elsewhere->back())));
    }
  }
  return found;
}

TEST(DayBoundsContract, TheEngineBeginsThePastDatesOfAllZonesWhereWeDo) {
  const std::vector<std::string> differences = Differences(kFirst, kLaws);
  EXPECT_TRUE(differences.empty()) << Join(differences, "\n");
}

TEST(DayBoundsContract, TheEngineBeginsDatesToComeWhereWeDoButForNewLaws) {
  const std::vector<std::string> differences = Differences(kLaws, kEnd);
  EXPECT_LE(differences.size(), kNewLaws) << Join(differences, "\n");
}

}  // namespace
}  // namespace retrofill
