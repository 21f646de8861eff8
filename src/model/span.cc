#include "model/span.h"

#include <array>
#include <charconv>

namespace retrofill {
namespace {

struct UnitName {
  std::string_view name;
  Span::Unit unit;
};
constexpr std::array<UnitName, 7> kUnits = {{{"min", Span::Unit::kMinute},
                                             {"h", Span::Unit::kHour},
                                             {"d", Span::Unit::kDay},
                                             {"w", Span::Unit::kWeek},
                                             {"mo", Span::Unit::kMonth},
                                             {"q", Span::Unit::kQuarter},
                                             {"y", Span::Unit::kYear}}};

// A thousand years of minutes: more is a typing error, and calendar arithmetic stays in range.
constexpr int64_t kMaxCount = 600'000'000;

}  // namespace

Result<Span> ParseSpan(std::string_view text) {
  if (text == "0") return Span{};
  int64_t count = 0;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const bool digits_first = !text.empty() && text.front() >= '0' && text.front() <= '9';
  const auto [rest, error] = std::from_chars(begin, end, count);
  if (digits_first && error == std::errc() && count <= kMaxCount) {
    const std::string_view name(rest, static_cast<size_t>(end - rest));
    for (const UnitName& known : kUnits) {
      if (known.name != name) continue;
      return count == 0 ? Span{} : Span{.count = count, .unit = known.unit};
    }
  }
  return Fail(ErrorCode::kInvalid, "C0103", "`{}` is not a length of time", text)
      .Help("write a whole number and a unit: `0`, `30min`, `2h`, `7d`, `2w`, `3mo`, `1q` or `1y`");
}

std::string SpanText(const Span& span) {
  if (span.zero()) return "0";
  for (const UnitName& known : kUnits) {
    if (known.unit == span.unit) return fmt::format("{}{}", span.count, known.name);
  }
  return "0";
}

}  // namespace retrofill
