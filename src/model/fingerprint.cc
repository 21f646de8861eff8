#include "model/fingerprint.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/hash.h"
#include "model/decimal.h"

namespace retrofill {
namespace {

bool SameBoundValues(const Fingerprint& a, const Fingerprint& b) {
  return a.algo == b.algo && a.engine == b.engine && a.salt == b.salt && a.schema == b.schema &&
         a.columns == b.columns;
}

Comparison Verdict(bool equal) { return equal ? Comparison::kEqual : Comparison::kDifferent; }

// Level 0 has only a count: it can show a difference, but equality only to another of its kind.
std::optional<Comparison> CompareCounts(const Fingerprint& a, const Fingerprint& b) {
  if (a.n != b.n) return Comparison::kDifferent;
  if (a.level == 0 && b.level == 0) return Comparison::kEqual;
  if (a.level == 0 || b.level == 0) return Comparison::kNotComparable;
  return std::nullopt;
}

absl::int128 Sum(absl::int128 a, absl::int128 b) {
  const absl::int128 largest = std::numeric_limits<absl::int128>::max();
  const absl::int128 smallest = std::numeric_limits<absl::int128>::min();
  RF_CHECK(b >= 0 ? a <= largest - b : a >= smallest - b, "a fingerprint sum overflows 128 bits");
  return a + b;
}

// Whether text `a` comes before `b`: as numbers where both are, else by bytes, which orders dates
// and timestamps as the engine prints them.
bool Before(const std::string& a, const std::string& b) {
  const std::optional<Decimal> left = Decimal::Parse(a);
  const std::optional<Decimal> right = Decimal::Parse(b);
  return left && right ? *left < *right : a < b;
}

std::optional<std::string> Lower(const std::optional<std::string>& a,
                                 const std::optional<std::string>& b) {
  if (!a || !b) return a ? a : b;
  return Before(*b, *a) ? b : a;
}

std::optional<std::string> Higher(const std::optional<std::string>& a,
                                  const std::optional<std::string>& b) {
  if (!a || !b) return a ? a : b;
  return Before(*a, *b) ? b : a;
}

void AddSums(std::map<std::string, std::string>* sums,
             const std::map<std::string, std::string>& more) {
  for (const auto& [column, text] : more) {
    const auto [held, absent] = sums->try_emplace(column, text);
    if (absent) continue;
    const std::optional<Decimal> a = Decimal::Parse(held->second);
    const std::optional<Decimal> b = Decimal::Parse(text);
    RF_CHECK(a && b, "sum `{}` or `{}` of {} is no number", held->second, text, column);
    held->second = (*a + *b).Text();
  }
}

}  // namespace

std::string Int128Text(absl::int128 value) {
  if (value == 0) return "0";
  const bool negative = value < 0;
  std::string text;
  for (; value != 0; value /= 10) {
    const int digit = static_cast<int>(value % 10);
    text.push_back(static_cast<char>('0' + (negative ? -digit : digit)));
  }
  if (negative) text.push_back('-');
  std::reverse(text.begin(), text.end());
  return text;
}

std::optional<absl::int128> ParseInt128(std::string_view text) {
  const bool negative = text.starts_with('-');
  absl::int128 value = 0;
  if (text.size() > 40) return std::nullopt;
  for (char c : text.substr(negative ? 1 : 0)) {
    if (c < '0' || c > '9') return std::nullopt;
    const absl::int128 digit = c - '0';
    const absl::int128 largest = std::numeric_limits<absl::int128>::max();
    const absl::int128 smallest = std::numeric_limits<absl::int128>::min();
    if (negative ? value < (smallest + digit) / 10 : value > (largest - digit) / 10) {
      return std::nullopt;
    }
    value = value * 10 + (negative ? -digit : digit);
  }
  if (Int128Text(value) != text) return std::nullopt;
  return value;
}

Comparison Compare(const Fingerprint& a, const Fingerprint& b) {
  if (!SameBoundValues(a, b)) return Comparison::kNotComparable;
  if (const std::optional<Comparison> counts = CompareCounts(a, b)) return *counts;
  if (a.level == 2 && b.level == 2 && a.column_prints != b.column_prints) {
    return Comparison::kDifferent;
  }
  return Verdict(a.n_hashed == b.n_hashed && a.row == b.row && a.key == b.key &&
                 a.non_null == b.non_null && a.sums == b.sums && a.low == b.low &&
                 a.high == b.high);
}

Comparison ComparePortable(const Fingerprint& a, const Fingerprint& b) {
  if (a.salt != b.salt || a.schema != b.schema || a.columns != b.columns) {
    return Comparison::kNotComparable;
  }
  if (const std::optional<Comparison> counts = CompareCounts(a, b)) return *counts;
  if (a.distinct_keys && b.distinct_keys && a.distinct_keys != b.distinct_keys) {
    return Comparison::kDifferent;
  }
  return Verdict(a.non_null == b.non_null && a.sums == b.sums && a.low == b.low &&
                 a.high == b.high);
}

uint64_t SaltOf(std::string_view qualified_relation) {
  const std::string hex = Sha256Hex(qualified_relation).substr(0, 16);
  uint64_t first = 0;
  for (char c : hex) {
    first = first * 16 + static_cast<uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  const uint64_t salt = first >> 1;
  return salt == 0 ? 1 : salt;
}

Fingerprint Add(const Fingerprint& a, const Fingerprint& b) {
  RF_CHECK(SameBoundValues(a, b) && a.level == b.level && a.key.has_value() == b.key.has_value(),
           "fingerprints that are not comparable cannot be added");
  Fingerprint sum = a;
  sum.n += b.n;
  sum.n_hashed += b.n_hashed;
  sum.row = Sum(a.row, b.row);
  if (a.key && b.key) sum.key = Sum(*a.key, *b.key);
  sum.distinct_keys = std::nullopt;
  for (const auto& [column, count] : b.non_null) sum.non_null[column] += count;
  AddSums(&sum.sums, b.sums);
  sum.low = Lower(a.low, b.low);
  sum.high = Higher(a.high, b.high);
  for (const auto& [column, more] : b.column_prints) {
    ColumnPrint& print = sum.column_prints[column];
    print.hash = Sum(print.hash, more.hash);
    print.low = Lower(print.low, more.low);
    print.high = Higher(print.high, more.high);
    print.nan += more.nan;
    print.positive_infinity += more.positive_infinity;
    print.negative_infinity += more.negative_infinity;
  }
  return sum;
}

}  // namespace retrofill
