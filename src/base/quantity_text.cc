// Lengths of time, sizes and shares of text.h.

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace retrofill {

namespace {

// The digits at the start and the unit after them. Unit is empty for a bare number.
struct Quantity {
  std::string_view number;
  std::string_view unit;
};

Quantity SplitQuantity(std::string_view text) {
  const size_t end = text.find_first_not_of("0123456789");
  if (end == std::string_view::npos) return {text, {}};
  return {text.substr(0, end), text.substr(end)};
}

struct DurationUnit {
  std::string_view name;
  absl::Duration length;
};

constexpr absl::Duration kDay = absl::Hours(24);

std::array<DurationUnit, 5> DurationUnits() {
  return {{{"d", kDay},
           {"h", absl::Hours(1)},
           {"min", absl::Minutes(1)},
           {"s", absl::Seconds(1)},
           {"ms", absl::Milliseconds(1)}}};
}

constexpr std::array<std::pair<std::string_view, int64_t>, 5> kByteUnits = {{
    {"B", 1},
    {"KiB", int64_t{1} << 10},
    {"MiB", int64_t{1} << 20},
    {"GiB", int64_t{1} << 30},
    {"TiB", int64_t{1} << 40},
}};

}  // namespace

Result<absl::Duration> ParseDuration(std::string_view text) {
  const Quantity quantity = SplitQuantity(text);
  const std::optional<int64_t> number = ParseInteger(quantity.number);
  if (number.has_value() && *number <= 1'000'000'000'000) {
    for (const DurationUnit& unit : DurationUnits()) {
      if (unit.name == quantity.unit) return unit.length * *number;
    }
    if (quantity.unit == "m") {
      return Fail(ErrorCode::kInvalid, "C0103", "`m` is no unit of a duration in `{}`", text)
          .Help(fmt::format("write `{}min`", *number));
    }
  }
  return Fail(ErrorCode::kInvalid, "C0103", "`{}` is not a duration", text)
      .Help("write a whole number and one of `ms`, `s`, `min`, `h`, `d`, such as `15min`");
}

std::string DurationSetting(absl::Duration duration) {
  if (duration == absl::ZeroDuration()) return "0s";
  for (const DurationUnit& unit : DurationUnits()) {
    absl::Duration rest;
    const int64_t count = absl::IDivDuration(duration, unit.length, &rest);
    if (rest == absl::ZeroDuration()) return fmt::format("{}{}", count, unit.name);
  }
  return fmt::format("{}ms", absl::ToInt64Milliseconds(duration));
}

std::string DurationText(absl::Duration duration) {
  if (duration < absl::ZeroDuration()) return "-" + DurationText(-duration);
  const auto rounded = [&](absl::Duration unit) {
    return absl::IDivDuration(duration + unit / 2, unit, &duration);
  };
  absl::Duration whole = duration;
  if (duration < absl::Milliseconds(999.5)) {
    return fmt::format("{} ms", rounded(absl::Milliseconds(1)));
  }
  const int64_t seconds = rounded(absl::Seconds(1));
  if (seconds < 120 && seconds % 60 != 0) return fmt::format("{} s", seconds);
  duration = whole;
  const int64_t minutes = rounded(absl::Minutes(1));
  if (minutes < 60) return fmt::format("{} m", minutes);
  if (minutes < 24 * 60) return fmt::format("{} h {:02} m", minutes / 60, minutes % 60);
  duration = whole;
  const int64_t hours = rounded(absl::Hours(1));
  return fmt::format("{} d {} h", hours / 24, hours % 24);
}

Result<int64_t> ParseByteSize(std::string_view text) {
  const Quantity quantity = SplitQuantity(text);
  const std::optional<int64_t> number = ParseInteger(quantity.number);
  for (const auto& [name, bytes] : kByteUnits) {
    if (!number.has_value() || (name != quantity.unit && !(quantity.unit.empty() && bytes == 1))) {
      continue;
    }
    if (*number > INT64_MAX / bytes) break;
    return *number * bytes;
  }
  return Fail(ErrorCode::kInvalid, "C0103", "`{}` is not a size", text)
      .Help("write a whole number and one of `B`, `KiB`, `MiB`, `GiB`, `TiB`, such as `16MiB`");
}

std::string ByteSizeText(int64_t bytes) {
  size_t unit = 0;
  double value = static_cast<double>(bytes);
  // 1023.5 and more would print as 1024 of the smaller unit.
  while (unit + 1 < kByteUnits.size() && std::abs(value) >= 1023.5) {
    value /= 1024;
    ++unit;
  }
  const std::string_view name = kByteUnits[unit].first;
  if (unit == 0 || std::abs(value) >= 9.95) return fmt::format("{:.0f} {}", value, name);
  return fmt::format("{:.1f} {}", value, name);
}

Result<double> ParseShare(std::string_view text) {
  double percent = 0;
  if (text.ends_with('%') && text.find_first_not_of("0123456789.%") == std::string_view::npos) {
    const char* end = text.data() + text.size() - 1;
    const auto [stop, error] = std::from_chars(text.data(), end, percent);
    if (error == std::errc() && stop == end && percent <= 100) return percent / 100;
  }
  return Fail(ErrorCode::kInvalid, "C0103", "`{}` is not a share", text)
      .Help("write a percentage from `0%` to `100%`");
}

}  // namespace retrofill
