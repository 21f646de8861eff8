#pragma once

// `undo`: a publish of the rows that a backfill replaced.

#include <string>

#include "base/error.h"
#include "engine/engine_context.h"
#include "engine/planner.h"

namespace retrofill {

struct UndoPlan {
  PlanResult plan;     // its plan is the undo; not saved yet
  std::string undone;  // id of the backfill that it takes back
  int64_t partitions = 0;
  int64_t of = 0;    // published partitions of that backfill
  int64_t rows = 0;  // saved rows to put back
  std::vector<PlanDownstream> stale_again;
};

// Plans the undo of the selected published partitions of a backfill (all without a selection). Its
// name is `ID-uN`. kRefused X0105 if nothing of it is published, X0304 if a partition changed since
// (named; its rows are kept), X0305 if a pre-image is gone. Nothing is written.
Result<UndoPlan> PlanUndo(const EngineContext& engine, const std::string& backfill,
                          const SelectionArguments& selection, const std::string& reason);

// Saves the undo as a backfill of its own; Runner runs it like any other. Ends the undone plan
// first if it has no end yet.
Status SaveUndo(const EngineContext& engine, const UndoPlan& undo);

// Tells the undone backfill that partitions of it were taken back. Run by Runner when an undo is
// done; harmless to repeat.
Status MarkUndone(const EngineContext& engine, const BackfillState& undo);

}  // namespace retrofill
