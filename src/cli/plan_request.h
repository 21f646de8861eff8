#pragma once

#include "cli/arguments.h"
#include "cli/context.h"
#include "engine/plan_operation.h"

namespace retrofill {

// The engine's request for what was typed. kInvalid C0103 for a bad instant, order, name or reason;
// C0111 where `-` stands and standard input cannot be read.
Result<PlanCommand> MakePlanCommand(const PlanArguments& arguments, const std::string& plan_file);

// Replaces the word `-` by the keys that standard input holds, one a line.
Result<SelectionArguments> ReadSelection(SelectionArguments arguments);

// kInvalid C0103 unless the reason is empty or has 8 characters or more.
Status CheckReason(const std::string& flag, const std::string& reason);

// `fin-812` of `plans/fin-812.plan.json`.
std::string PlanNameOfFile(const std::string& path);

}  // namespace retrofill
