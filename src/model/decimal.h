#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace retrofill {

// An exact decimal number; no binary floating point anywhere (verification document, 7.2). A plain
// value; any thread.
class Decimal {
 public:
  // Digits that Parse takes before the point, and after it: a sum of 38-digit values over any
  // number of rows fits with room to spare. Results of arithmetic may be longer.
  static constexpr int kMaxDigits = 76;

  Decimal() = default;

  // Reads `-12.30`, `0`, `1e-9`, `2E3`. nullopt for anything else (`.5`, `5.`, spaces), for NaN and
  // infinities, and for more than kMaxDigits digits.
  static std::optional<Decimal> Parse(std::string_view text);

  // The shortest exact form: no exponent, no trailing zeros after the point, `0` for zero.
  std::string Text() const;
  bool negative() const { return negative_; }
  bool zero() const { return digits_.empty(); }

  Decimal Abs() const;
  // Exact; results longer than the inputs are held in full.
  friend Decimal operator+(const Decimal& a, const Decimal& b);
  friend Decimal operator-(const Decimal& a, const Decimal& b);
  friend Decimal operator*(const Decimal& a, const Decimal& b);
  // Negative, zero or positive as a is below, equal to or above b.
  friend int Compare(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal& a, const Decimal& b) { return Compare(a, b) == 0; }
  friend bool operator<(const Decimal& a, const Decimal& b) { return Compare(a, b) < 0; }

 private:
  Decimal(bool negative, std::string digits, int scale);  // brings the members into canonical form

  bool negative_ = false;
  std::string digits_;  // most significant first, no leading zero; empty = 0
  int scale_ = 0;       // digits after the point, at least 0, no trailing zero digit there
};

}  // namespace retrofill
