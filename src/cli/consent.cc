#include "cli/consent.h"

#include <optional>

#include "base/text.h"

namespace retrofill {

Result<bool> AskConsent(const Context& context, const ConsentRequest& request) {
  if (!request.given.empty()) {
    if (request.given == request.expected) return true;
    return Fail(ErrorCode::kRefused, "C0204", "{} needs `{}`, and `{}` was given", request.what,
                request.expected, request.given)
        .Help(request.flag);
  }
  if (!context.terminal.can_ask()) {
    return Fail(ErrorCode::kRefused, "C0204", "{} needs consent, and there is no terminal to ask",
                request.what)
        .Help(request.flag);
  }
  const std::optional<std::string> answer = context.terminal.Ask(request.question);
  return answer && Trim(*answer) == request.expected;
}

}  // namespace retrofill
