// Instants of text.h.

#include <utility>

#include "base/text.h"

namespace retrofill {

namespace {

Error NotAnInstant(std::string_view text) {
  return Fail(ErrorCode::kInvalid, "C0203", "`{}` is not a date or an instant", text)
      .Help(
          "write RFC 3339, such as `2026-02-10`, `2026-02-10T09:14:05Z` or "
          "`2026-02-10T09:14:05+01:00`");
}

// Takes exactly `digits` digits from the front, or nothing.
std::optional<int> TakeNumber(std::string_view& text, size_t digits) {
  if (text.size() < digits || !IsDigits(text.substr(0, digits))) return std::nullopt;
  const int64_t value = *ParseInteger(text.substr(0, digits));
  text.remove_prefix(digits);
  return static_cast<int>(value);
}

bool Take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<absl::CivilDay> TakeDay(std::string_view& text) {
  const std::optional<int> year = TakeNumber(text, 4);
  if (!year || !Take(text, "-")) return std::nullopt;
  const std::optional<int> month = TakeNumber(text, 2);
  if (!month || !Take(text, "-")) return std::nullopt;
  const std::optional<int> day = TakeNumber(text, 2);
  if (!day || *year == 0) return std::nullopt;
  // CivilDay carries 2026-02-30 over into March; we refuse it.
  const absl::CivilDay civil(*year, *month, *day);
  if (civil.month() != *month || civil.day() != *day) return std::nullopt;
  return civil;
}

std::optional<absl::Duration> TakeFraction(std::string_view& text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > 9) return std::nullopt;
  absl::Duration unit = absl::Seconds(1);
  for (size_t i = 0; i < digits; ++i) unit /= 10;
  const int64_t count = *ParseInteger(text.substr(0, digits));
  text.remove_prefix(digits);
  return unit * count;
}

std::optional<absl::Duration> TakeOffset(std::string_view& text) {
  if (Take(text, "Zz")) return absl::ZeroDuration();
  const bool is_west = text.starts_with('-');
  if (!Take(text, "+-")) return std::nullopt;
  const std::optional<int> hours = TakeNumber(text, 2);
  if (!hours || *hours > 23 || !Take(text, ":")) return std::nullopt;
  const std::optional<int> minutes = TakeNumber(text, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  const absl::Duration east = absl::Hours(*hours) + absl::Minutes(*minutes);
  return is_west ? -east : east;
}

// `09:14`, `09:14:05` or `09:14:05.25`, added to the value. Whether it was one.
bool TakeTime(std::string_view& text, DateTime& value) {
  const std::optional<int> hour = TakeNumber(text, 2);
  if (!hour || *hour > 23 || !Take(text, ":")) return false;
  const std::optional<int> minute = TakeNumber(text, 2);
  if (!minute || *minute > 59) return false;
  int second = 0;
  if (Take(text, ":")) {
    const std::optional<int> taken = TakeNumber(text, 2);
    if (!taken || *taken > 59) return false;
    second = *taken;
    if (Take(text, ".")) {
      const std::optional<absl::Duration> fraction = TakeFraction(text);
      if (!fraction) return false;
      value.fraction = *fraction;
    }
  }
  value.civil += *hour * 3600 + *minute * 60 + second;
  return true;
}

}  // namespace

std::string FormatInstant(absl::Time instant) {
  const absl::CivilSecond civil = absl::ToCivilSecond(instant, absl::UTCTimeZone());
  const int64_t nanos =
      absl::ToInt64Nanoseconds(instant - absl::FromCivil(civil, absl::UTCTimeZone()));
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", civil.year(), civil.month(),
                                 civil.day(), civil.hour(), civil.minute(), civil.second());
  if (nanos % 1'000 != 0) return text + fmt::format(".{:09}Z", nanos);
  if (nanos % 1'000'000 != 0) return text + fmt::format(".{:06}Z", nanos / 1'000);
  if (nanos != 0) return text + fmt::format(".{:03}Z", nanos / 1'000'000);
  return text + "Z";
}

std::string FormatInstantMillis(absl::Time instant) {
  const absl::Time whole = absl::FromUnixMillis(absl::ToUnixMillis(instant));
  std::string text = FormatInstant(whole);
  if (text.size() == 20) text.insert(19, ".000");
  return text;
}

Result<DateTime> ParseDateTime(std::string_view text) {
  std::string_view rest = text;
  DateTime value;
  const std::optional<absl::CivilDay> day = TakeDay(rest);
  if (!day) return NotAnInstant(text);
  value.civil = absl::CivilSecond(*day);
  if (rest.empty()) return value;
  if (!Take(rest, "Tt ") || !TakeTime(rest, value)) return NotAnInstant(text);
  if (!rest.empty()) {
    value.offset = TakeOffset(rest);
    if (!value.offset || !rest.empty()) return NotAnInstant(text);
  }
  return value;
}

Result<absl::Time> ParseInstant(std::string_view text) {
  RF_ASSIGN(const DateTime value, ParseDateTime(text));
  return absl::FromCivil(value.civil, absl::UTCTimeZone()) + value.fraction -
         value.offset.value_or(absl::ZeroDuration());
}

}  // namespace retrofill
