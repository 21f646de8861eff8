// What YAML 1.1 and 1.2 make of a scalar without quotes.

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"
#include "config/value_form.h"

namespace retrofill {
namespace {

bool AllOf(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

// 12, 1_000, 0x1F, 0o17, 0b11; without sign.
bool IsInteger(std::string_view text) {
  if (text.starts_with("0x")) return AllOf(text.substr(2), "0123456789abcdefABCDEF_");
  if (text.starts_with("0b")) return AllOf(text.substr(2), "01_");
  if (text.starts_with("0o")) return AllOf(text.substr(2), "01234567_");
  return text.front() != '_' && AllOf(text, "0123456789_");
}

// 1.5, .5, 5., 1e3, 1.5e-3; without sign.
bool IsFloat(std::string_view text) {
  const size_t exponent = text.find_first_of("eE");
  std::string_view mantissa = text.substr(0, exponent);
  if (exponent != std::string_view::npos) {
    std::string_view digits = text.substr(exponent + 1);
    if (digits.starts_with("+") || digits.starts_with("-")) digits.remove_prefix(1);
    if (!IsDigits(digits)) return false;
  }
  if (std::ranges::count(mantissa, '.') > 1) return false;
  return AllOf(mantissa, "0123456789_.") &&
         mantissa.find_first_of("0123456789") != std::string_view::npos && mantissa.front() != '_';
}

// 1:30, 190:20:30: base 60 in YAML 1.1.
bool IsSexagesimal(std::string_view text) {
  const std::vector<std::string> parts = Split(text, ':');
  if (parts.size() < 2) return false;
  for (size_t i = 0; i < parts.size(); ++i) {
    std::string_view part = parts[i];
    if (i > 0 && i + 1 == parts.size()) part = part.substr(0, part.find('.'));
    if (!IsDigits(part)) return false;
    if (i > 0 && (part.size() > 2 || (part.size() == 2 && part.front() > '5'))) return false;
  }
  return true;
}

// YAML takes a word in lower case, in upper case and with a capital.
bool IsWord(std::string_view text, std::string_view word) {
  if (Lower(text) != word) return false;
  const std::string_view tail = text.substr(1);
  const bool lower_tail = Lower(tail) == tail;
  const bool upper = std::ranges::all_of(text, [](unsigned char c) { return std::isupper(c); });
  return lower_tail || upper;
}

}  // namespace

std::optional<std::string_view> YamlTypeOf(std::string_view text) {
  for (const std::string_view word : {"y", "yes", "true", "on"}) {
    if (IsWord(text, word)) return "true";
  }
  for (const std::string_view word : {"n", "no", "false", "off"}) {
    if (IsWord(text, word)) return "false";
  }
  if (text.starts_with("+") || text.starts_with("-")) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  const std::string lower = Lower(text);
  const bool special = lower == ".inf" || lower == ".nan";
  if (special || IsInteger(text) || IsFloat(text) || IsSexagesimal(text)) return "a number";
  return std::nullopt;
}

}  // namespace retrofill
