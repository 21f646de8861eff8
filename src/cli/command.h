#pragma once

// What each `<verb>_command.cc` implements: one function that does what the verb says and returns
// its answer. An error ends the command with the error's exit status; an answer that is bad news
// ("4 of 5") is an Answer with an exit status of its own. Main thread.

#include "cli/answer.h"
#include "cli/arguments.h"
#include "cli/context.h"

namespace retrofill {

Result<Answer> Execute(Context& context, const HelpArguments& arguments);
Result<Answer> Execute(Context& context, const InitArguments& arguments);
Result<Answer> Execute(Context& context, const DoctorArguments& arguments);
Result<Answer> Execute(Context& context, const ConfigCheckArguments& arguments);
Result<Answer> Execute(Context& context, const ConfigShowArguments& arguments);
Result<Answer> Execute(Context& context, const ConfigSchemaArguments& arguments);
Result<Answer> Execute(Context& context, const LsArguments& arguments);
Result<Answer> Execute(Context& context, const GapsArguments& arguments);
Result<Answer> Execute(Context& context, const LineageArguments& arguments);
Result<Answer> Execute(Context& context, const PlanArguments& arguments);
Result<Answer> Execute(Context& context, const ProveArguments& arguments);
Result<Answer> Execute(Context& context, const CanaryArguments& arguments);
Result<Answer> Execute(Context& context, const RunArguments& arguments);
Result<Answer> Execute(Context& context, const StatusArguments& arguments);
Result<Answer> Execute(Context& context, const HistoryArguments& arguments);
Result<Answer> Execute(Context& context, const ShowArguments& arguments);
Result<Answer> Execute(Context& context, const LogsArguments& arguments);
Result<Answer> Execute(Context& context, const VerifyArguments& arguments);
Result<Answer> Execute(Context& context, const PublishArguments& arguments);
Result<Answer> Execute(Context& context, const DiffArguments& arguments);
Result<Answer> Execute(Context& context, const ReportArguments& arguments);
Result<Answer> Execute(Context& context, const UndoArguments& arguments);
Result<Answer> Execute(Context& context, const PauseArguments& arguments);
Result<Answer> Execute(Context& context, const ResumeArguments& arguments);
Result<Answer> Execute(Context& context, const CancelArguments& arguments);
Result<Answer> Execute(Context& context, const RetryArguments& arguments);
Result<Answer> Execute(Context& context, const CleanArguments& arguments);
Result<Answer> Execute(Context& context, const ExplainArguments& arguments);
Result<Answer> Execute(Context& context, const VersionArguments& arguments);

}  // namespace retrofill
