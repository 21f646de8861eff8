#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/json.h"
#include "model/backfill.h"

namespace retrofill {

// What `run` prints where there is no terminal: one line an event, as
// `2026-02-10T20:15:09Z staged    2025-11-02/eu rows=212 seconds=61.0 1/273`. Empty for events that
// nobody waits for. `state` is the state after all of them.
std::string EventLines(std::span<const Event> events, const BackfillState& state);

// The same events as JSON Lines: `v`, `ts`, `type`, `backfill`, and what the event holds; a
// partition is named by its key.
std::string EventJsonLines(std::span<const Event> events, const BackfillState& state);

struct Progress {
  absl::Time now;
  absl::Duration elapsed;     // of this session
  int64_t done_at_start = 0;  // partitions that were done when it started
};
// `2026-02-10T20:48:10Z progress  111/273 40% failed=1 eta=2026-02-10T21:38:00Z`.
std::string ProgressLine(const BackfillState& state, const Progress& progress);

struct Eta {
  absl::Time earliest;
  absl::Time latest;
};
// When it will be staged; none before 1 % or two partitions of this session.
std::optional<Eta> EstimateEnd(const BackfillState& state, const Progress& progress);

int64_t DoneCount(const BackfillState& state);  // staged or published

}  // namespace retrofill
