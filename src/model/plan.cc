#include "model/plan.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace retrofill {

std::string_view ActionText(Action action) {
  switch (action) {
    case Action::kFill:
      return "fill";
    case Action::kRestate:
      return "restate";
    case Action::kSkip:
      return "skip";
    case Action::kBlocked:
      return "blocked";
  }
  return "blocked";
}

std::optional<Action> ParseAction(std::string_view text) {
  for (Action action : {Action::kFill, Action::kRestate, Action::kSkip, Action::kBlocked}) {
    if (text == ActionText(action)) return action;
  }
  return std::nullopt;
}

std::string_view TransformClassText(TransformClass transform_class) {
  switch (transform_class) {
    case TransformClass::kWindowed:
      return "windowed";
    case TransformClass::kSequential:
      return "sequential";
    case TransformClass::kWholeTable:
      return "whole-table";
  }
  return "windowed";
}

PartitionSet Plan::Selected() const {
  PartitionSet all;
  for (const PlanRun& run : runs) all = Union(all, run.set);
  return all;
}

PartitionSet Plan::ToCompute() const {
  PartitionSet all;
  for (const PlanRun& run : runs) {
    if (IsComputed(run.action)) all = Union(all, run.set);
  }
  return all;
}

bool Covers(const std::vector<PlanRun>& runs, const PartitionSet& requested,
            const PartitionSpace& space) {
  std::vector<PartitionSet> sets;
  int64_t count = 0;
  for (const PlanRun& run : runs) {
    sets.push_back(run.set);
    count += run.set.Count(space);
  }
  return Union(std::move(sets)) == requested && count == requested.Count(space);
}

std::string BeforeDigest(const std::vector<BeforeLine>& lines) {
  std::vector<const BeforeLine*> filled;
  for (const BeforeLine& line : lines) {
    if (line.rows > 0) filled.push_back(&line);
  }
  if (filled.empty()) return "empty";
  std::sort(filled.begin(), filled.end(),
            [](const BeforeLine* a, const BeforeLine* b) { return a->identity < b->identity; });
  std::string text;
  for (const BeforeLine* line : filled) text += line->identity + '\t' + line->fingerprint + '\n';
  return Sha256Hex(text).substr(0, 16);
}

bool IsPlanName(std::string_view name) {
  if (name.empty() || name.size() > kMaxPlanName) return false;
  auto letter_or_digit = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (!letter_or_digit(name[0])) return false;
  return std::all_of(name.begin(), name.end(), [&](char c) {
    return letter_or_digit(c) || c == '.' || c == '_' || c == '-';
  });
}

}  // namespace retrofill
