#pragma once

// Texts that hold what others wrote (keys, messages of a database, rows, reasons), made safe to
// show: a control character never reaches a terminal as itself.

#include <string>
#include <string_view>

namespace retrofill {

// The styles that texts are painted with; no other escape sequence is ever shown.
inline constexpr std::string_view kStyleEnd = "\x1b[0m";
inline constexpr std::string_view kBold = "\x1b[1m";
inline constexpr std::string_view kDim = "\x1b[2m";
inline constexpr std::string_view kGreen = "\x1b[32m";
inline constexpr std::string_view kYellow = "\x1b[33m";
inline constexpr std::string_view kBlue = "\x1b[34m";
inline constexpr std::string_view kBoldRed = "\x1b[1;31m";
inline constexpr std::string_view kBoldGreen = "\x1b[1;32m";
inline constexpr std::string_view kBoldYellow = "\x1b[1;33m";
inline constexpr std::string_view kBoldBlue = "\x1b[1;34m";
inline constexpr std::string_view kBoldMagenta = "\x1b[1;35m";
inline constexpr std::string_view kBoldCyan = "\x1b[1;36m";

// Whole texts, at the place where they are printed: newlines, tabs and the styles above stay; every
// other control character, and what reorders a line, is written as `\x1b` or `\u202e`. Bytes that
// are no UTF-8 become U+FFFD.
std::string Printable(std::string_view text);

// One line of a text, or a cell: as Printable, and newlines and tabs are `\n` and `\t`, and no
// style stays.
std::string OneLine(std::string_view text);

}  // namespace retrofill
