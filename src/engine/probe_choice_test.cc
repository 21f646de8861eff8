#include "engine/probe_choice.h"

#include <absl/time/civil_time.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace retrofill {
namespace {

using ::testing::Contains;
using ::testing::Not;

class ProbeChoiceTest : public ::testing::Test {
 protected:
  // Days from a start in a zone, with 100, 101, 102 ... source rows.
  void Plan(const std::string& zone, absl::CivilDay start, int days) {
    Grid::Spec spec;
    spec.by = "day";
    spec.zone = *Zone::Load(zone);
    space_.emplace(*Grid::Make(spec), std::vector<Dimension>(), true);
    Interval hull = space_->grid().Containing(space_->grid().zone().StartOfDate(start));
    for (int i = 1; i < days; ++i) hull.end = space_->grid().Next({hull.start, hull.end}).end;
    request_.space = &*space_;
    request_.planned = PartitionSet::Rectangle({hull}, {{0, 1}});
    request_.max_rows = 1'000'000;
    request_.seed = "plan";
    int64_t rows = 100;
    for (const Partition& partition : request_.planned.Partitions(*space_)) {
      request_.source_rows[partition] = rows++;
    }
  }
  Partition Day(const std::string& key) { return *space_->ParseKey(key); }
  std::vector<std::string> Choose() {
    std::vector<std::string> chosen;
    for (const ProofProbe& probe : ChooseProbes(request_)) {
      chosen.push_back(probe.key + " " + probe.reason);
    }
    return chosen;
  }

  std::optional<PartitionSpace> space_;
  ProbeRequest request_;
};

TEST_F(ProbeChoiceTest, EachSampleSaysWhyItWasChosen) {
  Plan("UTC", absl::CivilDay(2026, 1, 1), 90);
  request_.source_rows[Day("2026-02-05")] = 0;
  request_.fills = PartitionSet::Of(*space_, {Day("2026-02-07")});
  const auto chosen = Choose();
  EXPECT_EQ(chosen.size(), 6U);
  EXPECT_THAT(chosen, Contains("2026-02-07 fills a gap"));
  EXPECT_THAT(chosen, Contains("2026-03-31 month end"));
  EXPECT_THAT(chosen, Contains("2026-02-05 empty"));
  EXPECT_THAT(chosen, Contains("2026-02-15 median size"));
}

TEST_F(ProbeChoiceTest, ALeapDayIsTheMonthEndOfChoice) {
  Plan("UTC", absl::CivilDay(2024, 1, 1), 120);
  EXPECT_THAT(Choose(), Contains("2024-02-29 month end"));
}

TEST_F(ProbeChoiceTest, ADayWithAClockChangeIsTried) {
  Plan("Europe/Berlin", absl::CivilDay(2026, 3, 1), 60);
  EXPECT_THAT(Choose(), Contains("2026-03-29 clock change"));
}

TEST_F(ProbeChoiceTest, ASmallPlanIsTriedWhole) {
  Plan("UTC", absl::CivilDay(2026, 1, 5), 3);
  EXPECT_EQ(Choose().size(), 3U);
}

TEST_F(ProbeChoiceTest, SamplesAreAsManyAsSaidAndTheSameEachTime) {
  Plan("UTC", absl::CivilDay(2026, 1, 1), 90);
  request_.samples = 3;
  const auto chosen = Choose();
  EXPECT_EQ(chosen.size(), 3U);
  EXPECT_EQ(chosen, Choose());
}

TEST_F(ProbeChoiceTest, PartitionsWithTooManyRowsAreLeftOut) {
  Plan("UTC", absl::CivilDay(2026, 1, 5), 20);
  request_.max_rows = 110;
  EXPECT_THAT(Choose(), Not(Contains("2026-01-24 largest")));
}

TEST_F(ProbeChoiceTest, ABatchIsAdjacentAndHoldsTheMonthEnd) {
  Plan("UTC", absl::CivilDay(2026, 1, 1), 90);
  const auto batch = ChooseBatch(request_, ChooseProbes(request_), 3);
  ASSERT_EQ(batch.size(), 3U);
  EXPECT_EQ(batch[0].interval.end, batch[1].interval.start);
  EXPECT_EQ(batch[1].interval.end, batch[2].interval.start);
  EXPECT_EQ(space_->KeyText(batch[2]), "2026-03-31");
}

TEST_F(ProbeChoiceTest, PartitionsApartMakeNoBatch) {
  Plan("UTC", absl::CivilDay(2026, 1, 1), 90);
  request_.planned =
      PartitionSet::Of(*space_, {Day("2026-01-02"), Day("2026-01-09"), Day("2026-01-20")});
  EXPECT_LT(ChooseBatch(request_, ChooseProbes(request_), 3).size(), 2U);
}

}  // namespace
}  // namespace retrofill
