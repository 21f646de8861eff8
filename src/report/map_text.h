#pragma once

#include <string>
#include <vector>

#include "model/backfill.h"
#include "report/run_lines.h"

namespace retrofill {

struct MapView {
  int width = 104;  // columns of the terminal
  int height = 24;  // rows; cells that do not fit are counted in one line
  bool color = false;
  std::string note{};  // what runs now: "proving", "canary"; behind the state
  Progress progress{};
};

// The map of a running backfill, one text a line, no newlines: head, months across and cells down
// with one letter a partition (`. > # @ = ! x ? u`), the legend, the progress with the range of the
// end, and what failed last. Below 104 columns, or where a month has more partitions than days, one
// line a month with counts. No line is wider than the terminal.
std::vector<std::string> MapLines(const BackfillState& state, const MapView& view);

}  // namespace retrofill
