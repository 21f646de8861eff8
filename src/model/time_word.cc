#include "model/time_word.h"

#include <algorithm>

namespace retrofill {
namespace {

// Reads fixed-width numbers and marks off a text.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  bool Digits(int width, int& value) {
    if (rest_.size() < static_cast<size_t>(width)) return false;
    int read = 0;
    for (char c : rest_.substr(0, static_cast<size_t>(width))) {
      if (c < '0' || c > '9') return false;
      read = read * 10 + (c - '0');
    }
    value = read;
    rest_.remove_prefix(static_cast<size_t>(width));
    return true;
  }
  bool Mark(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// The numbers of a word of the right shape, whether or not a calendar has them.
struct Fields {
  TimeWord::Kind kind = TimeWord::Kind::kYear;
  int year = 0;
  int part = 1;  // quarter, month or week
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int length = 3600;  // seconds that a clock stands for
  std::optional<int> offset;
};

bool ReadOffset(Reader& reader, Fields& fields) {
  const int sign = reader.Mark('-') ? -1 : reader.Mark('+') ? 1 : 0;
  if (sign == 0) return false;
  int hours = 0;
  int minutes = 0;
  int seconds = 0;
  if (!reader.Digits(2, hours) || !reader.Digits(2, minutes)) return false;
  if (!reader.done() && !reader.Digits(2, seconds)) return false;
  fields.offset = sign * (hours * 3600 + minutes * 60 + seconds);
  return reader.done();
}

bool ReadClock(Reader& reader, Fields& fields) {
  fields.kind = TimeWord::Kind::kClock;
  if (!reader.Digits(2, fields.hour)) return false;
  if (reader.Mark(':')) {
    fields.length = 60;
    if (!reader.Digits(2, fields.minute)) return false;
    if (reader.Mark(':')) {
      fields.length = 1;
      if (!reader.Digits(2, fields.second)) return false;
    }
  }
  return reader.done() || ReadOffset(reader, fields);
}

bool ReadFields(std::string_view text, Fields& fields) {
  Reader reader(text);
  if (!reader.Digits(4, fields.year)) return false;
  if (reader.done()) return true;
  if (!reader.Mark('-')) return false;
  if (reader.Mark('Q')) {
    fields.kind = TimeWord::Kind::kQuarter;
    return reader.Digits(1, fields.part) && reader.done();
  }
  if (reader.Mark('W')) {
    fields.kind = TimeWord::Kind::kWeek;
    return reader.Digits(2, fields.part) && reader.done();
  }
  fields.kind = TimeWord::Kind::kMonth;
  if (!reader.Digits(2, fields.part)) return false;
  if (reader.done()) return true;
  fields.kind = TimeWord::Kind::kDay;
  if (!reader.Mark('-') || !reader.Digits(2, fields.day)) return false;
  if (reader.done()) return true;
  return reader.Mark('T') && ReadClock(reader, fields);
}

int DaysInMonth(int year, int month) {
  const absl::CivilMonth first(year, month);
  return static_cast<int>(absl::CivilDay(first + 1) - absl::CivilDay(first));
}

int IsoWeeks(int year) {
  // 28 December lies in the last ISO week of its year.
  const absl::CivilDay thursday =
      absl::PrevWeekday(absl::CivilDay(year, 12, 29), absl::Weekday::monday) + 3;
  return (absl::GetYearDay(thursday) - 1) / 7 + 1;
}

absl::CivilDay FirstOfIsoWeek(int year, int week) {
  // 4 January lies in week 1.
  return absl::PrevWeekday(absl::CivilDay(year, 1, 5), absl::Weekday::monday) + 7 * (week - 1);
}

Error NoSuchTime(std::string_view text, std::string why) {
  return Fail(ErrorCode::kInvalid, "P0105", "there is no `{}`: {}", text, why);
}

// Empty if a calendar has these numbers.
Status CheckFields(std::string_view text, const Fields& f) {
  if (f.year < 1900 || f.year > 2199) {
    return NoSuchTime(text, "years run from 1900 to 2199")
        .Help("name a time between 1900 and 2199");
  }
  if (f.kind == TimeWord::Kind::kYear) return Ok();
  if (f.kind == TimeWord::Kind::kQuarter) {
    if (f.part >= 1 && f.part <= 4) return Ok();
    return NoSuchTime(text, "a year has 4 quarters")
        .Help(fmt::format("the last one is `{}-Q4`", f.year));
  }
  if (f.kind == TimeWord::Kind::kWeek) {
    const int last = IsoWeeks(f.year);
    if (f.part >= 1 && f.part <= last) return Ok();
    return NoSuchTime(text, fmt::format("{} has {} weeks", f.year, last))
        .Help(fmt::format("the weeks around it are `{0}-W{1:02}` and `{2}-W01`", f.year, last,
                          f.year + 1));
  }
  if (f.part < 1 || f.part > 12) {
    return NoSuchTime(text, "a year has 12 months")
        .Help(fmt::format("the last one is `{}-12`", f.year));
  }
  if (f.kind == TimeWord::Kind::kMonth) return Ok();
  const int days = DaysInMonth(f.year, f.part);
  if (f.day < 1 || f.day > days) {
    const absl::CivilDay next(absl::CivilMonth(f.year, f.part) + 1);
    std::string after;
    AppendDate(after, next);
    return NoSuchTime(text, fmt::format("{}-{:02} has {} days", f.year, f.part, days))
        .Help(fmt::format("the days around it are `{}-{:02}-{:02}` and `{}`", f.year, f.part, days,
                          after));
  }
  if (f.hour > 23 || f.minute > 59 || f.second > 59) {
    return NoSuchTime(text, "a clock runs from 00:00 to 23:59")
        .Help("midnight at the end of a day is `T00` of the next day");
  }
  return Ok();
}

std::string ClockName(const Zone& zone, absl::Time t) {
  std::string out;
  AppendClock(out, zone.CivilAt(t));
  AppendOffset(out, zone.OffsetAt(t));
  return out;
}

// The names before and after an instant where the wall clock jumps.
Error ClockNotThere(const TimeWord& word, const Grid& grid, absl::Time at) {
  std::string before;
  std::string after;
  if (grid.by_clock()) {
    const Interval slot = grid.Containing(at);
    before = grid.KeyText(grid.Previous(slot));
    after = grid.KeyText(slot);
  } else {
    before = ClockName(grid.zone(), at - absl::Hours(1));
    after = ClockName(grid.zone(), at);
  }
  return NoSuchTime(word.text, fmt::format("it does not exist in {}", grid.zone().name()))
      .Help(fmt::format("the names around it are `{}` and `{}`", before, after));
}

Result<absl::Time> ClockInstant(const TimeWord& word, const Grid& grid) {
  const Zone& zone = grid.zone();
  const bool offsets = grid.by_clock() ? grid.prints_offset() : zone.HasClockChanges();
  if (word.offset && !offsets) {
    const size_t mark = word.text.find_last_of("+-");
    return Fail(ErrorCode::kInvalid, "P0109", "`{}` carries an offset, but {} has no clock changes",
                word.text, zone.name())
        .Help(fmt::format("write `{}`", word.text.substr(0, mark)));
  }
  if (word.offset) {
    const absl::Time t =
        absl::FromCivil(word.first, absl::UTCTimeZone()) - absl::Seconds(*word.offset);
    if (zone.OffsetAt(t) != absl::Seconds(*word.offset)) return ClockNotThere(word, grid, t);
    return t;
  }
  if (!offsets) return zone.FirstAtOrAfter(word.first);
  const absl::TimeZone::TimeInfo info = zone.absl_zone().At(word.first);
  switch (info.kind) {
    case absl::TimeZone::TimeInfo::SKIPPED:
      return ClockNotThere(word, grid, info.trans);
    case absl::TimeZone::TimeInfo::REPEATED:
      return Fail(ErrorCode::kInvalid, "P0105", "`{}` happens twice in {}", word.text, zone.name())
          .Help(fmt::format("write `{}` or `{}`", ClockName(zone, info.pre),
                            ClockName(zone, info.post)));
    case absl::TimeZone::TimeInfo::UNIQUE:
      break;
  }
  return Fail(ErrorCode::kInvalid, "P0105", "`{}` has no offset, and {} changes its clocks",
              word.text, zone.name())
      .Help(fmt::format("write `{}`", ClockName(zone, info.pre)));
}

}  // namespace

bool IsTimeShape(std::string_view text) {
  Fields fields;
  return ReadFields(text, fields);
}

Result<TimeWord> ParseTimeWord(std::string_view text) {
  Fields f;
  if (!ReadFields(text, f)) {
    return Fail(ErrorCode::kInvalid, "P0109", "`{}` is not a time", text)
        .Help(
            "times are `2026`, `2026-Q1`, `2026-03`, `2026-W10`, `2026-03-08` and "
            "`2026-03-08T05:15`");
  }
  RF_TRY(CheckFields(text, f));
  TimeWord word{.kind = f.kind, .text = std::string(text), .first = {}, .end = {}, .offset = {}};
  switch (f.kind) {
    case TimeWord::Kind::kYear:
      word.first = absl::CivilSecond(f.year);
      word.end = absl::CivilSecond(f.year + 1);
      break;
    case TimeWord::Kind::kQuarter: {
      const absl::CivilMonth first(f.year, f.part * 3 - 2);
      word.first = absl::CivilSecond(first);
      word.end = absl::CivilSecond(first + 3);
      break;
    }
    case TimeWord::Kind::kMonth: {
      const absl::CivilMonth first(f.year, f.part);
      word.first = absl::CivilSecond(first);
      word.end = absl::CivilSecond(first + 1);
      break;
    }
    case TimeWord::Kind::kWeek: {
      const absl::CivilDay first = FirstOfIsoWeek(f.year, f.part);
      word.first = absl::CivilSecond(first);
      word.end = absl::CivilSecond(first + 7);
      break;
    }
    case TimeWord::Kind::kDay: {
      const absl::CivilDay first(f.year, f.part, f.day);
      word.first = absl::CivilSecond(first);
      word.end = absl::CivilSecond(first + 1);
      break;
    }
    case TimeWord::Kind::kClock:
      word.first = absl::CivilSecond(f.year, f.part, f.day, f.hour, f.minute, f.second);
      word.end = word.first + f.length;
      word.offset = f.offset;
      break;
  }
  return word;
}

Result<Interval> TimeWordInterval(const TimeWord& word, const Grid& grid) {
  if (word.kind == TimeWord::Kind::kClock) {
    RF_ASSIGN(const absl::Time t, ClockInstant(word, grid));
    const Interval slot = grid.Containing(t);
    if (grid.by_clock() && slot.start == t) return slot;
    const Interval named{t, t + absl::Seconds(word.end - word.first)};
    if (grid.grain() != Grain::kCron || slot.end < named.end) return named;
    return NoSuchTime(word.text, fmt::format("`{}` does not tick then", grid.by()))
        .Help(fmt::format("the partitions around it are `{}` and `{}`", grid.KeyText(slot),
                          grid.KeyText(grid.Next(slot))));
  }
  const Interval interval{grid.zone().FirstAtOrAfter(word.first),
                          grid.zone().FirstAtOrAfter(word.end)};
  if (interval.start == interval.end) {
    std::string before;
    std::string after;
    AppendDate(before, DateOf(grid.zone(), interval.start - absl::Seconds(1)));
    AppendDate(after, DateOf(grid.zone(), interval.start));
    return NoSuchTime(word.text, fmt::format("{} skipped that date", grid.zone().name()))
        .Help(fmt::format("the days around it are `{}` and `{}`", before, after));
  }
  if (word.kind == TimeWord::Kind::kDay && grid.grain() == Grain::kWeek &&
      grid.week_start() != absl::Weekday::monday && grid.Floor(interval.start) == interval.start) {
    return grid.Containing(interval.start);
  }
  return interval;
}

void AppendDate(std::string& out, absl::CivilDay day) {
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}", day.year(), day.month(), day.day());
}

void AppendClock(std::string& out, absl::CivilSecond reading) {
  AppendDate(out, absl::CivilDay(reading));
  fmt::format_to(std::back_inserter(out), "T{:02}", reading.hour());
  if (reading.minute() != 0 || reading.second() != 0) {
    fmt::format_to(std::back_inserter(out), ":{:02}", reading.minute());
  }
  if (reading.second() != 0) fmt::format_to(std::back_inserter(out), ":{:02}", reading.second());
}

void AppendOffset(std::string& out, absl::Duration offset) {
  const int64_t total = absl::ToInt64Seconds(offset);
  const int64_t seconds = total < 0 ? -total : total;
  fmt::format_to(std::back_inserter(out), "{}{:02}{:02}", total < 0 ? '-' : '+', seconds / 3600,
                 seconds / 60 % 60);
  if (seconds % 60 != 0) fmt::format_to(std::back_inserter(out), "{:02}", seconds % 60);
}

}  // namespace retrofill
