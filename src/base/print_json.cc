// How JSON values are printed: compact, indented, canonical.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "base/check.h"
#include "base/json.h"
#include "base/text.h"

namespace retrofill {

namespace {

enum class Form { kCompact, kIndented, kCanonical };

// RFC 8785, 3.2.3 sorts keys by UTF-16 code units. It differs from the order of UTF-8 bytes only
// where a character outside the basic plane (a surrogate, D800..DFFF) meets U+E000..U+FFFF.
bool BeforeInUtf16(std::string_view a, std::string_view b) {
  const size_t common = std::min(a.size(), b.size());
  size_t at = 0;
  while (at < common && a[at] == b[at]) ++at;
  if (at == common) return a.size() < b.size();
  const auto rank = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    // Lead bytes F0..F4 are surrogates in UTF-16 and sort between ED (..D7FF) and EE (E000..).
    return byte >= 0xF0 ? 0xED * 256 + byte : byte * 256;
  };
  return rank(a[at]) < rank(b[at]);
}

void AppendIndent(std::string& out, Form form, int depth) {
  if (form != Form::kIndented) return;
  out += '\n';
  out.append(static_cast<size_t>(depth) * 2, ' ');
}

void AppendValue(std::string& out, const Json& json, Form form, int depth);

void AppendItems(std::string& out, const Json::Items& items, Form form, int depth) {
  out += '[';
  for (const Json& item : items) {
    if (&item != &items.front()) out += ',';
    AppendIndent(out, form, depth + 1);
    AppendValue(out, item, form, depth + 1);
  }
  if (!items.empty()) AppendIndent(out, form, depth);
  out += ']';
}

void AppendMembers(std::string& out, const Json::Members& members, Form form, int depth) {
  std::vector<const Json::Members::value_type*> order;
  order.reserve(members.size());
  for (const auto& member : members) order.push_back(&member);
  if (form == Form::kCanonical) {
    std::sort(order.begin(), order.end(),
              [](const auto* a, const auto* b) { return BeforeInUtf16(a->first, b->first); });
  }
  out += '{';
  for (const auto* member : order) {
    if (member != order.front()) out += ',';
    AppendIndent(out, form, depth + 1);
    out += JsonText(member->first);
    out += form == Form::kIndented ? ": " : ":";
    AppendValue(out, member->second, form, depth + 1);
  }
  if (!order.empty()) AppendIndent(out, form, depth);
  out += '}';
}

void AppendValue(std::string& out, const Json& json, Form form, int depth) {
  if (json.is_null()) {
    out += "null";
  } else if (json.is_bool()) {
    out += json.bool_value() ? "true" : "false";
  } else if (json.is_integer()) {
    out += std::to_string(json.integer_value());
  } else if (json.is_number()) {
    out += JsonNumber(json.number_value());
  } else if (json.is_text()) {
    out += JsonText(json.text_value());
  } else if (json.is_array()) {
    AppendItems(out, json.items(), form, depth);
  } else {
    AppendMembers(out, json.members(), form, depth);
  }
}

std::string Print(const Json& json, Form form) {
  std::string out;
  AppendValue(out, json, form, 0);
  return out;
}

}  // namespace

std::string Json::Compact() const { return Print(*this, Form::kCompact); }
std::string Json::Indented() const { return Print(*this, Form::kIndented) + "\n"; }
std::string Json::Canonical() const { return Print(*this, Form::kCanonical); }

std::string JsonNumber(double value) {
  RF_CHECK(std::isfinite(value));
  if (value == 0) return "0";
  char buffer[32];
  // The shortest digits that read back as the same number: `d.ddde[+-]xx`.
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  std::string_view shortest(buffer, static_cast<size_t>(end - buffer));
  const std::string sign = shortest.front() == '-' ? "-" : "";
  shortest.remove_prefix(sign.size());
  const size_t mark = shortest.find('e');
  std::string digits(shortest.substr(0, mark));
  std::erase(digits, '.');
  std::string_view exponent = shortest.substr(mark + 1);
  if (exponent.front() == '+') exponent.remove_prefix(1);
  int power = 0;
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);

  // ECMAScript, Number::toString: n is the place of the decimal point, counted from the left.
  const int n = power + 1;
  const int count = static_cast<int>(digits.size());
  if (count <= n && n <= 21)
    return sign + digits + std::string(static_cast<size_t>(n - count), '0');
  if (0 < n && n <= 21) return sign + digits.insert(static_cast<size_t>(n), ".");
  if (-6 < n && n <= 0) return sign + "0." + std::string(static_cast<size_t>(-n), '0') + digits;
  if (count > 1) digits.insert(1, ".");
  return sign + digits + (power < 0 ? "e-" : "e+") + std::to_string(std::abs(power));
}

std::string JsonText(std::string_view text) {
  std::string valid;
  if (!IsUtf8(text)) {
    valid = ToUtf8(text);
    text = valid;
  }
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        } else {
          out += c;
        }
    }
  }
  return out + "\"";
}

}  // namespace retrofill
