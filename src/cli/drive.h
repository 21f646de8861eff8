#pragma once

#include <string>

#include "cli/answer.h"
#include "cli/context.h"
#include "cli/workspace.h"
#include "engine/run_operation.h"

namespace retrofill {

struct DriveOptions {
  RunRequest request{};  // without callbacks
  std::string grace{};   // as typed; empty = 90 s
  bool may_ask = true;   // may ask for consent in a terminal
  std::string intro{};   // printed before anything runs: the plan
};

// Runs a backfill as far as it gets, shows it on the way, follows signals, and says how it ended:
// the common part of `run`, `resume`, `retry`, `publish` and `undo`. Errors as Runner::Run.
Result<Answer> Drive(Context& context, Workspace& workspace, DriveOptions options);

// Backfill of a plan's file or name, or of an id. Where nothing may be written, a plan that is not
// in the journal yet is shown as it would begin.
Result<BackfillState> LoadBackfill(Workspace& workspace, const std::string& id);

// The parts of an answer that every backfill has: seq, plan, next steps.
void Describe(Answer& answer, const BackfillState& state);

}  // namespace retrofill
