#include "model/rule.h"

#include <algorithm>

namespace retrofill {
namespace {

bool LargerThan(const Decimal& a, const Decimal& b) { return b < a; }

ValueComparison Unknown(std::string note) {
  return {.verdict = Verdict::kIndeterminate, .delta = {}, .limit = {}, .note = std::move(note)};
}

}  // namespace

Decimal LimitOf(const Decimal& source, const Decimal& target, const Tolerance& tolerance) {
  const Decimal larger = std::max(source.Abs(), target.Abs());
  const Decimal relative = tolerance.rel * larger;
  return LargerThan(relative, tolerance.abs) ? relative : tolerance.abs;
}

bool Within(const Decimal& source, const Decimal& target, const Tolerance& tolerance) {
  return !LargerThan((target - source).Abs(), LimitOf(source, target, tolerance));
}

ValueComparison CompareValues(const std::optional<std::string>& source,
                              const std::optional<std::string>& target,
                              const Tolerance& tolerance) {
  if (!source && !target) {
    return {.verdict = Verdict::kOk, .delta = {}, .limit = {}, .note = "all NULL"};
  }
  // A value that cannot be read is judged before a NULL on the other side: what we do not know is
  // never reported as a difference.
  const std::optional<Decimal> s = source ? Decimal::Parse(*source) : Decimal();
  const std::optional<Decimal> t = target ? Decimal::Parse(*target) : Decimal();
  if (!s) return Unknown(fmt::format("the source value `{}` cannot be compared exactly", *source));
  if (!t) return Unknown(fmt::format("the target value `{}` cannot be compared exactly", *target));
  if (!source || !target) {
    return {.verdict = Verdict::kFailed,
            .delta = {},
            .limit = {},
            .note = source ? "the target value is NULL" : "the source value is NULL"};
  }
  return {.verdict = Within(*s, *t, tolerance) ? Verdict::kOk : Verdict::kFailed,
          .delta = (*t - *s).Text(),
          .limit = LimitOf(*s, *t, tolerance).Text(),
          .note = {}};
}

}  // namespace retrofill
