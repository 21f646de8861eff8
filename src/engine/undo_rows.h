#pragma once

#include "base/error.h"
#include "engine/build_unit.h"
#include "engine/run_context.h"

namespace retrofill {

// The "build" of an undo: the saved pre-images of the units' partitions, compared with what the
// ledger of the undone plan says was replaced. A unit with a pre-image that is gone or damaged is
// broken with kRefused X0305, found before anything is deleted.
BuildResult AdoptPreImages(const RunContext& run, const BuildRequest& request, Session& session);

}  // namespace retrofill
