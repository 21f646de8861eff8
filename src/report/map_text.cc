#include "report/map_text.h"

#include <absl/time/civil_time.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "report/printable.h"

namespace retrofill {
namespace {

constexpr int kWideTerminal = 104;
constexpr int kMonthWidth = 31;
constexpr int kReservedRows = 7;  // head, blank, legend, blank, progress, failures

constexpr std::array kPhases = {
    PartitionPhase::kStaged,  PartitionPhase::kPublished, PartitionPhase::kRunning,
    PartitionPhase::kWaiting, PartitionPhase::kFailed,    PartitionPhase::kIndeterminate,
    PartitionPhase::kSkip,    PartitionPhase::kBlocked,   PartitionPhase::kUndone};

std::string_view ColorOf(PartitionPhase phase) {
  switch (phase) {
    case PartitionPhase::kWaiting:
      return kDim;
    case PartitionPhase::kRunning:
      return kBoldCyan;
    case PartitionPhase::kStaged:
      return kGreen;
    case PartitionPhase::kPublished:
      return kBoldGreen;
    case PartitionPhase::kSkip:
    case PartitionPhase::kBlocked:
      return kYellow;
    case PartitionPhase::kFailed:
      return kBoldRed;
    case PartitionPhase::kIndeterminate:
      return kBoldMagenta;
    case PartitionPhase::kUndone:
      return kBlue;
  }
  return "";
}

std::string Glyph(PartitionPhase phase, bool color) {
  const std::string letter(1, PhaseGlyph(phase));
  return color ? fmt::format("{}{}{}", ColorOf(phase), letter, kStyleEnd) : letter;
}

int64_t CountOf(const BackfillCounts& counts, PartitionPhase phase) {
  switch (phase) {
    case PartitionPhase::kWaiting:
      return counts.waiting;
    case PartitionPhase::kRunning:
      return counts.running;
    case PartitionPhase::kStaged:
      return counts.staged;
    case PartitionPhase::kPublished:
      return counts.published;
    case PartitionPhase::kSkip:
      return counts.skip;
    case PartitionPhase::kBlocked:
      return counts.blocked;
    case PartitionPhase::kFailed:
      return counts.failed;
    case PartitionPhase::kIndeterminate:
      return counts.indeterminate;
    case PartitionPhase::kUndone:
      return counts.undone;
  }
  return 0;
}

// A row of letters, one colour change a run of equal ones.
class LetterRow {
 public:
  LetterRow(std::string start, bool color) : text_(std::move(start)), color_(color) {}

  void Add(PartitionPhase phase) {
    if (color_ && last_ != phase) {
      Close();
      text_ += ColorOf(phase);
      last_ = phase;
    }
    text_ += PhaseGlyph(phase);
  }
  void Blank(size_t count) {
    Close();
    text_.append(count, ' ');
  }
  std::string Take() {
    Close();
    return std::move(text_);
  }

 private:
  void Close() {
    if (last_) text_ += kStyleEnd;
    last_.reset();
  }

