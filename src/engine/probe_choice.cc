#include "engine/probe_choice.h"

#include <absl/time/civil_time.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "base/random.h"

namespace retrofill {
namespace {

class Chooser {
 public:
  explicit Chooser(const ProbeRequest& request)
      : request_(request), all_(request.planned.Partitions(*request.space)) {}

  std::vector<ProofProbe> Run() {
    const bool every = std::cmp_less_equal(all_.size(), request_.samples);
    Add(Median(), "median size");
    Add(Gap(), "fills a gap");
    if (request_.space->has_time()) {
      Add(ClockChange(), "clock change");
      Add(MonthEnd(), "month end");
    }
    Add(Largest(), "largest");
    Add(FirstWhere([&](const Partition& p) { return Rows(p) == 0; }), "empty");
    Add(all_.back(), "newest");
    if (every) {
      for (const Partition& partition : all_) Add(partition, "all are tried");
    }
    AddDrawn();
    std::sort(probes_.begin(), probes_.end(),
              [](const ProofProbe& a, const ProofProbe& b) { return a.partition < b.partition; });
    return std::move(probes_);
  }

 private:
  int64_t Rows(const Partition& partition) const {
    const auto found = request_.source_rows.find(partition);
    return found == request_.source_rows.end() ? 0 : found->second;
  }

  void Add(const std::optional<Partition>& partition, std::string reason) {
    if (!partition || std::cmp_greater_equal(probes_.size(), request_.samples)) return;
    const bool known = std::any_of(probes_.begin(), probes_.end(), [&](const ProofProbe& probe) {
      return probe.partition == *partition;
    });
    if (known) return;
    ProofProbe probe;
    probe.partition = *partition;
    probe.key = request_.space->KeyText(*partition);
    probe.reason = std::move(reason);
    probe.source_rows = Rows(*partition);
    probes_.push_back(std::move(probe));
  }

  std::optional<Partition> FirstWhere(const std::function<bool(const Partition&)>& holds) const {
    const auto found = std::find_if(all_.begin(), all_.end(), holds);
    return found == all_.end() ? std::nullopt : std::optional<Partition>(*found);
  }

  // Of those with rows: an empty one shows nothing.
  std::vector<Partition> BySize() const {
    std::vector<Partition> sorted;
    for (const Partition& partition : all_) {
      if (Rows(partition) > 0 && Rows(partition) <= request_.max_rows) sorted.push_back(partition);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const Partition& a, const Partition& b) { return Rows(a) < Rows(b); });
    return sorted;
  }
  std::optional<Partition> Median() const {
    const std::vector<Partition> sorted = BySize();
    return sorted.empty() ? std::nullopt : std::optional<Partition>(sorted[sorted.size() / 2]);
  }
  std::optional<Partition> Largest() const {
    const std::vector<Partition> sorted = BySize();
    return sorted.empty() ? std::nullopt : std::optional<Partition>(sorted.back());
  }
  // The one with most rows in the source.
  std::optional<Partition> Gap() const {
    const std::vector<Partition> sorted = BySize();
    for (auto at = sorted.rbegin(); at != sorted.rend(); ++at) {
      if (request_.fills.Contains(*at)) return *at;
    }
    return std::nullopt;
  }
  std::optional<Partition> ClockChange() const {
    const Grid& grid = request_.space->grid();
    if (grid.zone().utc() || grid.grain() == Grain::kWeek || grid.grain() > Grain::kWeek) {
      return std::nullopt;
    }
    return FirstWhere([&](const Partition& p) {
      return Rows(p) > 0 &&
             grid.zone().OffsetAt(p.interval.start) != grid.zone().OffsetAt(p.interval.end);
    });
  }
  std::optional<Partition> MonthEnd() const {
    const Grid& grid = request_.space->grid();
    std::optional<Partition> found;
    for (const Partition& partition : all_) {
      const absl::CivilDay first(grid.zone().CivilAt(partition.interval.start));
      const absl::CivilDay next(grid.zone().CivilAt(partition.interval.end));
      const bool ends = next.day() == 1 && first != next && grid.grain() < Grain::kMonth;
      if (!ends || Rows(partition) == 0 || Rows(partition) > request_.max_rows) continue;
      if (first.month() == 2 && first.day() == 29) return partition;
      found = partition;
    }
    return found;
  }
  // One, and more while there is room: what the rules above see alike may still differ.
  void AddDrawn() {
    Random random(0, request_.seed);
    for (int i = 0; i < 4 * request_.samples; ++i) {
      const Partition& partition = all_[random.Below(all_.size())];
      if (Rows(partition) > 0 && Rows(partition) <= request_.max_rows) Add(partition, "drawn");
    }
  }

  const ProbeRequest& request_;
  std::vector<Partition> all_;
  std::vector<ProofProbe> probes_;
};

}  // namespace

std::vector<ProofProbe> ChooseProbes(const ProbeRequest& request) { return Chooser(request).Run(); }

std::vector<Partition> ChooseBatch(const ProbeRequest& request,
                                   const std::vector<ProofProbe>& probes, int count) {
  if (!request.space->has_time()) return {};
  const Grid& grid = request.space->grid();
  const auto rows = [&](const Partition& partition) {
    const auto found = request.source_rows.find(partition);
    return found == request.source_rows.end() ? int64_t{0} : found->second;
  };
  std::vector<Partition> best;
  int64_t best_score = -1;
  for (const ProofProbe& probe : probes) {
    std::vector<Partition> batch = {probe.partition};
    Partition next = probe.partition;
    while (std::cmp_less(batch.size(), count)) {
      next.interval = grid.Next(next.interval);
      if (!request.planned.Contains(next)) break;
      batch.push_back(next);
    }
    Partition previous = probe.partition;
    while (std::cmp_less(batch.size(), count)) {
      previous.interval = grid.Previous(previous.interval);
      if (!request.planned.Contains(previous)) break;
      batch.insert(batch.begin(), previous);
    }
    int64_t filled = 0;
    for (const Partition& partition : batch) filled += rows(partition) > 0 ? 1 : 0;
    const int64_t score =
        filled * 4 + (probe.reason == "month end" || probe.reason == "clock change" ? 1 : 0);
    if (score > best_score) best_score = score, best = std::move(batch);
  }
  return best;
}

}  // namespace retrofill
