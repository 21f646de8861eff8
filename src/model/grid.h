#pragma once

// Cuts time into slots (intervals document, 2 and 3). The only place that knows where a day, hour,
// week or month begins.

#include <absl/time/civil_time.h>
#include <absl/time/time.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/zone.h"
#include "model/cron.h"
#include "model/cut_table.h"
#include "model/interval.h"
#include "model/tick_table.h"

namespace retrofill {

// From the shortest on, but for cron, whose slots have any length.
enum class Grain { kMinutes, kCron, kDay, kWeek, kMonth, kQuarter, kYear };

// `monday` to `sunday`; anything else is kInvalid C0103.
Result<absl::Weekday> ParseWeekday(std::string_view name);

// Immutable; any thread; copies are cheap. Slots tile time; a slot is identified by its start. They
// go on outside of begin and end, which only the callers cut at.
class Grid {
 public:
  struct Spec {
    std::string by;  // "15m", "6h", "hour", "day", "week", "month", "quarter", "year", a cron line
    Zone zone = {};
    absl::Weekday week_start = absl::Weekday::monday;
    std::string begin = {};  // key text on the grid or empty
    std::string end = {};    // inclusive, or empty
  };
  // kInvalid C0103 for a grain that does not exist (`24h` names `day`), a begin or end off the
  // grid, or end before begin.
  static Result<Grid> Make(const Spec& spec);

  Grain grain() const { return grain_; }
  const std::string& by() const { return by_; }
  const Zone& zone() const { return zone_; }
  absl::Weekday week_start() const { return week_start_; }
  // Start of the first slot and end of the last one, where declared.
  std::optional<absl::Time> begin() const { return begin_; }
  std::optional<absl::Time> end() const { return end_; }

  // Whether the clock cuts, not the date: slots may start inside of a day.
  bool by_clock() const { return grain_ == Grain::kMinutes || grain_ == Grain::kCron; }
  // Whether key texts carry an offset: cut by the clock in a zone with clock changes.
  bool prints_offset() const { return prints_offset_; }
  // The length of a sub-day slot where no clock changes; zero for other grains.
  absl::Duration step() const { return absl::Minutes(minutes_); }
  // Whether both ends are starts of slots, and start < end.
  bool Aligned(const Interval& interval) const;
  // The slots that start in an interval, from the first to the end of the last; start = end if
  // there is none. On a cron grid this is what names and instants select.
  Interval StartingIn(const Interval& interval) const {
    return {Ceil(interval.start), Ceil(interval.end)};
  }

  // Instants outside of the years 1900..2199 are taken as the nearest one inside.
  Interval Containing(absl::Time t) const;
  absl::Time Floor(absl::Time t) const;  // start of the slot that contains t
  absl::Time Ceil(absl::Time t) const;   // t if it is a start, else the next start
  Interval Next(const Interval& slot) const;
  Interval Previous(const Interval& slot) const;
  int64_t Count(const Interval& aligned) const;           // slots in a grid-aligned interval
  Interval At(const Interval& aligned, int64_t k) const;  // k-th of them, from 0
  int64_t RankOf(const Interval& aligned, absl::Time t) const;

  // `2026-03-08`, `2026-03-08T05-0500`, `2026-W10`, `2026-03`, `2026-Q1`, `2026`; the tick of a
  // cron line, `2026-03-08T05:00` (intervals document, 3).
  std::string KeyText(const Interval& slot) const;
  // The civil reading at which the slot nominally starts: the wall clock where that cuts, else the
  // date.
  absl::CivilSecond NominalStart(const Interval& slot) const;

 private:
  Grid() = default;
  Status ReadGrain(const Spec& spec);
  Status BuildTables(const Spec& spec);
  Result<Interval> ReadBound(const std::string& text, std::string_view what) const;
  Status ReadBounds(const Spec& spec);
  int64_t OrdinalOf(absl::Time t) const;      // of the slot that contains t
  absl::Time StartOf(int64_t ordinal) const;  // of the slot with this number
  absl::CivilDay DateOfOrdinal(int64_t ordinal) const;
  Grain grain_ = Grain::kDay;
  std::string by_;
  int minutes_ = 0;  // kMinutes only
  Zone zone_;
  absl::Weekday week_start_ = absl::Weekday::monday;
  std::optional<absl::Time> begin_;
  std::optional<absl::Time> end_;
  bool prints_offset_ = false;
  std::optional<Cron> cron_;                                    // kCron only
  std::shared_ptr<const CutTable> cuts_;                        // kMinutes only
  std::shared_ptr<const TickTable> ticks_;                      // kCron only
  std::shared_ptr<const std::vector<absl::CivilDay>> skipped_;  // kDay only, where there are any
};

}  // namespace retrofill
