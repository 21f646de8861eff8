#include "report/next_steps.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace retrofill {
namespace {

NextStep Step(std::vector<std::string> words, std::string why, bool human_only = false) {
  words.insert(words.begin(), "retrofill");
  return {std::move(words), std::move(why), human_only};
}

constexpr int64_t kKeysNamed = 20;  // in a command line

// A selection of exactly these partitions as one word; empty where it would be unreadable.
std::string SelectionWord(const PartitionSet& set, const PartitionSpace& space) {
  const std::vector<PartitionSet::Piece> pieces = set.Pieces();
  const bool all_cells = std::all_of(pieces.begin(), pieces.end(), [&](const auto& piece) {
    return piece.cell_count == static_cast<int64_t>(space.cell_count());
  });
  std::vector<std::string> words;
  if (space.has_time() && all_cells) {
    if (static_cast<int64_t>(pieces.size()) > kKeysNamed) return "";
    for (const PartitionSet::Piece& piece : pieces) {
      const Interval first = space.grid().Containing(piece.interval.start);
      const Interval last = space.grid().Containing(piece.interval.end - absl::Seconds(1));
      words.push_back(space.grid().KeyText(first));
      if (first != last) words.back() += ".." + space.grid().KeyText(last);
    }
    return Join(words, ",");
  }
  if (set.Count(space) > kKeysNamed) return "";
  for (const Partition& partition : set.Partitions(space)) {
    words.push_back(space.KeyText(partition));
  }
  return Join(words, ",");
}

// The partitions of a plan that leads nowhere, planned anew.
NextStep PlanAgain(const BackfillState& state, std::string why) {
  const std::string word = SelectionWord(state.plan->Selected(), *state.plan->space);
  if (word.empty()) return Step({"show", state.id}, std::move(why) + "; it names the partitions");
  return Step({"plan", state.plan->table, word}, std::move(why));
}

std::vector<NextStep> StepsBeforeRun(const BackfillState& state, const std::string& plan) {
  std::vector<NextStep> steps;
  if (state.proof_failed && state.proof_override.empty()) {
    steps.push_back(
        Step({"prove", state.plan->table}, "not proven: mend the transform, prove it, plan again"));
    return steps;
  }
  if (state.canary_failed && state.canary_skipped.empty()) {
    steps.push_back(PlanAgain(state, "the canary did not pass: mend the cause, then plan again"));
    steps.push_back(Step({"logs", state.id}, "why it did not pass"));
    return steps;
  }
  switch (state.phase) {
    case BackfillPhase::kProven:
      steps.push_back(Step({"run", plan}, "goes on with the canary"));
      steps.push_back(Step({"canary", plan}, "the canary alone"));
      break;
    case BackfillPhase::kCanaried:
      steps.push_back(Step({"run", plan}, "stages the rest"));
      break;
    default:
      steps.push_back(Step({"run", plan}, "proves, looks at a canary, then stages the rest"));
      steps.push_back(Step({"prove", plan}, "the proof alone"));
      break;
  }
  return steps;
}

std::vector<NextStep> StepsToGoOn(const std::string& id) {
  return {Step({"resume", id}, "goes on where it stopped"),
          Step({"cancel", id, "--yes"}, "ends it for good", true)};
}

std::vector<NextStep> StepsOfAttention(const BackfillState& state) {
  const std::string& id = state.id;
  std::vector<NextStep> steps;
  if (!state.attention_next.empty()) {
    steps.push_back({state.attention_next, state.attention_id, false});
  }
  if (state.Counts().failed > 0) {
    if (steps.empty() || steps.front().argv[1] != "retry") {
      steps.push_back(Step({"retry", id}, "tries failed partitions again"));
    }
    steps.push_back(Step({"logs", id}, "why they failed"));
  }
  // Another backfill owns its partitions, which passes.
  if (state.attention_id == "P0304") return StepsToGoOn(id);
  if (steps.empty()) {
    // What moved stays moved: this plan cannot be published any more.
    steps.push_back(
        Step({"cancel", id, "--yes"}, "gives its partitions back, then plan them again", true));
    if (state.plan->undoes.empty()) steps.push_back(PlanAgain(state, "after that"));
  }
  return steps;
}

}  // namespace

std::vector<NextStep> NextSteps(const BackfillState& state, const std::string& name_as) {
  const std::string& id = state.id;
  const std::string& plan = name_as.empty() ? id : name_as;
  if (state.interrupted) return StepsToGoOn(id);
  std::vector<NextStep> steps;
  switch (state.phase) {
    case BackfillPhase::kPlanned:
    case BackfillPhase::kProven:
    case BackfillPhase::kCanaried:
      return StepsBeforeRun(state, plan);
    case BackfillPhase::kRunning:
    case BackfillPhase::kStaged:
    case BackfillPhase::kPublished:
      steps.push_back(Step({"status", id}, "how far it is"));
      steps.push_back(Step({"pause", id}, "stop after what runs now"));
      break;
    case BackfillPhase::kPaused:
      return StepsToGoOn(id);
    case BackfillPhase::kVerified:
      steps.push_back(Step({"publish", id, "--confirm", id}, "makes the staged rows live"));
      steps.push_back(Step({"diff", id}, "what would change"));
      break;
    case BackfillPhase::kAttention:
      return StepsOfAttention(state);
    case BackfillPhase::kDone:
      steps.push_back(Step({"report", id}, "the evidence"));
      if (state.published) {
        steps.push_back(Step({"undo", id, "--confirm", id}, "brings the previous rows back", true));
      }
      break;
    case BackfillPhase::kCancelled:
    case BackfillPhase::kUndone:
      break;
  }
  return steps;
}

}  // namespace retrofill
