#pragma once

// What each `<verb>_command.cc` implements: one function that does what the verb says and returns
// its answer. An error ends the command with the error's exit status; an answer that is bad news
// ("4 of 5") is an Answer with an exit status of its own. Main thread.

#include "cli/answer.h"
#include "cli/arguments.h"
#include "cli/context.h"

namespace retrofill {

Result<Answer> Execute(Context& context, const HelpArguments& arguments);
Result<Answer> Execute(Context& context, const ExplainArguments& arguments);
Result<Answer> Execute(Context& context, const VersionArguments& arguments);

}  // namespace retrofill
