#pragma once

#include <span>
#include <string>

#include "base/json.h"
#include "model/backfill.h"

namespace retrofill {

// What happened, in order: one line an event, with time and actor; `show --steps`.
std::string StepsText(std::span<const Event> events, const BackfillState& state);
Json StepsJson(std::span<const Event> events, const BackfillState& state);

// Every partition: key, state, attempts, rows, failure; `show --partitions`.
std::string PartitionsText(const BackfillState& state);

// What the attempts said: tries, checks and failures of each partition; `key` empty = of all.
std::string LogsText(std::span<const Event> events, const BackfillState& state,
                     const std::string& key);
Json LogsJson(std::span<const Event> events, const BackfillState& state, const std::string& key);

// The evidence for people: the plan, gates with who passed them, outcome, checks, what failed, what
// is stale downstream, how to undo.
std::string ReportText(const BackfillState& state, std::span<const Event> events);
Json ReportJson(const BackfillState& state, std::span<const Event> events);

}  // namespace retrofill
