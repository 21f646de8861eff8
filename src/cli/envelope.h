#pragma once

#include <absl/time/time.h>

#include <string>

#include "base/json.h"
#include "cli/answer.h"

namespace retrofill {

// The one object that `--json` prints (integrations document, 7.1): `v`, `ts`, `type`, `ok`,
// `exit`, `seq`, `plan`, `data`, `error`, `next`, `warnings`. Ends with a newline.
std::string EnvelopeText(const Answer& answer, absl::Time now);

// The answer of a command that ended because of an error: type `error`, with its exit status.
Answer AnswerOf(Error error);

// A command line as a person would type it: words with blanks or signs that a shell reads are
// quoted.
std::string CommandLine(const std::vector<std::string>& argv);

}  // namespace retrofill
