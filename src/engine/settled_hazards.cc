#include "engine/settled_hazards.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/text.h"

namespace retrofill {
namespace {

// One question a partition up to here; then adjacent partitions share one, in this many groups.
constexpr size_t kMaxQuestions = 400;

struct Answer {
  int64_t asked = 0;
  int64_t open = 0;
  bool unanswered = false;
  std::optional<Partition> first;  // with an open order
};

std::vector<PartitionSet> UnitsToAsk(const ProveRequest& request) {
  const PartitionSpace& space = *request.context->space;
  const std::vector<Partition> planned = request.planned.Partitions(space);
  const bool together = request.context->can_batch() && request.context->cells_together();
  const size_t size = !together || planned.size() <= kMaxQuestions
                          ? 1
                          : (planned.size() + kMaxQuestions - 1) / kMaxQuestions;
  std::vector<PartitionSet> units;
  for (size_t i = 0; i < planned.size(); i += size) {
    const auto end = std::min(planned.size(), i + size);
    units.push_back(PartitionSet::Of(
        space, std::vector<Partition>(planned.begin() + static_cast<std::ptrdiff_t>(i),
                                      planned.begin() + static_cast<std::ptrdiff_t>(end))));
  }
  return units;
}

}  // namespace

Result<std::optional<Partition>> SettleHazards(const ProveRequest& request, ProofRuns& runs,
                                               std::vector<Hazard>& hazards) {
  std::set<size_t> asked;
  for (const Hazard& hazard : hazards) {
    if (hazard.by_data && hazard.settled.empty()) asked.insert(hazard.fact);
  }
  std::optional<Partition> open;
  if (asked.empty()) return open;
  if (request.progress) request.progress("asking the data about ties");
  const std::vector<size_t> facts(asked.begin(), asked.end());
  std::map<size_t, Answer> answers;
  for (const PartitionSet& unit : UnitsToAsk(request)) {
    if (request.stop && request.stop()) {
      return Fail(ErrorCode::kCancelled, "X0106", "the proof was stopped");
    }
    RF_ASSIGN(const std::vector<std::optional<int64_t>> counts, runs.AskUndecided(unit, facts));
    bool any = false;
    for (size_t i = 0; i < facts.size(); ++i) {
      Answer& answer = answers[facts[i]];
      ++answer.asked;
      any |= counts[i].has_value();
      if (!counts[i]) answer.unanswered = true;
      if (counts[i].value_or(0) == 0) continue;
      ++answer.open;
      if (!answer.first) answer.first = unit.Partitions(*request.context->space).front();
    }
    if (!any) break;  // none of the questions can be asked, here or elsewhere
  }
  for (Hazard& hazard : hazards) {
    const auto found = answers.find(hazard.fact);
    if (!hazard.by_data || !hazard.settled.empty() || found == answers.end()) continue;
    const Answer& answer = found->second;
    if (answer.open > 0) {
      hazard.diagnostic.notes.push_back(
          fmt::format("rows with equal keys in {} of {}, first in {}", answer.open,
                      Plural(answer.asked, "partition", "partitions"),
                      request.context->space->KeyText(*answer.first)));
      if (!open) open = answer.first;
    } else if (answer.unanswered) {
      hazard.diagnostic.notes.emplace_back(
          "whether two rows share all keys could not be asked: the part stands inside a "
          "correlated query");
    } else {
      hazard.settled = fmt::format("the data decide the order in all of {}",
                                   Plural(answer.asked, "partition", "partitions"));
    }
  }
  return open;
}

}  // namespace retrofill
