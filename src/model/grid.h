#pragma once

// Cuts time into slots (intervals document, 2 and 3). The only place that knows where a day, hour,
// week or month begins.

#include <absl/time/civil_time.h>
#include <absl/time/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/zone.h"
#include "model/interval.h"

namespace retrofill {

enum class Grain { kMinutes, kDay, kWeek, kMonth, kQuarter, kYear };

// Immutable; any thread. Slots tile time; a slot is identified by its start.
class Grid {
 public:
  struct Spec {
    std::string by;  // "15m", "6h", "hour", "day", "week", "month", "quarter", "year"
    Zone zone;
    absl::Weekday week_start = absl::Weekday::monday;
    std::string begin;  // key text on the grid or empty
    std::string end;    // inclusive, or empty
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

  Interval Containing(absl::Time t) const;
  absl::Time Floor(absl::Time t) const;  // start of the slot that contains t
  absl::Time Ceil(absl::Time t) const;   // t if it is a start, else the next start
  Interval Next(const Interval& slot) const;
  Interval Previous(const Interval& slot) const;
  int64_t Count(const Interval& aligned) const;           // slots in a grid-aligned interval
  Interval At(const Interval& aligned, int64_t k) const;  // k-th of them, from 0
  int64_t RankOf(const Interval& aligned, absl::Time t) const;

  // `2026-03-08`, `2026-03-08T05-0500`, `2026-W10`, `2026-03`, `2026-Q1`, `2026` (intervals
  // document, 3).
  std::string KeyText(const Interval& slot) const;
  // The civil reading at which the slot nominally starts: the date for a day or longer, the wall
  // clock for sub-day grains.
  absl::CivilSecond NominalStart(const Interval& slot) const;

 private:
  Grid() = default;
  Grain grain_ = Grain::kDay;
  std::string by_;
  int minutes_ = 0;  // kMinutes only
  Zone zone_;
  absl::Weekday week_start_ = absl::Weekday::monday;
  std::optional<absl::Time> begin_;
  std::optional<absl::Time> end_;
};

}  // namespace retrofill
