#pragma once

#include <string>
#include <vector>

#include "model/backfill.h"

namespace retrofill {

// A command that the state allows now.
struct NextStep {
  std::vector<std::string> argv;  // runs as is
  std::string why;
  bool human_only = false;  // must be handed to a person
};

// What can be done with a backfill in this state, best first; empty where nothing is left to do.
// `name_as` is what stands for it in commands: a plan's file, or its id where empty.
std::vector<NextStep> NextSteps(const BackfillState& state, const std::string& name_as = "");

}  // namespace retrofill
