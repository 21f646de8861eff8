#include "model/verdict.h"

#include <algorithm>

namespace retrofill {

std::string_view VerdictText(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOk:
      return "ok";
    case Verdict::kFailed:
      return "failed";
    case Verdict::kIndeterminate:
      return "indeterminate";
  }
  return "indeterminate";
}

Verdict Worst(std::span<const Verdict> verdicts) {
  bool any_unknown = verdicts.empty();
  for (Verdict verdict : verdicts) {
    if (verdict == Verdict::kFailed) return Verdict::kFailed;
    any_unknown |= verdict == Verdict::kIndeterminate;
  }
  return any_unknown ? Verdict::kIndeterminate : Verdict::kOk;
}

}  // namespace retrofill
