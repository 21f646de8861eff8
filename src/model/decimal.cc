#include "model/decimal.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <vector>

namespace retrofill {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Magnitudes are digit strings without a leading zero, most significant first; empty = 0.
std::string WithoutLeadingZeros(std::string digits) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

int CompareMagnitudes(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

std::string AddMagnitudes(const std::string& a, const std::string& b) {
  std::string sum;
  int carry = 0;
  for (size_t i = 0; i < std::max(a.size(), b.size()) || carry > 0; ++i) {
    if (i < a.size()) carry += a[a.size() - 1 - i] - '0';
    if (i < b.size()) carry += b[b.size() - 1 - i] - '0';
    sum.push_back(static_cast<char>('0' + carry % 10));
    carry /= 10;
  }
  std::reverse(sum.begin(), sum.end());
  return WithoutLeadingZeros(std::move(sum));
}

// a - b for a >= b.
std::string SubtractMagnitudes(const std::string& a, const std::string& b) {
  std::string difference = a;
  int borrow = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    char& digit = difference[a.size() - 1 - i];
    int value = digit - '0' - borrow - (i < b.size() ? b[b.size() - 1 - i] - '0' : 0);
    borrow = value < 0 ? 1 : 0;
    digit = static_cast<char>('0' + value + 10 * borrow);
  }
  return WithoutLeadingZeros(std::move(difference));
}

std::string MultiplyMagnitudes(const std::string& a, const std::string& b) {
  std::vector<int> cells(a.size() + b.size(), 0);
  for (size_t i = a.size(); i-- > 0;) {
    int carry = 0;
    for (size_t j = b.size(); j-- > 0;) {
      carry += cells[i + j + 1] + (a[i] - '0') * (b[j] - '0');
      cells[i + j + 1] = carry % 10;
      carry /= 10;
    }
    cells[i] += carry;
  }
  std::string product;
  for (int cell : cells) product.push_back(static_cast<char>('0' + cell));
  return WithoutLeadingZeros(std::move(product));
}

// The magnitude with `zeros` zeros appended, so that two numbers have one scale.
std::string Scaled(const std::string& digits, int zeros) {
  return digits.empty() ? digits : digits + std::string(static_cast<size_t>(zeros), '0');
}

// The mantissa of a number: its digits and how many of them stand after the point. False if there
// is none.
bool ReadMantissa(std::string_view* text, std::string* digits, int* scale) {
  bool point = false;
  size_t i = 0;
  for (; i < text->size(); ++i) {
    const char c = (*text)[i];
    if (c == '.' && !point) {
      point = true;
    } else if (IsDigit(c)) {
      digits->push_back(c);
      if (point) ++*scale;
    } else {
      break;
    }
  }
  const bool ends_in_point = i > 0 && (*text)[i - 1] == '.';
  const bool starts_with_point = text->starts_with('.');
  text->remove_prefix(i);
  return !digits->empty() && !ends_in_point && !starts_with_point;
}

// `e-9` or nothing. False for anything else.
bool ReadExponent(std::string_view text, int* exponent) {
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return false;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *exponent);
  return error == std::errc() && end == text.data() + text.size() && *exponent >= -1000 &&
         *exponent <= 1000;
}

}  // namespace

Decimal::Decimal(bool negative, std::string digits, int scale)
    : digits_(WithoutLeadingZeros(std::move(digits))), scale_(scale) {
  while (scale_ > 0 && !digits_.empty() && digits_.back() == '0') {
    digits_.pop_back();
    --scale_;
  }
  if (digits_.empty()) scale_ = 0;
  negative_ = negative && !digits_.empty();
}

std::optional<Decimal> Decimal::Parse(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::string digits;
  int scale = 0;
  int exponent = 0;
  if (!ReadMantissa(&text, &digits, &scale) || !ReadExponent(text, &exponent)) return std::nullopt;
  scale -= exponent;
  digits = WithoutLeadingZeros(std::move(digits));
  if (scale < 0) {
    digits = Scaled(digits, -scale);
    scale = 0;
  }
  Decimal number(negative, std::move(digits), scale);
  const int before_point = static_cast<int>(number.digits_.size()) - number.scale_;
  if (before_point > kMaxDigits || number.scale_ > kMaxDigits) return std::nullopt;
  return number;
}

std::string Decimal::Text() const {
  if (digits_.empty()) return "0";
  const size_t scale = static_cast<size_t>(scale_);
  std::string text = digits_;
  if (text.size() <= scale) text.insert(0, scale + 1 - text.size(), '0');
  if (scale > 0) text.insert(text.size() - scale, ".");
  return negative_ ? "-" + text : text;
}

Decimal Decimal::Abs() const {
  Decimal result = *this;
  result.negative_ = false;
  return result;
}

Decimal operator+(const Decimal& a, const Decimal& b) {
  const int scale = std::max(a.scale_, b.scale_);
  const std::string left = Scaled(a.digits_, scale - a.scale_);
  const std::string right = Scaled(b.digits_, scale - b.scale_);
  if (a.negative_ == b.negative_) return Decimal(a.negative_, AddMagnitudes(left, right), scale);
  if (CompareMagnitudes(left, right) >= 0) {
    return Decimal(a.negative_, SubtractMagnitudes(left, right), scale);
  }
  return Decimal(b.negative_, SubtractMagnitudes(right, left), scale);
}

Decimal operator-(const Decimal& a, const Decimal& b) {
  return a + Decimal(!b.negative_, b.digits_, b.scale_);
}

Decimal operator*(const Decimal& a, const Decimal& b) {
  return Decimal(a.negative_ != b.negative_, MultiplyMagnitudes(a.digits_, b.digits_),
                 a.scale_ + b.scale_);
}

int Compare(const Decimal& a, const Decimal& b) {
  const Decimal difference = a - b;
  if (difference.zero()) return 0;
  return difference.negative() ? -1 : 1;
}

}  // namespace retrofill
