#pragma once

#include <string>

#include "cli/context.h"

namespace retrofill {

// What a person has to agree to (product document, 6.3).
struct ConsentRequest {
  std::string what;      // "publishing", for the refusal without a terminal
  std::string question;  // printed before the answer is read
  std::string expected;  // `yes`, or the plan's name; anything else is a no
  std::string given;     // by a flag; empty = none
  std::string flag;      // `--confirm fin-812`, named where there is no terminal
};

// True if the flag gave what is expected, or the person typed it. kRefused C0204 if a flag gave
// something else, or nothing was given and there is no terminal. False: the person said no, and
// nothing may change.
Result<bool> AskConsent(const Context& context, const ConsentRequest& request);

}  // namespace retrofill
