#pragma once

// Zones and the one primitive that turns a wall-clock reading into an instant (intervals document,
// 2).

#include <absl/time/civil_time.h>
#include <absl/time/time.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace retrofill {

// One change of a zone's offset: at the instant `at` the wall clock jumps from `from` to `to`.
struct ZoneChange {
  absl::Time at;
  absl::CivilSecond from;
  absl::CivilSecond to;
};

// An IANA zone. A plain value, UTC by default; any thread.
class Zone {
 public:
  Zone();  // UTC
  // Loads an IANA name. kInvalid C0103 for `localtime`, fixed offsets, POSIX rules, paths and
  // unknown names: never UTC instead.
  static Result<Zone> Load(std::string_view name);

  const std::string& name() const { return name_; }
  bool utc() const { return name_ == "UTC"; }
  const absl::TimeZone& absl_zone() const { return zone_; }

  // The earliest instant whose local reading is at or after `civil`: the first of two if it is
  // repeated, the end of the gap if it is skipped.
  absl::Time FirstAtOrAfter(absl::CivilSecond civil) const;
  absl::Time StartOfDate(absl::CivilDay day) const {
    return FirstAtOrAfter(absl::CivilSecond(day));
  }
  absl::CivilSecond CivilAt(absl::Time t) const;
  absl::Duration OffsetAt(absl::Time t) const;
  // The first change of the offset after `after`; none if there is no more.
  std::optional<ZoneChange> NextChange(absl::Time after) const;
  // Whether the offset changes anywhere after `since` (default 1970-01-01).
  bool HasClockChanges(absl::Time since = absl::UnixEpoch()) const;

 private:
  std::string name_ = "UTC";
  absl::TimeZone zone_;
};

}  // namespace retrofill
