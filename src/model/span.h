#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace retrofill {

// A calendar length such as `27d`, `1h`, `3mo`. Minutes and hours are elapsed time; the rest is
// calendar arithmetic (intervals document, 2). `count` is never negative.
struct Span {
  enum class Unit { kMinute, kHour, kDay, kWeek, kMonth, kQuarter, kYear };
  int64_t count = 0;
  Unit unit = Unit::kDay;
  bool zero() const { return count == 0; }
  bool operator==(const Span&) const = default;
};

// Reads `0`, `30min`, `2h`, `7d`, `2w`, `3mo`, `1q`, `1y`. Anything else is kInvalid C0103 that
// says which forms exist.
Result<Span> ParseSpan(std::string_view text);
// Prints the form that ParseSpan reads; a zero span is `0`.
std::string SpanText(const Span& span);

}  // namespace retrofill
