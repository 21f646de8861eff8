#pragma once

// Calendar arithmetic (intervals document, 2).

#include <absl/time/civil_time.h>
#include <absl/time/time.h>

#include "base/zone.h"
#include "model/span.h"

namespace retrofill {

enum class Direction { kBack, kForth };

// A reading plus or minus a span; the day of the month is clamped to the last valid one. Minutes
// and hours are added to the reading.
absl::CivilSecond AddSpan(absl::CivilSecond reading, const Span& span, Direction direction);

// The instant a span away from t: minutes and hours are elapsed time, the rest moves the local
// reading. Results outside of 1900..2199 are taken as the nearest supported instant.
absl::Time AddCivil(const Zone& zone, absl::Time t, const Span& span, Direction direction);

}  // namespace retrofill
