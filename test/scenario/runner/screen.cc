#include "screen.h"

#include <algorithm>

#include "base/text.h"

namespace retrofill::scenario {
namespace {

size_t LengthOf(unsigned char first) {
  if (first < 0xc0) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

}  // namespace

void Screen::NewLine() {
  is_wrapped_ = false;
  if (++row_ == lines_.size()) lines_.emplace_back();
}

void Screen::Put(std::string_view character) {
  if (column_ == size_.columns) {
    NewLine();
    column_ = 0;
    is_wrapped_ = true;
  }
  std::vector<std::string>& line = lines_[row_];
  line.resize(std::max(line.size(), column_ + 1), " ");
  line[column_++] = std::string(character);
}

void Screen::Obey(char command, int count) {
  const size_t top = lines_.size() - std::min(lines_.size(), size_.rows);
  switch (command) {
    case 'm':
      break;
    case 'A':
      row_ -= std::min(row_ - top, static_cast<size_t>(std::max(1, count)));
      break;
    case 'K':
      has_torn_line_ = has_torn_line_ || is_wrapped_;
      lines_[row_].resize(std::min(lines_[row_].size(), column_));
      break;
    case 'J':
      lines_[row_].resize(std::min(lines_[row_].size(), column_));
      lines_.resize(row_ + 1);
      break;
    default:
      unknown_ = std::string("ESC[") + command;
  }
}

size_t Screen::TakeSequence(std::string_view bytes) {
  if (bytes.size() < 2) return 0;
  if (bytes[1] != '[') {
    unknown_ = "ESC and no [";
    return 1;
  }
  const size_t end = bytes.find_first_not_of("0123456789;", 2);
  if (end == std::string_view::npos) return 0;
  const std::string_view number = bytes.substr(2, end - 2);
  Obey(bytes[end], static_cast<int>(ParseInteger(number).value_or(0)));
  return end + 1;
}

void Screen::Feed(std::string_view bytes) {
  const std::string all = rest_ + std::string(bytes);
  std::string_view left = all;
  while (!left.empty()) {
    const char first = left.front();
    size_t taken = 1;
    if (first == '\x1b') {
      taken = TakeSequence(left);
      if (taken == 0) break;
    } else if (first == '\n') {
      NewLine();
    } else if (first == '\r') {
      column_ = 0;
    } else {
      taken = LengthOf(static_cast<unsigned char>(first));
      if (taken > left.size()) break;
      Put(left.substr(0, taken));
    }
    left.remove_prefix(taken);
  }
  rest_ = std::string(left);
}

std::string Screen::Text() const {
  std::string text;
  for (const std::vector<std::string>& line : lines_) {
    std::string row = Join(line, "");
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

}  // namespace retrofill::scenario
