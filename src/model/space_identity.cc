// Identity texts: the form in ledger, fence and journal (intervals document, 5).

#include <algorithm>
#include <string>

#include "model/space.h"

namespace retrofill {
namespace {

constexpr std::string_view kHex = "0123456789ABCDEF";

bool StandsForItself(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

void AppendEncoded(std::string& out, std::string_view text) {
  for (char c : text) {
    if (StandsForItself(c)) {
      out.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out.push_back('%');
    out.push_back(kHex[byte >> 4]);
    out.push_back(kHex[byte & 15]);
  }
}

void AppendValue(std::string& out, const DimensionValue& value) {
  if (!value.text) {
    out += "~null";
  } else if (value.text->empty()) {
    out += "~empty";
  } else {
    AppendEncoded(out, *value.text);
  }
}

// nullopt for what AppendValue cannot print; whether it is canonical is the caller's question.
std::optional<DimensionValue> DecodeValue(std::string_view text) {
  if (text == "~null") return DimensionValue{};
  if (text == "~empty") return DimensionValue{""};
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      if (!StandsForItself(text[i])) return std::nullopt;
      out.push_back(text[i]);
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const size_t high = kHex.find(text[i + 1]);
    const size_t low = kHex.find(text[i + 2]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    out.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  if (out.empty()) return std::nullopt;
  return DimensionValue{std::move(out)};
}

void AppendNumber(std::string& out, int64_t value, int width) {
  char digits[20];
  for (int i = width; i-- > 0; value /= 10) digits[i] = static_cast<char>('0' + value % 10);
  out.append(digits, static_cast<size_t>(width));
}

void AppendReading(std::string& out, absl::CivilSecond reading, bool date_only) {
  AppendNumber(out, reading.year(), 4);
  AppendNumber(out, reading.month(), 2);
  AppendNumber(out, reading.day(), 2);
  if (date_only) return;
  out.push_back('T');
  AppendNumber(out, reading.hour(), 2);
  AppendNumber(out, reading.minute(), 2);
  AppendNumber(out, reading.second(), 2);
}

// Reads `20260308` or `20260308T050000`; normalizes what no calendar has, which the comparison with
// the canonical text then refuses.
std::optional<absl::CivilSecond> ReadReading(std::string_view text) {
  if (text.size() != 8 && (text.size() != 15 || text[8] != 'T')) return std::nullopt;
  const auto number = [&](size_t at, size_t width) {
    int value = 0;
    for (char c : text.substr(at, width)) {
      if (c < '0' || c > '9') return -1;
      value = value * 10 + (c - '0');
    }
    return value;
  };
  const int year = number(0, 4);
  const int month = number(4, 2);
  const int day = number(6, 2);
  int clock[3] = {0, 0, 0};
  if (text.size() == 15) {
    for (size_t i = 0; i < 3; ++i) clock[i] = number(9 + i * 2, 2);
  }
  if (std::min({year, month, day, clock[0], clock[1], clock[2]}) < 0) return std::nullopt;
  return absl::CivilSecond(year, month, day, clock[0], clock[1], clock[2]);
}

void AppendTime(std::string& out, const Grid& grid, bool civil, const Interval& slot) {
  if (civil) {
    const bool date_only = !grid.by_clock();
    AppendReading(out, grid.NominalStart(slot), date_only);
    out += "..";
    // The reading at which the next slot starts, so that dates that a zone skipped leave no gap.
    AppendReading(out, grid.NominalStart({slot.end, slot.end}), date_only);
    return;
  }
  static const Zone utc;
  AppendReading(out, utc.CivilAt(slot.start), false);
  out += "Z..";
  AppendReading(out, utc.CivilAt(slot.end), false);
  out.push_back('Z');
}

std::optional<Interval> ReadTime(std::string_view text, const Grid& grid, bool civil) {
  std::string_view start = text.substr(0, text.find(".."));
  if (!civil) {
    if (!start.ends_with('Z')) return std::nullopt;
    start.remove_suffix(1);
  }
  const std::optional<absl::CivilSecond> reading = ReadReading(start);
  if (!reading || reading->year() < 1900 || reading->year() > 2199) return std::nullopt;
  return grid.Containing(civil ? grid.zone().FirstAtOrAfter(*reading)
                               : absl::FromCivil(*reading, absl::UTCTimeZone()));
}

}  // namespace

std::string PartitionSpace::IdentityText(const Partition& partition) const {
  if (!grid_ && dimensions_.empty()) return "~all";
  std::string out;
  out.reserve(64);
  if (grid_) AppendTime(out, *grid_, civil_, partition.interval);
  if (dimensions_.empty()) return out;
  for (size_t place : by_name_) {
    const Dimension& dimension = dimensions_[place];
    uint32_t cell = partition.cell;
    for (size_t i = dimensions_.size() - 1; i > place; --i) {
      cell /= static_cast<uint32_t>(dimensions_[i].values.size());
    }
    out.push_back('/');
    AppendEncoded(out, dimension.name);
    out.push_back('=');
    AppendValue(out, dimension.values[cell % dimension.values.size()]);
  }
  return out;
}

std::optional<Partition> PartitionSpace::ParseIdentity(std::string_view text) const {
  if (!grid_ && dimensions_.empty()) {
    return text == "~all" ? std::optional(Partition{AllTime(), 0}) : std::nullopt;
  }
  Partition partition{AllTime(), 0};
  size_t at = std::min(text.find('/'), text.size());
  if (grid_) {
    const std::optional<Interval> slot = ReadTime(text.substr(0, at), *grid_, civil_);
    if (!slot) return std::nullopt;
    partition.interval = *slot;
  }
  std::vector<DimensionValue> values(dimensions_.size());
  for (size_t place : by_name_) {
    if (at >= text.size()) return std::nullopt;
    const size_t next = std::min(text.find('/', at + 1), text.size());
    const std::string_view part = text.substr(at + 1, next - at - 1);
    const size_t equal = part.find('=');
    if (equal == std::string_view::npos) return std::nullopt;
    std::optional<DimensionValue> value = DecodeValue(part.substr(equal + 1));
    if (!value) return std::nullopt;
    values[place] = std::move(*value);
    at = next;
  }
  const std::optional<uint32_t> cell = CellOf(values);
  if (!cell) return std::nullopt;
  partition.cell = *cell;
  // Printing is the judge of everything that reading let pass: names, order, case, the end.
  return IdentityText(partition) == text ? std::optional(partition) : std::nullopt;
}

}  // namespace retrofill
