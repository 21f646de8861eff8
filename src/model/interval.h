#pragma once

#include <absl/time/time.h>

#include <compare>

namespace retrofill {

// A half-open span of time `[start, end)`, start < end.
struct Interval {
  absl::Time start;
  absl::Time end;
  bool operator==(const Interval&) const = default;
  bool Contains(absl::Time t) const { return start <= t && t < end; }
};

}  // namespace retrofill
