#include "report/text_table.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "report/printable.h"

namespace retrofill {

void TextTable::Row(std::vector<std::string> cells) {
  Reserve(cells);
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell = OneLine(cell);
  rows_.push_back(std::move(cells));
}

void TextTable::Reserve(std::vector<std::string> cells) {
  for (size_t i = 0; i < cells.size() && i < widths_.size(); ++i) {
    widths_[i] = std::max(widths_[i], CharacterCount(OneLine(cells[i])));
  }
}

std::string TextTable::Take() {
  std::string text = Text();
  rows_.clear();
  return text;
}

std::string TextTable::Text() const {
  std::string text;
  for (const auto& row : rows_) {
    std::string line(indent_, ' ');
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths_[i] - CharacterCount(row[i]), ' ');
      line += columns_[i] == 'r' ? pad + row[i] : row[i] + pad;
      line.append(gap_, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace retrofill
