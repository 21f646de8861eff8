#pragma once

// What a person sees of a terminal's output: as much of one as the program uses.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace retrofill::scenario {

struct ScreenSize {
  size_t columns = 80;
  size_t rows = 24;
};

// Printed characters, newline, return, and the escape sequences cursor up, erase to the end of line
// and of screen, and styles. A character is one column wide.
class Screen {
 public:
  explicit Screen(ScreenSize size) : size_(size), lines_(1) {}

  void Feed(std::string_view bytes);

  // Everything that stands on the screen or was scrolled out of it, without styles.
  std::string Text() const;
  // A drawn line, which ends with an erasure, was wider than the terminal and went on below itself.
  bool has_torn_line() const { return has_torn_line_; }
  // What it does not know, such as a sequence that the program is not to send; empty if nothing.
  const std::string& unknown() const { return unknown_; }

 private:
  void Put(std::string_view character);
  void NewLine();
  // Takes a sequence that starts the bytes; 0 if its end is not there yet.
  size_t TakeSequence(std::string_view bytes);
  void Obey(char command, int count);

  ScreenSize size_;
  std::vector<std::vector<std::string>> lines_;  // of characters; the last `rows` are the screen
  size_t row_ = 0;
  size_t column_ = 0;
  bool is_wrapped_ = false;  // the line that is being printed
  bool has_torn_line_ = false;
  std::string unknown_;
  std::string rest_;  // of a character or sequence that is not complete yet
};

}  // namespace retrofill::scenario