  std::string text_;
  bool color_;
  std::optional<PartitionPhase> last_;
};

std::string LegendText(const BackfillState& state, bool color) {
  const BackfillCounts counts = state.Counts();
  std::string text;
  for (const PartitionPhase phase : kPhases) {
    const int64_t count = CountOf(counts, phase);
    if (count == 0) continue;
    if (!text.empty()) text += "   ";
    text += fmt::format("{} {} {}", Glyph(phase, color), PhaseText(phase), GroupDigits(count));
  }
  return text;
}

// A partition's month and day, as its names say.
absl::CivilDay DayOf(const BackfillState& state, const PartitionState& each) {
  const PartitionSpace& space = *state.plan->space;
  return absl::CivilDay(space.grid().NominalStart(each.partition.interval));
}

std::string CellName(const PartitionSpace& space, uint32_t cell) {
  std::vector<std::string> values;
  for (const DimensionValue& value : space.CellValues(cell)) {
    values.push_back(value.text.value_or("@null"));
  }
  return OneLine(Join(values, "/"));
}

// One letter a day: possible where the grid has days or longer and the row is wide enough.
struct DailyMap {
  std::vector<absl::CivilMonth> months;
  std::map<uint32_t, std::map<absl::CivilDay, PartitionPhase>> cells;
};

bool FitsDaily(const BackfillState& state, const MapView& view) {
  const PartitionSpace& space = *state.plan->space;
  return view.width >= kWideTerminal && space.has_time() && space.grid().grain() == Grain::kDay;
}

DailyMap ReadDaily(const BackfillState& state) {
  DailyMap map;
  for (const PartitionState& each : state.partitions) {
    const absl::CivilDay day = DayOf(state, each);
    const absl::CivilMonth month(day);
    if (map.months.empty() || map.months.back() != month) map.months.push_back(month);
    map.cells[each.partition.cell][day] = each.phase;
  }
  return map;
}

std::vector<std::string> DailyLines(const BackfillState& state, const MapView& view) {
  const DailyMap map = ReadDaily(state);
  size_t name_width = 4;
  for (const auto& [cell, days] : map.cells) {
    name_width = std::max(name_width, CellName(*state.plan->space, cell).size());
  }
  name_width = std::min<size_t>(name_width, 20);
  const size_t indent = name_width + 4;
  const size_t per_row =
      std::max<size_t>(1, (static_cast<size_t>(view.width) - indent) / (kMonthWidth + 1));
  std::vector<std::string> lines;
  // The rows around where the work is: the last ones that fit.
  for (size_t first = 0; first < map.months.size(); first += per_row) {
    const size_t end = std::min(map.months.size(), first + per_row);
    std::string head(indent, ' ');
    for (size_t i = first; i < end; ++i) {
      head += fmt::format("{:<{}}", absl::FormatCivilTime(map.months[i]), kMonthWidth + 1);
    }
    head.erase(head.find_last_not_of(' ') + 1);
    lines.push_back(head);
    for (const auto& [cell, days] : map.cells) {
      std::string name = CellName(*state.plan->space, cell);
      name.resize(std::min(name.size(), name_width));
      LetterRow line(fmt::format("  {:<{}}  ", name, name_width), view.color);
      for (size_t i = first; i < end; ++i) {
        for (absl::CivilDay day(map.months[i]); absl::CivilMonth(day) == map.months[i]; ++day) {
          const auto found = days.find(day);
          if (found == days.end()) {
            line.Blank(1);
          } else {
            line.Add(found->second);
          }
        }
        const int64_t length = absl::CivilDay(map.months[i] + 1) - absl::CivilDay(map.months[i]);
        line.Blank(static_cast<size_t>(kMonthWidth + 1 - length));
      }
      lines.push_back(line.Take());
    }
  }
  return lines;
}

std::vector<std::string> MonthLines(const BackfillState& state, const MapView& view) {
  std::map<std::string, std::map<PartitionPhase, int64_t>> months;
  for (const PartitionState& each : state.partitions) {
    const std::string month = state.plan->space->has_time()
                                  ? absl::FormatCivilTime(absl::CivilMonth(DayOf(state, each)))
                                  : std::string("all");
    ++months[month][each.phase];
  }
  std::vector<std::string> lines;
  for (const auto& [month, counts] : months) {
    std::string line = fmt::format("  {:<8}", month);
    for (const PartitionPhase phase : kPhases) {
      const auto found = counts.find(phase);
      if (found == counts.end()) continue;
      line += fmt::format("  {} {}", Glyph(phase, view.color), GroupDigits(found->second));
    }
    lines.push_back(line);
  }
  return lines;
}

std::string ProgressText(const BackfillState& state, const Progress& progress) {
  const BackfillCounts counts = state.Counts();
  const int64_t done = DoneCount(state);
  const int64_t percent = counts.to_compute == 0 ? 100 : done * 100 / counts.to_compute;
  std::string text = fmt::format("  {} %   {}/{} staged    {} elapsed", percent, GroupDigits(done),
                                 GroupDigits(counts.to_compute), DurationText(progress.elapsed));
  if (const std::optional<Eta> eta = EstimateEnd(state, progress)) {
    text += fmt::format("    ETA {} to {}Z",
                        absl::FormatTime("%H:%M:%S", eta->earliest, absl::UTCTimeZone()),
                        absl::FormatTime("%H:%M:%S", eta->latest, absl::UTCTimeZone()));
  }
  return text;
}

std::string LastFailure(const BackfillState& state) {
  for (const PartitionState& each : state.partitions) {
    if (each.phase != PartitionPhase::kFailed) continue;
    return OneLine(fmt::format("  x {}   attempts {}   {} {}",
                               state.plan->space->KeyText(each.partition), each.attempts,
                               each.failure_id, each.failure));
  }
  return "";
}

// Cuts at the width, counting letters and not the colour around them.
std::string CutTo(const std::string& line, int width) {
  std::string cut;
  int seen = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b') {
      const size_t end = std::min(line.find('m', i), line.size() - 1);
      cut += line.substr(i, end - i + 1);
      i = end;
      continue;
    }
    const bool continues_character = (static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U;
    if (!continues_character && seen++ >= width) break;
    cut += line[i];
  }
  return cut;
}

}  // namespace

std::vector<std::string> MapLines(const BackfillState& state, const MapView& view) {
  std::string phase(PhaseText(state.phase));
  std::transform(phase.begin(), phase.end(), phase.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  std::vector<std::string> lines = {fmt::format("{}  {}  {}{}", state.id, state.plan->table, phase,
                                                view.note.empty() ? "" : "  " + view.note)};
  std::vector<std::string> body =
      FitsDaily(state, view) ? DailyLines(state, view) : MonthLines(state, view);
  const auto room = static_cast<size_t>(std::max(1, view.height - kReservedRows));
  if (body.size() > room) body = MonthLines(state, view);
  if (body.size() > room) {
    const size_t left_out = body.size() - room + 1;
    body.erase(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(left_out));
    body.insert(body.begin(), fmt::format("  ... {} earlier months", left_out));
  }
  lines.insert(lines.end(), body.begin(), body.end());
  lines.push_back("  " + LegendText(state, view.color));
  lines.emplace_back();
  lines.push_back(ProgressText(state, view.progress));
  const std::string failure = LastFailure(state);
  if (!failure.empty()) lines.push_back(failure);
  for (std::string& line : lines) line = CutTo(line, view.width);
  return lines;
}

}  // namespace retrofill
