// model_bench: what sets of partitions cost, without a warehouse. One line a measure: name, CPU
// seconds (the best of five), the limit, and a count that the peer has to get as well
// (`model_peer.py`, which prints the ratio).

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "model/mapping.h"
#include "model/partition_set.h"
#include "model/space.h"

namespace {

using namespace retrofill;  // NOLINT: a program of one file

constexpr int kRounds = 5;

PartitionSpace SpaceBy(const std::string& by, const std::string& zone) {
  return PartitionSpace(*Grid::Make({.by = by, .zone = *Zone::Load(zone), .begin = {}, .end = {}}),
                        {}, false);
}

void Measure(const std::string& name, double limit, const std::function<int64_t()>& work) {
  double best = 1e9;
  int64_t count = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::clock_t start = std::clock();
    count = work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  fmt::print("{}\t{:.9f}\t{:.9f}\t{}\n", name, best, limit, count);
}

// `count` runs of one hour, one in `every`.
PartitionSet Scattered(int64_t count, int64_t every) {
  std::vector<Interval> runs;
  for (int64_t i = 0; i < count; ++i) {
    const absl::Time start = absl::UnixEpoch() + absl::Hours(i * every);
    runs.push_back({start, start + absl::Hours(1)});
  }
  return PartitionSet::Rectangle(std::move(runs), {{0, 1}});
}

void MeasureGrid() {
  const PartitionSpace space = SpaceBy("hour", "America/New_York");
  const Grid& grid = space.grid();
  const absl::Time first = grid.zone().StartOfDate(absl::CivilDay(1970, 1, 1));
  const Interval century{first, grid.zone().StartOfDate(absl::CivilDay(2070, 1, 1))};
  constexpr int64_t kCalls = 100'000;
  const int64_t slots = grid.Count(century);
  Measure("count 100 years of hours, 100 000 times", 1e-3 * kCalls, [&] {
    int64_t sum = 0;
    for (int64_t i = 0; i < kCalls; ++i) sum += grid.Count(century);
    return sum / kCalls;
  });
  Measure("n-th of 100 years of hours, 100 000 times", 10e-6 * kCalls, [&] {
    int64_t sum = 0;
    for (int64_t i = 0; i < kCalls; ++i) {
      sum += absl::ToUnixSeconds(grid.At(century, i * 7919 % slots).start) % 1009;
    }
    return sum;
  });
  Measure("hour that contains an instant, 100 000 times", 2e-6 * kCalls, [&] {
    int64_t sum = 0;
    for (int64_t i = 0; i < kCalls; ++i) {
      sum += absl::ToUnixSeconds(grid.Containing(first + absl::Seconds(i * 31'013)).start) % 1009;
    }
    return sum;
  });
  const PartitionSet all =
      PartitionSet::Rectangle({{first, first + absl::Hours(1'000'000)}}, {{0, 1}});
  Measure("1 000 000 hours with identity texts", 0.25, [&] {
    int64_t bytes = 0;
    all.ForEach(space, [&](const Partition& partition) {
      bytes += static_cast<int64_t>(space.IdentityText(partition).size());
      return true;
    });
    return bytes;
  });
}

void MeasureSets() {
  const PartitionSpace hours = SpaceBy("hour", "UTC");
  const PartitionSet a = Scattered(500'000, 2);
  const PartitionSet b = Scattered(333'334, 3);
  Measure("union of 500 000 and 333 334 runs", 0.06, [&] { return Union(a, b).Count(hours); });
  Measure("difference of the same", 0.06, [&] { return Difference(a, b).Count(hours); });
  Measure("intersection of the same", 0.06, [&] { return Intersection(a, b).Count(hours); });
  const PartitionSet slots = PartitionSet::Rectangle(
      {{absl::UnixEpoch(), absl::UnixEpoch() + absl::Hours(20'000)}}, {{0, 1}});
  const PartitionSet recorded = Scattered(10'000, 2);
  Measure("missing among 20 000 slots, 10 000 recorded", 5e-3,
          [&] { return Difference(slots, recorded).Count(hours); });
  const PartitionSpace days = SpaceBy("day", "America/New_York");
  const PartitionSet changed = Scattered(10'000, 37);
  InputMapping mapping;
  mapping.upstream = &hours;
  mapping.downstream = &days;
  mapping.before = {.count = 28, .unit = Span::Unit::kDay};
  Measure("10 000 runs through a window of 28 days", 0.02,
          [&] { return Downstream(changed, mapping).Count(days); });
}

}  // namespace

int main() {
  MeasureGrid();
  MeasureSets();
  return 0;
}
