// How a set of partitions is said to people (product document, 4.2).

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "model/instant_text.h"
#include "model/selection.h"
#include "model/selection_time.h"

namespace retrofill {
namespace {

constexpr size_t kEchoPieces = 5;  // printed before the rest becomes a count
constexpr size_t kNamedCells = 3;
constexpr size_t kOddLengths = 3;

// `3 regions`, `2 232 days`, `1 country`: names of dimensions are made plural by rule.
std::string Count(int64_t n, const std::string& noun) {
  if (noun.ends_with('s')) return Plural(n, noun, noun);
  const bool to_ies =
      noun.size() > 1 && noun.ends_with('y') &&
      std::string_view("aeiou").find(noun[noun.size() - 2]) == std::string_view::npos;
  return Plural(n, noun, to_ies ? noun.substr(0, noun.size() - 1) + "ies" : noun + "s");
}

std::string SlotNoun(const Grid& grid) {
  switch (grid.grain()) {
    case Grain::kMinutes:
      return grid.by() == "hour" || grid.by() == "1h" ? "hour" : "slot of " + grid.by();
    case Grain::kCron:
      return fmt::format("slot of `{}`", grid.by());
    case Grain::kDay:
      return "day";
    case Grain::kWeek:
      return "week";
    case Grain::kMonth:
      return "month";
    case Grain::kQuarter:
      return "quarter";
    case Grain::kYear:
      return "year";
  }
  return "partition";
}

std::string CountSlots(const Grid& grid, int64_t n) {
  const std::string noun = SlotNoun(grid);
  if (noun.starts_with("slot of ")) {
    return fmt::format("{} of {}", Count(n, "slot"), noun.substr(8));
  }
  return Count(n, noun);
}

int64_t CellCount(const std::vector<CellRange>& cells) {
  int64_t count = 0;
  for (const CellRange& range : cells) count += range.end - range.first;
  return count;
}

std::string CellText(const PartitionSpace& space, uint32_t cell) {
  std::string out;
  for (const DimensionValue& value : space.CellValues(cell)) {
    if (!out.empty()) out.push_back('/');
    AppendValueText(out, value);
  }
  return out;
}

// `eu, us`, or nothing if there are too many to name.
std::string NamedCells(const PartitionSpace& space, const std::vector<CellRange>& cells,
                       std::string_view comma) {
  if (CellCount(cells) > static_cast<int64_t>(kNamedCells)) return "";
  std::string out;
  for (const CellRange& range : cells) {
    for (uint32_t cell = range.first; cell < range.end; ++cell) {
      if (!out.empty()) out += comma;
      out += CellText(space, cell);
    }
  }
  return out;
}

// `3 regions`, `2 regions (eu, us)`, `3 regions x 2 channels`, `5 of 6 cells`.
std::string CellFactor(const PartitionSpace& space, const std::vector<CellRange>& cells) {
  const std::vector<Dimension>& dimensions = space.dimensions();
  const int64_t count = CellCount(cells);
  if (count == space.cell_count()) {
    std::string out;
    for (const Dimension& dimension : dimensions) {
      if (!out.empty()) out += " x ";
      out += Count(static_cast<int64_t>(dimension.values.size()), dimension.name);
    }
    return out;
  }
  const std::string names = NamedCells(space, cells, ", ");
  const std::string factor = dimensions.size() == 1
                                 ? Count(count, dimensions[0].name)
                                 : fmt::format("{} of {} cells", count, space.cell_count());
  return names.empty() ? factor : fmt::format("{} ({})", factor, names);
}

using Piece = PartitionSet::Piece;

std::string PieceText(const Piece& piece, const PartitionSpace& space, std::string_view dots) {
  const std::vector<CellRange>& cells = piece.cells;
  const bool all_cells = CellCount(cells) == space.cell_count();
  if (!space.has_time()) {
    if (space.dimensions().empty()) return "all";
    const std::string names = all_cells ? "" : NamedCells(space, cells, ", ");
    return names.empty() ? CellFactor(space, cells) : names;
  }
  const std::string time = RunText(space.grid(), piece.interval, dots);
  if (all_cells) return time;
  const std::string names = NamedCells(space, cells, ",");
  if (names.empty()) return fmt::format("{} x {}", time, CellFactor(space, cells));
  const std::string group = CellCount(cells) == 1 ? names : fmt::format("{{{}}}", names);
  const bool one_slot = space.grid().Containing(piece.interval.start).end >= piece.interval.end;
  return fmt::format("{}{}{}", time, one_slot ? "/" : " x ", group);
}

std::string JoinPieces(const std::vector<Piece>& pieces, const PartitionSpace& space, size_t most,
                       std::string_view dots, std::string_view noun) {
  std::string out;
  for (size_t i = 0; i < std::min(most, pieces.size()); ++i) {
    if (i > 0) out += ", ";
    out += PieceText(pieces[i], space, dots);
  }
  if (pieces.size() > most) {
    out += fmt::format("{}... {} more{}", most == 0 ? "" : ", ", pieces.size() - most, noun);
  }
  return out;
}

// The length that a slot has where no clock changes.
absl::Duration UsualLength(const Grid& grid, const Interval& slot) {
  const absl::CivilSecond start = grid.NominalStart(slot);
  switch (grid.grain()) {
    case Grain::kMinutes:
      break;
    case Grain::kCron:
      return slot.end - slot.start;
    case Grain::kDay:
      return absl::Hours(24);
    case Grain::kWeek:
      return absl::Hours(24 * 7);
    case Grain::kMonth:
      return absl::Hours(24 *
                         (absl::CivilDay(absl::CivilMonth(start) + 1) - absl::CivilDay(start)));
    case Grain::kQuarter:
      return absl::Hours(24 *
                         (absl::CivilDay(absl::CivilMonth(start) + 3) - absl::CivilDay(start)));
    case Grain::kYear:
      return absl::Hours(24 * (absl::CivilDay(absl::CivilYear(start) + 1) - absl::CivilDay(start)));
  }
  return grid.step();
}

// Slots whose length a change of the clock altered: only those next to one can be.
std::vector<Interval> OddSlots(const Grid& grid, const std::vector<Interval>& runs) {
  std::vector<Interval> odd;
  for (const Interval& run : runs) {
    std::optional<ZoneChange> change = grid.zone().NextChange(run.start - absl::Seconds(1));
    for (; change && change->at <= run.end; change = grid.zone().NextChange(change->at)) {
      const Interval at = grid.Containing(change->at);
      for (const Interval& slot : {grid.Previous(at), at, grid.Next(at)}) {
        const bool inside = run.start <= slot.start && slot.end <= run.end;
        if (inside && slot.end - slot.start != UsualLength(grid, slot) &&
            (odd.empty() || odd.back().start < slot.start)) {
          odd.push_back(slot);
        }
      }
    }
  }
  return odd;
}

std::string OddText(const Grid& grid, const std::vector<Interval>& runs) {
  if (grid.zone().utc()) return "";
  std::string out = "; " + grid.zone().name();
  const std::vector<Interval> odd = OddSlots(grid, runs);
  for (size_t i = 0; i < std::min(odd.size(), kOddLengths); ++i) {
    const absl::Duration length = odd[i].end - odd[i].start;
    out += fmt::format(", {} has {}", grid.KeyText(odd[i]),
                       length < absl::Hours(1) ? fmt::format("{} min", absl::ToInt64Minutes(length))
                                               : fmt::format("{} h", HoursText(length)));
  }
  if (odd.size() > kOddLengths) out += fmt::format(" and {} more", odd.size() - kOddLengths);
  return out;
}

std::string IntervalLine(const PartitionSet& set, const PartitionSpace& space) {
  const Grid& grid = space.grid();
  std::vector<Interval> runs;
  for (const PartitionBlock& block : set.blocks()) {
    runs.insert(runs.end(), block.runs.begin(), block.runs.end());
  }
  runs = NormalizeRuns(std::move(runs));
  std::string out = "Interval  ";
  for (size_t i = 0; i < std::min(runs.size(), kEchoPieces); ++i) {
    out += fmt::format("{}[{}, {})", i == 0 ? "" : ", ", InstantText(runs[i].start),
                       InstantText(runs[i].end));
  }
  if (runs.size() > kEchoPieces) {
    out += fmt::format(", ... {} more up to {}", runs.size() - kEchoPieces,
                       InstantText(runs.back().end));
  }
  const Interval last = grid.Containing(runs.back().end - absl::Seconds(1));
  return fmt::format("{}   end not included; last partition {}{}", out, grid.KeyText(last),
                     OddText(grid, runs));
}

// `92 days x 3 regions = 276 partitions`; only the count where the factors differ by cell.
std::string SizeText(const PartitionSet& set, const PartitionSpace& space) {
  const std::string total = Count(set.Count(space), "partition");
  if (!space.has_time() && space.dimensions().empty()) return "whole table = " + total;
  if (set.blocks().size() > 1) return total;
  const PartitionBlock& block = set.blocks()[0];
  std::string factors;
  if (space.has_time()) {
    int64_t slots = 0;
    for (const Interval& run : block.runs) slots += space.SlotCount(run);
    factors = CountSlots(space.grid(), slots);
  }
  if (!space.dimensions().empty()) {
    if (!factors.empty()) factors += " x ";
    factors += CellFactor(space, block.cells);
  }
  return fmt::format("{} = {}", factors, total);
}

}  // namespace

std::vector<std::string> EchoLines(const PartitionSet& set, const PartitionSpace& space) {
  if (set.empty()) return {"Range     nothing   0 partitions"};
  std::string range;
  if (space.has_time() && set.blocks().size() == 1) {
    // The cells stand beside the count, so the pieces are times alone.
    const std::vector<Interval>& runs = set.blocks()[0].runs;
    for (size_t i = 0; i < std::min(runs.size(), kEchoPieces); ++i) {
      range += (i == 0 ? "" : ", ") + RunText(space.grid(), runs[i], " .. ");
    }
    if (runs.size() > kEchoPieces) {
      range += fmt::format(", ... {} more pieces", runs.size() - kEchoPieces);
    }
  } else {
    range = JoinPieces(set.Pieces(), space, kEchoPieces, " .. ", " pieces");
  }
  std::vector<std::string> lines = {fmt::format("Range     {}   {}", range, SizeText(set, space))};
  if (space.has_time()) lines.push_back(IntervalLine(set, space));
  return lines;
}

std::string SetText(const PartitionSet& set, const PartitionSpace& space, int max_pieces) {
  if (set.empty()) return "nothing";
  return JoinPieces(set.Pieces(), space, static_cast<size_t>(std::max(1, max_pieces)), "..", "");
}

}  // namespace retrofill
