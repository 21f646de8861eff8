#include "model/instant_text.h"

#include "base/text.h"
#include "model/time_word.h"

namespace retrofill {
namespace {

std::string WithOffset(const Zone& zone, absl::Time t) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%S%Ez", t, zone.absl_zone());
}

}  // namespace

Result<absl::Time> ReadInstant(std::string_view text, const Zone& zone, std::string_view flag) {
  const Result<DateTime> read = ParseDateTime(text);
  if (!read) {
    // Something like `2026-02-30` deserves to be told why.
    Result<TimeWord> day = ParseTimeWord(text.substr(0, 10));
    if (!day && day.error().id() == "P0105") return std::move(day).error();
    return Fail(ErrorCode::kInvalid, "P0109", "`{} {}` is not an instant", flag, text)
        .Help(
            "write `2026-02-01`, `2026-02-01T10:30` in the table's zone, or "
            "`2026-02-01T10:30:00Z`");
  }
  const absl::CivilSecond civil = read->civil;
  if (civil.year() < 1900 || civil.year() > 2199) {
    return Fail(ErrorCode::kInvalid, "P0105", "`{} {}`: years run from 1900 to 2199", flag, text);
  }
  if (read->offset) {
    return absl::FromCivil(civil, absl::UTCTimeZone()) - *read->offset + read->fraction;
  }
  if (zone.StartOfDate(absl::CivilDay(civil)) == zone.StartOfDate(absl::CivilDay(civil) + 1)) {
    return Fail(ErrorCode::kInvalid, "P0105", "`{} {}` does not exist: {} skipped that date", flag,
                text, zone.name());
  }
  // A bare date is the start of the day, wherever that lies; only a clock can be ambiguous.
  const absl::TimeZone::TimeInfo info = zone.absl_zone().At(civil);
  if (text.size() > 10 && info.kind != absl::TimeZone::TimeInfo::UNIQUE) {
    const bool twice = info.kind == absl::TimeZone::TimeInfo::REPEATED;
    return Fail(ErrorCode::kInvalid, "P0105", "`{} {}` {} in {}", flag, text,
                twice ? "happens twice" : "does not exist", zone.name())
        .Help(fmt::format("write `{}` or `{}`",
                          WithOffset(zone, twice ? info.pre : info.trans - absl::Seconds(1)),
                          WithOffset(zone, twice ? info.post : info.trans)));
  }
  return zone.FirstAtOrAfter(civil) + read->fraction;
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
