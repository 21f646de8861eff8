#include "model/span.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

TEST(Span, ReadsEveryUnit) {
  const struct {
    std::string_view text;
    Span span;
  } cases[] = {{"0", {}},
               {"30min", {30, Span::Unit::kMinute}},
               {"2h", {2, Span::Unit::kHour}},
               {"7d", {7, Span::Unit::kDay}},
               {"2w", {2, Span::Unit::kWeek}},
               {"3mo", {3, Span::Unit::kMonth}},
               {"1q", {1, Span::Unit::kQuarter}},
               {"1y", {1, Span::Unit::kYear}}};
  for (const auto& c : cases) {
    const Result<Span> span = ParseSpan(c.text);
    ASSERT_TRUE(span.ok()) << c.text;
    EXPECT_EQ(*span, c.span) << c.text;
    EXPECT_EQ(SpanText(*span), c.text);
  }
}

TEST(Span, AZeroOfAnyUnitIsTheZeroSpan) {
  ASSERT_TRUE(ParseSpan("0d").ok());
  EXPECT_EQ(SpanText(*ParseSpan("0d")), "0");
}

TEST(Span, RefusesEverythingElseAndSaysWhatExists) {
  for (std::string_view text : {"", "d", "7", "-7d", "+7d", "1.5h", "7 d", "7D", "7days", "1m",
                                "5s", "99999999999999999999d", "600000001min"}) {
    const Result<Span> span = ParseSpan(text);
    ASSERT_FALSE(span.ok()) << text;
    EXPECT_EQ(span.error().id(), "C0103");
    EXPECT_EQ(span.error().code(), ErrorCode::kInvalid);
    ASSERT_EQ(span.error().diagnostic().helps.size(), 1u);
    EXPECT_NE(span.error().diagnostic().helps[0].find("`30min`"), std::string::npos);
  }
}

}  // namespace
}  // namespace retrofill
