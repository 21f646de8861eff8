#include "report/text_table.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "report/printable.h"

namespace retrofill {

void TextTable::Row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell = OneLine(cell);
  rows_.push_back(std::move(cells));
}

std::string TextTable::Text() const {
  std::vector<size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], CharacterCount(row[i]));
    }
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line(indent_, ' ');
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - CharacterCount(row[i]), ' ');
      line += columns_[i] == 'r' ? pad + row[i] : row[i] + pad;
      line.append(gap_, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace retrofill
