#include "report/printable.h"

#include <array>
#include <cstdint>
#include <optional>

#include "base/text.h"

namespace retrofill {
namespace {

constexpr std::array kStyles = {kStyleEnd,   kBold,     kDim,         kGreen,
                                kYellow,     kBlue,     kBoldRed,     kBoldGreen,
                                kBoldYellow, kBoldBlue, kBoldMagenta, kBoldCyan};

// The style that starts the text, or nothing.
std::string_view StyleAt(std::string_view text) {
  for (const std::string_view style : kStyles) {
    if (text.starts_with(style)) return style;
  }
  return {};
}

// Bytes of the character that starts a valid UTF-8 text.
size_t LengthOf(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

uint32_t CodePoint(std::string_view character) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0);
  uint32_t code = byte(0) & (character.size() == 2 ? 0x1fU : character.size() == 3 ? 0x0fU : 0x07U);
  for (size_t i = 1; i < character.size(); ++i) code = (code << 6U) | (byte(i) & 0x3fU);
  return code;
}

// How a character is written that must not reach the terminal as itself; nothing if it may.
std::optional<std::string> Escape(uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  if (code < 0x20 || code == 0x7f) return fmt::format("\\x{:02x}", code);
  const bool is_c1 = code >= 0x80 && code < 0xa0;
  // Line and paragraph separators; marks, embeddings, overrides and isolates of direction.
  const bool moves_text = (code >= 0x2028 && code <= 0x202e) ||
                          (code >= 0x2066 && code <= 0x2069) || code == 0x200e || code == 0x200f;
  if (is_c1 || moves_text) return fmt::format("\\u{:04x}", code);
  return std::nullopt;
}

std::string Escaped(std::string_view given, bool is_whole) {
  const std::string text = ToUtf8(given);
  std::string out;
  out.reserve(text.size());
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view style = is_whole ? StyleAt(rest) : std::string_view();
    const std::string_view taken =
        style.empty() ? rest.substr(0, LengthOf(static_cast<unsigned char>(rest[0]))) : style;
    rest.remove_prefix(taken.size());
    const bool stays = !style.empty() || (is_whole && (taken == "\n" || taken == "\t"));
    const std::optional<std::string> escape = stays ? std::nullopt : Escape(CodePoint(taken));
    out += escape ? *escape : std::string(taken);
  }
  return out;
}

}  // namespace

std::string Printable(std::string_view text) { return Escaped(text, true); }

std::string OneLine(std::string_view text) { return Escaped(text, false); }

}  // namespace retrofill
