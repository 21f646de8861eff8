#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace retrofill {

// Columns of text that line up, counted in characters. The first row is the heading.
class TextTable {
 public:
  // `columns` is one letter a column: `l` left, `r` right; `indent` blanks start each line. A last
  // column that is left is not padded.
  explicit TextTable(std::string columns, size_t indent = 0, size_t gap = 3)
      : columns_(std::move(columns)), indent_(indent), gap_(gap) {}

  // One cell a column, each shown as OneLine; fewer are filled with empty ones.
  void Row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  // Every line ends with a newline, none with a blank.
  std::string Text() const;

 private:
  std::string columns_;
  size_t indent_;
  size_t gap_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace retrofill
