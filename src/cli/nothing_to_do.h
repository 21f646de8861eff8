#pragma once

#include "cli/answer.h"
#include "engine/planner.h"

namespace retrofill {

// The answer where every selected partition is right already, or a state word matched none: exit 0,
// and no plan is made.
Answer NothingToDo(const PlanResult& result);

}  // namespace retrofill
