#include "model/grid.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/check.h"
#include "model/time_word.h"

namespace retrofill {
namespace {

constexpr absl::CivilDay kEpoch(1970, 1, 1);

int64_t FloorDiv(int64_t a, int64_t b) {
  return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

// Days from 1970-01-01 to the first week start on or after it: 0 for Thursday, 4 for Monday.
int64_t WeekShift(absl::Weekday start) { return absl::NextWeekday(kEpoch - 1, start) - kEpoch; }

// The minutes of `15m`, `6h` and `hour`; 0 for anything else.
int ReadMinutes(std::string_view by) {
  if (by == "hour") return 60;
  int n = 0;
  const auto [end, failure] = std::from_chars(by.data(), by.data() + by.size(), n);
  const std::string_view unit(end, static_cast<size_t>(by.data() + by.size() - end));
  if (failure != std::errc() || n < 1 || n > 100'000 || by.front() == '0') return 0;
  if (unit == "m") return n;
  return unit == "h" ? n * 60 : 0;
}

Error NoSuchGrain(std::string_view by) {
  return Fail(ErrorCode::kInvalid, "C0103", "`{}` is not a grain to partition by", by)
      .Help(
          "use `hour`, `day`, `week`, `month`, `quarter` or `year`, or a length that divides a "
          "day, such as `15m` or `6h`");
}

absl::Time Supported(absl::Time t) {
  return std::clamp(t, FirstSupportedInstant(), LastSupportedInstant());
}

}  // namespace

Status Grid::ReadGrain(const Spec& spec) {
  by_ = spec.by;
  if (by_ == "day") {
    grain_ = Grain::kDay;
  } else if (by_ == "week") {
    grain_ = Grain::kWeek;
  } else if (by_ == "month") {
    grain_ = Grain::kMonth;
  } else if (by_ == "quarter") {
    grain_ = Grain::kQuarter;
  } else if (by_ == "year") {
    grain_ = Grain::kYear;
  } else if (by_.find_first_of(" \t") != std::string::npos) {
    grain_ = Grain::kCron;
    RF_ASSIGN(cron_, Cron::Parse(by_));
    by_ = cron_->text();
  } else {
    grain_ = Grain::kMinutes;
    minutes_ = ReadMinutes(by_);
    if (minutes_ == 1440) {
      return Fail(ErrorCode::kInvalid, "C0103", "`{}` is not a grain: days have 23 to 25 hours",
                  by_)
          .Help("write `day`");
    }
    if (minutes_ == 0 || minutes_ > 1440 || 1440 % minutes_ != 0) return NoSuchGrain(by_);
  }
  return Ok();
}

Result<Interval> Grid::ReadBound(const std::string& text, std::string_view what) const {
  RF_ASSIGN(const TimeWord word, ParseTimeWord(text));
  RF_ASSIGN(Interval interval, TimeWordInterval(word, *this));
  if (grain_ == Grain::kCron) interval = StartingIn(interval);
  if (Aligned(interval)) return interval;
  return Fail(ErrorCode::kInvalid, "C0103", "`{}: {}` is not a partition by {}", what, text, by_)
      .Help(
          fmt::format("name a whole partition, such as `{}`", KeyText(Containing(interval.start))));
}

Status Grid::ReadBounds(const Spec& spec) {
  // A bound is part of the configuration, so whatever is wrong with it is C0103.
  const auto as_setting = [](Error error) {
    Error out(ErrorCode::kInvalid, "C0103", error.message());
    for (const std::string& note : error.diagnostic().notes) out = Error(std::move(out).Note(note));
    for (const std::string& help : error.diagnostic().helps) out = Error(std::move(out).Help(help));
    return out;
  };
  if (!spec.begin.empty()) {
    Result<Interval> first = ReadBound(spec.begin, "begin");
    if (!first) return as_setting(std::move(first).error());
    begin_ = first->start;
  }
  if (!spec.end.empty()) {
    Result<Interval> last = ReadBound(spec.end, "end");
    if (!last) return as_setting(std::move(last).error());
    end_ = last->end;
  }
  if (begin_ && end_ && *end_ <= *begin_) {
    return Fail(ErrorCode::kInvalid, "C0103", "`end: {}` lies before `begin: {}`", spec.end,
                spec.begin)
        .Help("`end` names the last partition and is included");
  }
  return Ok();
}

Result<absl::Weekday> ParseWeekday(std::string_view name) {
  constexpr absl::Weekday kDays[] = {absl::Weekday::monday,    absl::Weekday::tuesday,
                                     absl::Weekday::wednesday, absl::Weekday::thursday,
                                     absl::Weekday::friday,    absl::Weekday::saturday,
                                     absl::Weekday::sunday};
  constexpr std::string_view kNames[] = {"monday", "tuesday",  "wednesday", "thursday",
                                         "friday", "saturday", "sunday"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (kNames[i] == name) return kDays[i];
  }
  return Fail(ErrorCode::kInvalid, "C0103", "`{}` is not a day of the week", name)
      .Help("write `monday`, `tuesday`, `wednesday`, `thursday`, `friday`, `saturday` or `sunday`");
}

Status Grid::BuildTables(const Spec& spec) {
  RF_TRY(ReadGrain(spec));
  prints_offset_ = by_clock() && zone_.HasClockChanges();
  if (grain_ == Grain::kMinutes) {
    cuts_ = std::make_shared<const CutTable>(zone_, minutes_);
  } else if (grain_ == Grain::kCron) {
    ticks_ = std::make_shared<const TickTable>(zone_, *cron_);
  } else if (grain_ == Grain::kDay) {
    std::vector<absl::CivilDay> skipped = SkippedDates(zone_);
    if (!skipped.empty()) {
      skipped_ = std::make_shared<const std::vector<absl::CivilDay>>(std::move(skipped));
    }
  }
  return Ok();
}

Result<Grid> Grid::Make(const Spec& spec) {
  Grid grid;
  grid.zone_ = spec.zone;
  grid.week_start_ = spec.week_start;
  RF_TRY(grid.BuildTables(spec));
  RF_TRY(grid.ReadBounds(spec));
  if (grid.begin_ && *grid.begin_ < absl::UnixEpoch() && grid.by_clock()) {
    grid.prints_offset_ = spec.zone.HasClockChanges(*grid.begin_);
  }
  return grid;
}

int64_t Grid::OrdinalOf(absl::Time at) const {
  const absl::Time t = Supported(at);
  if (grain_ == Grain::kMinutes) return cuts_->OrdinalOf(absl::ToUnixSeconds(t));
  if (grain_ == Grain::kCron) return ticks_->OrdinalOf(absl::ToUnixSeconds(t));
  const absl::CivilDay day = DateOf(zone_, t);
  switch (grain_) {
    case Grain::kDay: {
      if (!skipped_) return day - kEpoch;
      const auto before = std::lower_bound(skipped_->begin(), skipped_->end(), day);
      return day - kEpoch - (before - skipped_->begin());
    }
    case Grain::kWeek:
      return FloorDiv(day - kEpoch - WeekShift(week_start_), 7);
    case Grain::kMonth:
      return day.year() * 12 + day.month() - 1;
    case Grain::kQuarter:
      return day.year() * 4 + (day.month() - 1) / 3;
    case Grain::kYear:
      return day.year();
    case Grain::kMinutes:
    case Grain::kCron:
      break;
  }
  return 0;
}

absl::CivilDay Grid::DateOfOrdinal(int64_t ordinal) const {
  switch (grain_) {
    case Grain::kDay: {
      absl::CivilDay day = kEpoch + ordinal;
      if (!skipped_) return day;
      for (const absl::CivilDay& skipped : *skipped_) {
        if (skipped > day) break;
        ++day;
      }
      return day;
    }
    case Grain::kWeek:
      return kEpoch + (ordinal * 7 + WeekShift(week_start_));
    case Grain::kMonth:
      return absl::CivilDay(absl::CivilMonth(FloorDiv(ordinal, 12), 1) + ordinal % 12);
    case Grain::kQuarter:
      return absl::CivilDay(absl::CivilMonth(FloorDiv(ordinal, 4), 1) + ordinal % 4 * 3);
    case Grain::kYear:
    case Grain::kMinutes:
    case Grain::kCron:
      break;
  }
  return absl::CivilDay(ordinal, 1, 1);
}

absl::Time Grid::StartOf(int64_t ordinal) const {
  if (grain_ == Grain::kMinutes) return absl::FromUnixSeconds(cuts_->StartOf(ordinal));
  if (grain_ == Grain::kCron) return absl::FromUnixSeconds(ticks_->StartOf(ordinal));
  return zone_.StartOfDate(DateOfOrdinal(ordinal));
}

Interval Grid::Containing(absl::Time t) const {
  const int64_t ordinal = OrdinalOf(t);
  return {StartOf(ordinal), StartOf(ordinal + 1)};
}

absl::Time Grid::Floor(absl::Time t) const { return StartOf(OrdinalOf(t)); }

absl::Time Grid::Ceil(absl::Time t) const {
  const int64_t ordinal = OrdinalOf(t);
  const absl::Time start = StartOf(ordinal);
  return start >= t ? start : StartOf(ordinal + 1);
}

bool Grid::Aligned(const Interval& interval) const {
  return interval.start < interval.end && Floor(interval.start) == interval.start &&
         Floor(interval.end) == interval.end;
}

Interval Grid::Next(const Interval& slot) const {
  return {slot.end, StartOf(OrdinalOf(slot.end) + 1)};
}

Interval Grid::Previous(const Interval& slot) const {
  return {StartOf(OrdinalOf(slot.start) - 1), slot.start};
}

int64_t Grid::Count(const Interval& aligned) const {
  return OrdinalOf(aligned.end) - OrdinalOf(aligned.start);
}

Interval Grid::At(const Interval& aligned, int64_t k) const {
  const int64_t ordinal = OrdinalOf(aligned.start) + k;
  return {StartOf(ordinal), StartOf(ordinal + 1)};
}

int64_t Grid::RankOf(const Interval& aligned, absl::Time t) const {
  return OrdinalOf(t) - OrdinalOf(aligned.start);
}

absl::CivilSecond Grid::NominalStart(const Interval& slot) const {
  if (by_clock()) return zone_.CivilAt(slot.start);
  return absl::CivilSecond(DateOf(zone_, slot.start));
}

std::string Grid::KeyText(const Interval& slot) const {
  std::string out;
  if (by_clock()) {
    const absl::CivilSecond reading = zone_.CivilAt(slot.start);
    AppendClock(out, reading);
    if (grain_ == Grain::kCron && reading.minute() == 0 && reading.second() == 0) out += ":00";
    if (prints_offset_) AppendOffset(out, zone_.OffsetAt(slot.start));
    return out;
  }
  const absl::CivilDay day = DateOf(zone_, slot.start);
  switch (grain_) {
    case Grain::kDay:
      AppendDate(out, day);
      break;
    case Grain::kWeek:
      if (week_start_ == absl::Weekday::monday) {
        // The ISO year of a week is that of its Thursday.
        const absl::CivilDay thursday = day + 3;
        return fmt::format("{:04}-W{:02}", thursday.year(),
                           (absl::GetYearDay(thursday) - 1) / 7 + 1);
      }
      AppendDate(out, day);
      break;
    case Grain::kMonth:
      return fmt::format("{:04}-{:02}", day.year(), day.month());
    case Grain::kQuarter:
      return fmt::format("{:04}-Q{}", day.year(), (day.month() - 1) / 3 + 1);
    case Grain::kYear:
      return fmt::format("{:04}", day.year());
    case Grain::kMinutes:
    case Grain::kCron:
      break;
  }
  return out;
}

}  // namespace retrofill
