#pragma once

#include <span>
#include <string>

#include "model/backfill.h"

namespace retrofill {

// One line a backfill: `ID TABLE STATE DONE FAILED STARTED NEXT`. Says so where there is none.
std::string StatusText(std::span<const BackfillState> states);

// One backfill: its line, then counts, what failed, why it stands still, and gates passed.
std::string BackfillText(const BackfillState& state);

// How many partitions rightly produced nothing, as a line; empty where there are none.
std::string EmptyText(const BackfillState& state);

// One line a backfill of the past, newest first: `ID TABLE STATE PARTITIONS BY CREATED REASON`.
std::string HistoryText(std::span<const BackfillState> states);

// "111/273": partitions that are published, or staged where nothing is published yet, over those to
// compute.
std::string DoneText(const BackfillState& state);

// `02-10 20:14Z`.
std::string ShortInstant(absl::Time instant);

}  // namespace retrofill
