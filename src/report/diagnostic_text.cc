#include "report/diagnostic_text.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "report/printable.h"

namespace retrofill {
namespace {

std::string_view LevelColor(Level level) {
  switch (level) {
    case Level::kError:
      return kBoldRed;
    case Level::kWarning:
      return kBoldYellow;
    case Level::kNote:
      return kBoldCyan;
  }
  return "";
}

std::string Paint(std::string_view text, std::string_view color, bool on) {
  if (!on || text.empty()) return std::string(text);
  return fmt::format("{}{}{}", color, text, kStyleEnd);
}

// Blanks as wide as the first `columns` characters of the line. Tabs stay tabs, so that the caret
// stands below its character whatever a tab is worth.
std::string Indent(std::string_view line, int columns) {
  std::string indent;
  int seen = 0;
  for (const char c : line) {
    const bool continues_character = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    if (continues_character) continue;
    if (seen++ == columns) return indent;
    indent += c == '\t' ? '\t' : ' ';
  }
  indent.append(static_cast<size_t>(std::max(0, columns - seen)), ' ');
  return indent;
}

// Lines longer than this are shown around the place only: a file of one line is no help.
constexpr int kLongLine = 160;
constexpr int kShownBefore = 60;
constexpr int kShownAtMost = 120;
constexpr std::string_view kCut = "...";

// Bytes of the first `characters` characters.
size_t BytesOf(std::string_view line, int characters) {
  size_t at = 0;
  while (at < line.size()) {
    const bool continues_character = (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U;
    if (!continues_character && characters-- == 0) break;
    ++at;
  }
  return at;
}

std::string CutLine(std::string_view line, int start) {
  const size_t from = BytesOf(line, start);
  std::string_view shown = line.substr(from);
  shown = shown.substr(0, BytesOf(shown, kShownAtMost));
  return fmt::format("{}{}{}", start > 0 ? kCut : "", shown,
                     from + shown.size() < line.size() ? kCut : "");
}

// The origin as it is shown: one line a line, none of them endless.
Origin Shown(const Origin& origin) {
  Origin shown = origin;
  for (std::string& line : shown.lines) {
    if (line.find_first_of("\n\r") != std::string::npos) line = OneLine(line);
  }
  const std::string& last = shown.lines.back();
  const bool is_long = last.size() > BytesOf(last, kLongLine);
  const int start = is_long ? std::max(0, origin.column - 1 - kShownBefore) : 0;
  for (std::string& line : shown.lines) {
    if (line.size() > BytesOf(line, kLongLine) || start > 0) line = CutLine(line, start);
  }
  if (start > 0) shown.column = origin.column - start + static_cast<int>(kCut.size());
  if (is_long) shown.length = std::min(origin.length, kShownAtMost - kShownBefore);
  return shown;
}

// The lines around the place and the carets below the last one.
std::string Window(const Origin& whole, Level level, size_t gutter, bool color) {
  const Origin origin = Shown(whole);
  const std::string bar = std::string(gutter, ' ') + Paint("|", kBoldBlue, color);
  std::string text = bar + "\n";
  int number = origin.line - static_cast<int>(origin.lines.size()) + 1;
  for (const std::string& line : origin.lines) {
    const std::string label = fmt::format("{:<{}}", number++, gutter);
    text += Paint(label + "|", kBoldBlue, color);
    text += line.empty() ? "\n" : " " + line + "\n";
  }
  const int before = std::max(0, origin.column - 1);
  std::string carets(static_cast<size_t>(std::max(1, origin.length)), '^');
  if (!origin.label.empty()) carets += " " + OneLine(origin.label);
  text += bar + " " + Indent(origin.lines.back(), before);
  return text + Paint(carets, LevelColor(level), color) + "\n";
}

std::string Place(const Origin& origin) {
  if (origin.line <= 0) return origin.file;
  if (origin.column <= 0) return fmt::format("{}:{}", origin.file, origin.line);
  return fmt::format("{}:{}:{}", origin.file, origin.line, origin.column);
}

// `    = note: text`; further lines of the text stand below its first word.
std::string Remark(std::string_view kind, std::string_view text, size_t gutter, bool color) {
  const std::string start = std::string(gutter, ' ') + "= " + std::string(kind) + ": ";
  std::string drawn = std::string(gutter, ' ') + Paint("=", kBoldBlue, color) + " " +
                      Paint(std::string(kind) + ":", kBold, color) + " ";
  for (const char c : text) {
    drawn += c;
    if (c == '\n') drawn.append(start.size(), ' ');
  }
  return drawn + "\n";
}

}  // namespace

std::string_view LevelText(Level level) {
  switch (level) {
    case Level::kError:
      return "error";
    case Level::kWarning:
      return "warning";
    case Level::kNote:
      return "note";
  }
  return "error";
}

std::string DiagnosticText(const Diagnostic& diagnostic, const DiagnosticStyle& style) {
  const bool color = style.color;
  const std::string head = fmt::format("{}[{}]", LevelText(diagnostic.level), diagnostic.id);
  std::string text = Paint(head, LevelColor(diagnostic.level), color) +
                     Paint(": " + OneLine(diagnostic.message), kBold, color) + "\n";
  size_t gutter = 4;
  if (diagnostic.origin) {
    const Origin& origin = *diagnostic.origin;
    gutter = std::max(gutter, fmt::format("{}", origin.line).size() + 1);
    text +=
        std::string(gutter - 1, ' ') + Paint("-->", kBoldBlue, color) + " " + Place(origin) + "\n";
    if (origin.line > 0 && !origin.lines.empty()) {
      text += Window(origin, diagnostic.level, gutter, color);
    } else if (!origin.label.empty()) {
      text += Remark("note", origin.label, gutter, color);
    }
  }
  for (const std::string& note : diagnostic.notes) text += Remark("note", note, gutter, color);
  for (const std::string& help : diagnostic.helps) text += Remark("help", help, gutter, color);
  if (style.more) text += Remark("more", "retrofill explain " + diagnostic.id, gutter, color);
  return text;
}

std::string ErrorText(const Error& error, const DiagnosticStyle& style) {
  if (error.context().empty()) return DiagnosticText(error.diagnostic(), style);
  Diagnostic diagnostic = error.diagnostic();
  for (const std::string& doing : error.context()) diagnostic.notes.push_back("while " + doing);
  return DiagnosticText(diagnostic, style);
}

}  // namespace retrofill
