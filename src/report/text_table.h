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
      : columns_(std::move(columns)), indent_(indent), gap_(gap), widths_(columns_.size(), 0) {}

  // One cell a column, each shown as OneLine; fewer are filled with empty ones.
  void Row(std::vector<std::string> cells);
  // Makes room for a row that comes later, so that those before it can be shown already.
  void Reserve(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  // Every line ends with a newline, none with a blank.
  std::string Text() const;
  // The text of the rows so far, which are gone then; the columns stay as wide as they are.
  std::string Take();

 private:
  std::string columns_;
  size_t indent_;
  size_t gap_;
  std::vector<size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace retrofill
