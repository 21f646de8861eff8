#pragma once

#include <absl/time/time.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/zone.h"

namespace retrofill {

// Reads an instant of `--start`, `--end` or `--as-of`: RFC 3339, or a date or time without offset,
// read in the zone. kInvalid P0109 for another form, P0105 for a reading that no calendar has or
// that the zone skipped or repeated; `flag` names the option in the message.
Result<absl::Time> ReadInstant(std::string_view text, const Zone& zone, std::string_view flag);

// `2026-02-01T00:00Z`; seconds and a fraction only if they are not 0.
std::string InstantText(absl::Time t);
// The shortest text that ReadInstant reads back in this zone: `2026-02-01` for a midnight.
std::string LocalInstantText(absl::Time t, const Zone& zone);

}  // namespace retrofill
