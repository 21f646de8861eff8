#include "report/next_steps.h"

#include <utility>

namespace retrofill {
namespace {

NextStep Step(std::vector<std::string> words, std::string why, bool human_only = false) {
  words.insert(words.begin(), "retrofill");
  return {std::move(words), std::move(why), human_only};
}

}  // namespace

std::vector<NextStep> NextSteps(const BackfillState& state, const std::string& name_as) {
  const std::string& id = state.id;
  const std::string& plan = name_as.empty() ? id : name_as;
  std::vector<NextStep> steps;
  switch (state.phase) {
    case BackfillPhase::kPlanned:
      if (state.proof_failed) {
        steps.push_back(Step({"prove", state.plan->table},
                             "not proven: mend the transform, prove it, plan again"));
        break;
      }
      if (state.canary_failed) {
        steps.push_back(Step({"logs", id}, "why the canary did not pass"));
      }
      steps.push_back(Step({"run", plan}, "proves, looks at a canary, then stages the rest"));
      steps.push_back(Step({"prove", plan}, "the proof alone"));
      break;
    case BackfillPhase::kProven:
      steps.push_back(Step({"run", plan}, "goes on with the canary"));
      steps.push_back(Step({"canary", plan}, "the canary alone"));
      break;
    case BackfillPhase::kCanaried:
      steps.push_back(Step({"run", plan}, "stages the rest"));
      break;
    case BackfillPhase::kRunning:
      steps.push_back(Step({"status", id}, "how far it is"));
      steps.push_back(Step({"pause", id}, "stop after what runs now"));
      steps.push_back(Step({"resume", id}, "goes on, where the process that ran it is gone"));
      break;
    case BackfillPhase::kPaused:
    case BackfillPhase::kStaged:
      steps.push_back(Step({"resume", id}, "goes on where it stopped"));
      steps.push_back(Step({"cancel", id, "--yes"}, "ends it for good", true));
      break;
    case BackfillPhase::kVerified:
      steps.push_back(Step({"publish", id, "--confirm", id}, "makes the staged rows live"));
      steps.push_back(Step({"diff", id}, "what would change"));
      break;
    case BackfillPhase::kPublished:
      steps.push_back(Step({"resume", id}, "the checks after the publish"));
      break;
    case BackfillPhase::kAttention:
      if (!state.attention_next.empty()) {
        steps.push_back({state.attention_next, state.attention_id, false});
      }
      if (state.Counts().failed > 0) {
        steps.push_back(Step({"retry", id}, "tries failed partitions again"));
        steps.push_back(Step({"logs", id}, "why they failed"));
      }
      break;
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
