#include "model/instant_text.h"

#include <algorithm>
#include <optional>

#include "model/time_word.h"

namespace retrofill {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes the offset off the end of a clock: `Z`, `+02:00`, `-0500`. nullopt if what stands there is
// none; an absent one leaves `offset` alone.
bool TakeOffset(std::string_view& clock, std::optional<int>& offset) {
  if (clock.ends_with('Z') || clock.ends_with('z')) {
    clock.remove_suffix(1);
    offset = 0;
    return true;
  }
  const size_t sign = clock.find_last_of("+-");
  if (sign == std::string_view::npos) return true;
  std::string digits;
  for (char c : clock.substr(sign + 1)) {
    if (IsDigit(c)) {
      digits.push_back(c);
    } else if (c != ':') {
      return false;
    }
  }
  if (digits.size() != 4) return false;
  const int hours = (digits[0] - '0') * 10 + digits[1] - '0';
  const int minutes = (digits[2] - '0') * 10 + digits[3] - '0';
  if (hours > 23 || minutes > 59) return false;
  offset = (clock[sign] == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  clock = clock.substr(0, sign);
  return true;
}

// Takes `.123456` off the end of a clock; false if it has other than 1 to 6 digits.
bool TakeFraction(std::string_view& clock, absl::Duration& fraction) {
  const size_t point = clock.find('.');
  if (point == std::string_view::npos) return true;
  const std::string_view digits = clock.substr(point + 1);
  if (digits.empty() || digits.size() > 6 || !std::all_of(digits.begin(), digits.end(), IsDigit)) {
    return false;
  }
  int64_t microseconds = 0;
  for (size_t i = 0; i < 6; ++i) {
    microseconds = microseconds * 10 + (i < digits.size() ? digits[i] - '0' : 0);
  }
  fraction = absl::Microseconds(microseconds);
  clock = clock.substr(0, point);
  return true;
}

std::string WithOffset(const Zone& zone, absl::Time t) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%S%Ez", t, zone.absl_zone());
}

}  // namespace

Result<absl::Time> ReadInstant(std::string_view text, const Zone& zone, std::string_view flag) {
  const auto malformed = [&] {
    return Fail(ErrorCode::kInvalid, "P0109", "`{} {}` is not an instant", flag, text)
        .Help(
            "write `2026-02-01`, `2026-02-01T10:30` in the table's zone, or "
            "`2026-02-01T10:30:00Z`");
  };
  std::string word(text.substr(0, 10));
  std::string_view clock = text.size() > 10 ? text.substr(11) : std::string_view();
  std::optional<int> offset;
  absl::Duration fraction;
  if (text.size() > 10) {
    if ((text[10] != 'T' && text[10] != 't' && text[10] != ' ') || clock.empty()) {
      return malformed();
    }
    if (!TakeOffset(clock, offset) || !TakeFraction(clock, fraction)) return malformed();
    word += fmt::format("T{}", clock);
  }
  Result<TimeWord> time = ParseTimeWord(word);
  if (!time) {
    if (time.error().id() == "P0105") return std::move(time).error();
    return malformed();
  }
  if ((time->kind != TimeWord::Kind::kDay && time->kind != TimeWord::Kind::kClock) ||
      time->offset) {
    return malformed();
  }
  if (offset) {
    return absl::FromCivil(time->first, absl::UTCTimeZone()) - absl::Seconds(*offset) + fraction;
  }
  const absl::TimeZone::TimeInfo info = zone.absl_zone().At(time->first);
  if (time->kind == TimeWord::Kind::kClock && info.kind != absl::TimeZone::TimeInfo::UNIQUE) {
    const bool twice = info.kind == absl::TimeZone::TimeInfo::REPEATED;
    return Fail(ErrorCode::kInvalid, "P0105", "`{} {}` {} in {}", flag, text,
                twice ? "happens twice" : "does not exist", zone.name())
        .Help(fmt::format("write `{}` or `{}`",
                          WithOffset(zone, twice ? info.pre : info.trans - absl::Seconds(1)),
                          WithOffset(zone, twice ? info.post : info.trans)));
  }
  if (zone.StartOfDate(absl::CivilDay(time->first)) ==
      zone.StartOfDate(absl::CivilDay(time->first) + 1)) {
    return Fail(ErrorCode::kInvalid, "P0105", "`{} {}` does not exist: {} skipped that date", flag,
                text, zone.name());
  }
  return zone.FirstAtOrAfter(time->first) + fraction;
}

std::string InstantText(absl::Time t) {
  const absl::CivilSecond reading = absl::ToCivilSecond(t, absl::UTCTimeZone());
  if (t != absl::FromCivil(reading, absl::UTCTimeZone())) {
    return absl::FormatTime("%Y-%m-%dT%H:%M:%E*SZ", t, absl::UTCTimeZone());
  }
  return absl::FormatTime(reading.second() == 0 ? "%Y-%m-%dT%H:%MZ" : "%Y-%m-%dT%H:%M:%SZ", t,
                          absl::UTCTimeZone());
}

std::string LocalInstantText(absl::Time t, const Zone& zone) {
  const absl::CivilSecond reading = zone.CivilAt(t);
  if (zone.StartOfDate(absl::CivilDay(reading)) == t) {
    std::string out;
    AppendDate(out, absl::CivilDay(reading));
    return out;
  }
  return zone.utc() ? InstantText(t) : WithOffset(zone, t);
}

}  // namespace retrofill
