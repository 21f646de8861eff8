#include "model/selection_time.h"

#include <charconv>
#include <cmath>

#include "model/calendar.h"
#include "model/instant_text.h"
#include "model/time_word.h"

namespace retrofill {
namespace {

// A number with at most two decimals.
std::string ShortNumber(double value) {
  std::string out = fmt::format("{:.2f}", value);
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  return out;
}

// `7d`, `3mo`, without the year and day words.
std::optional<Span> ReadRelative(std::string_view text) {
  int64_t count = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (failure != std::errc() || count < 0 || count > 1'000'000) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  if (unit == "h") return Span{count, Span::Unit::kHour};
  if (unit == "d") return Span{count, Span::Unit::kDay};
  if (unit == "w") return Span{count, Span::Unit::kWeek};
  if (unit == "mo") return Span{count, Span::Unit::kMonth};
  if (unit == "y") return Span{count, Span::Unit::kYear};
  return std::nullopt;
}

Interval WholeDate(const Grid& grid, absl::CivilDay day) {
  return {grid.zone().StartOfDate(day), grid.zone().StartOfDate(day + 1)};
}

// How much of a slot an interval covers.
absl::Duration Covered(const Interval& slot, const Interval& interval) {
  return std::min(slot.end, interval.end) - std::max(slot.start, interval.start);
}

std::string CutText(const Grid& grid, const Interval& slot, const Interval& interval) {
  return fmt::format("`{}` is cut: {} covered", grid.KeyText(slot),
                     ShareText(Covered(slot, interval), slot.end - slot.start));
}

std::string MissingText(const Interval& slot, const Interval& interval) {
  std::string out;
  const auto add = [&](absl::Time start, absl::Time end) {
    if (start >= end) return;
    out += fmt::format("{}{} h from {} to {}", out.empty() ? "the missing part: " : ", ",
                       HoursText(end - start), InstantText(start), InstantText(end));
  };
  add(slot.start, std::min(slot.end, interval.start));
  add(std::max(slot.start, interval.end), slot.end);
  return out;
}

std::string TakesText(const Grid& grid, std::string_view align, const Interval& run) {
  if (run.start >= run.end) return fmt::format("`--align {}` leaves nothing", align);
  const int64_t count = grid.Count(run);
  return fmt::format("`--align {}` takes `{}`{}", align, RunText(grid, run),
                     count == 1 ? "" : fmt::format(" ({})", count));
}

Error CutError(const Grid& grid, const Interval& interval, bool instants, const Interval& inside,
               const Interval& outside) {
  const Interval first = grid.Containing(interval.start);
  const Interval last = grid.Containing(interval.end);
  const bool cuts_first = first.start != interval.start;
  const bool cuts_last = last.start != interval.end;
  const Interval& slot = cuts_first ? first : last;
  Error error = Fail(ErrorCode::kInvalid, "P0104", "{}", CutText(grid, slot, interval))
                    .Note(MissingText(slot, interval));
  if (cuts_first && cuts_last && last != first) {
    error = Error(std::move(error).Note(CutText(grid, last, interval)));
    error = Error(std::move(error).Note(MissingText(last, interval)));
  }
  error = Error(std::move(error).Help(TakesText(grid, "in", inside)));
  error = Error(std::move(error).Help(TakesText(grid, "out", outside)));
  if (instants) {
    error = Error(std::move(error).Help(fmt::format(
        "whole partitions: `--start {} --end {}`; the end is not included",
        LocalInstantText(outside.start, grid.zone()), LocalInstantText(outside.end, grid.zone()))));
  }
  return error;
}

// A cron line ticks where no date or hour begins, so what is asked for are the ticks inside.
Result<AlignedInterval> TicksIn(const Grid& grid, const Interval& interval) {
  const Interval ticks = grid.StartingIn(interval);
  if (ticks.start < ticks.end) return AlignedInterval{ticks, {}, {}};
  const Interval before = grid.Containing(interval.start);
  return Fail(ErrorCode::kInvalid, "P0102", "the selection is empty: `{}` does not tick in it",
              grid.by())
      .Note(fmt::format("asked for were the partitions that start from {} to {}, the end excluded",
                        LocalInstantText(interval.start, grid.zone()),
                        LocalInstantText(interval.end, grid.zone())))
      .Help(fmt::format("the partitions around it are `{}` and `{}`", grid.KeyText(before),
                        grid.KeyText(grid.Next(before))));
}

}  // namespace

std::string HoursText(absl::Duration length) { return ShortNumber(absl::ToDoubleHours(length)); }

std::string ShareText(absl::Duration part, absl::Duration whole) {
  if (whole >= absl::Hours(1) && part >= absl::Minutes(1)) {
    return fmt::format("{} of {} h", HoursText(part), HoursText(whole));
  }
  if (part >= absl::Seconds(1)) {
    return fmt::format("{} of {} min", ShortNumber(absl::ToDoubleMinutes(part)),
                       ShortNumber(absl::ToDoubleMinutes(whole)));
  }
  return fmt::format("less than a second of {} h", HoursText(whole));
}

std::string RunText(const Grid& grid, const Interval& run, std::string_view dots) {
  const Interval first = grid.Containing(run.start);
  const std::string key = grid.KeyText(first);
  if (first.end >= run.end) return key;
  const Interval last = grid.Containing(run.end - absl::Seconds(1));
  return fmt::format("{}{}{}", key, dots, grid.KeyText(last));
}

Result<Interval> ReadTimeWord(std::string_view text, const Grid& grid, absl::Time as_of) {
  if (text == "today") return WholeDate(grid, DateOf(grid.zone(), as_of));
  if (text == "yesterday") {
    const absl::Time midnight = grid.zone().StartOfDate(DateOf(grid.zone(), as_of));
    return WholeDate(grid, DateOf(grid.zone(), midnight - absl::Seconds(1)));
  }
  if (const std::optional<Span> back = ReadRelative(text)) {
    return grid.Containing(AddCivil(grid.zone(), as_of, *back, Direction::kBack));
  }
  RF_ASSIGN(const TimeWord word, ParseTimeWord(text));
  return TimeWordInterval(word, grid);
}

Result<AlignedInterval> AlignTo(const Grid& grid, const Interval& interval, Align align,
                                bool instants) {
  if (grid.Aligned(interval)) return AlignedInterval{interval, {}, {}};
  if (grid.grain() == Grain::kCron) return TicksIn(grid, interval);
  const Interval inside{grid.Ceil(interval.start), grid.Floor(interval.end)};
  const Interval outside{grid.Floor(interval.start), grid.Ceil(interval.end)};
  switch (align) {
    case Align::kNone:
      return CutError(grid, interval, instants, inside, outside);
    case Align::kOut:
      return AlignedInterval{outside, {}, {}};
    case Align::kIn:
      break;
  }
  if (inside.start >= inside.end) {
    return Fail(ErrorCode::kInvalid, "P0102",
                "the selection is empty: no whole partition lies inside of what was asked")
        .Note(CutText(grid, grid.Containing(interval.start), interval))
        .Help(TakesText(grid, "out", outside));
  }
  AlignedInterval aligned{inside, {}, {}};
  if (inside.start != interval.start) aligned.cut_first = grid.Containing(interval.start);
  if (inside.end != interval.end) aligned.cut_last = grid.Containing(interval.end);
  return aligned;
}

Status CheckInside(const Grid& grid, const Interval& interval, std::string_view text) {
  const bool before = grid.begin() && interval.start < *grid.begin();
  const bool after = grid.end() && interval.end > *grid.end();
  if (!before && !after) return Ok();
  const Interval inside{std::max(interval.start, grid.begin().value_or(interval.start)),
                        std::min(interval.end, grid.end().value_or(interval.end))};
  Error error =
      before ? Fail(ErrorCode::kInvalid, "P0106", "`{}` starts before the table, which begins {}",
                    text, grid.KeyText(grid.Containing(*grid.begin())))
             : Fail(ErrorCode::kInvalid, "P0106",
                    "`{}` ends after the table, whose last partition is {}", text,
                    grid.KeyText(grid.Containing(*grid.end() - absl::Seconds(1))));
  if (inside.start >= inside.end) return std::move(error).Note("no part of it lies inside");
  return std::move(error).Help(fmt::format("the part inside is `{}`", RunText(grid, inside)));
}

}  // namespace retrofill
