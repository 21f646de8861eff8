#pragma once

// Which partitions are built together, and how long a failed one waits (guard document, 5.5;
// intervals document, 13).

#include <absl/time/time.h>

#include <cstddef>
#include <vector>

#include "engine/step.h"

namespace retrofill {

// Places of the next unit to build, in execution order: halves of a broken unit first, then
// adjacent waiting partitions whose time has come, at most UnitSize of them. Removes a half that it
// returns. Empty = nothing can start now.
std::vector<size_t> NextUnit(RunState& state);

// Partitions that fit into the unit time at the rate seen so far; 1 until a rate is known; at most
// half as many again as the unit before.
int64_t UnitSize(const RunState& state);

// Units of one build: as many as fit into the unit time, so that what is looked up for each of them
// is looked up once. 1 where a unit is a batch already, until a rate is known, and where the first
// failure is to stop everything. No more than a fair share of a slot.
int64_t GroupSize(const RunState& state);

// Wait before the next try: doubles from backoff_min to backoff_max, times 0.5 to 1 by `jitter`.
absl::Duration BackOff(const Attempts& attempts, int64_t attempt, double jitter);

}  // namespace retrofill
