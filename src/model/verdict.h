#pragma once

#include <span>
#include <string_view>

namespace retrofill {

// The answer of a check (verification document, 1). `indeterminate` = we do not know; it blocks
// exactly like `failed` and is shown as neither failed nor done.
enum class Verdict { kOk, kFailed, kIndeterminate };

// "ok", "failed", "indeterminate".
std::string_view VerdictText(Verdict verdict);

// The worst member: failed > indeterminate > ok. A set with no member is indeterminate.
Verdict Worst(std::span<const Verdict> verdicts);

}  // namespace retrofill
