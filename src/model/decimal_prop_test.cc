#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "model/decimal.h"

namespace retrofill {
namespace {

// value / 10^scale as text, by integer arithmetic of its own.
std::string ScaledText(int64_t value, int scale) {
  std::string digits = std::to_string(value < 0 ? -value : value);
  if (static_cast<int>(digits.size()) <= scale) {
    digits.insert(0, static_cast<size_t>(scale + 1) - digits.size(), '0');
  }
  if (scale > 0) digits.insert(digits.size() - static_cast<size_t>(scale), ".");
  return (value < 0 ? "-" : "") + digits;
}

Decimal Made(int64_t value, int scale) {
  const std::optional<Decimal> number = Decimal::Parse(ScaledText(value, scale));
  RC_ASSERT(number.has_value());
  return *number;
}

int64_t AnyValue() { return *rc::gen::inRange<int64_t>(-1'000'000'000, 1'000'000'000); }

RC_GTEST_PROP(DecimalProperty, ArithmeticAgreesWithIntegersAtOneScale, ()) {
  const int scale = *rc::gen::inRange(0, 12);
  const int64_t a = AnyValue();
  const int64_t b = AnyValue();
  RC_ASSERT(Made(a, scale) + Made(b, scale) == Made(a + b, scale));
  RC_ASSERT(Made(a, scale) - Made(b, scale) == Made(a - b, scale));
  RC_ASSERT(Made(a, scale) * Made(b, scale) == Made(a * b, 2 * scale));
  RC_ASSERT((Compare(Made(a, scale), Made(b, scale)) < 0) == (a < b));
}

RC_GTEST_PROP(DecimalProperty, TextReadsBackAsTheSameNumber, ()) {
  const Decimal number = Made(AnyValue(), *rc::gen::inRange(0, 30));
  const std::optional<Decimal> again = Decimal::Parse(number.Text());
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == number);
  RC_ASSERT(again->Text() == number.Text());
}

RC_GTEST_PROP(DecimalProperty, ScalesMixWithoutLoss, ()) {
  const int64_t a = AnyValue();
  const int64_t b = AnyValue();
  const Decimal left = Made(a, *rc::gen::inRange(0, 20));
  const Decimal right = Made(b, *rc::gen::inRange(0, 20));
  RC_ASSERT((left + right) - right == left);
  RC_ASSERT(left * right == right * left);
}

}  // namespace
}  // namespace retrofill
