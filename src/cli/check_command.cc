// `ls`, `gaps`, `prove`, `canary`, `verify`, `diff`: questions to the database.

#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/drive.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/plan_request.h"
#include "cli/workspace.h"
#include "engine/adopt_operation.h"
#include "engine/canary_operation.h"
#include "engine/gaps_operation.h"
#include "engine/inspect_operation.h"
#include "engine/open_once.h"
#include "engine/plan_operation.h"
#include "engine/prove_operation.h"
#include "engine/table_choice.h"
#include "report/adopt_text.h"
#include "report/checks_text.h"
#include "report/diff_text.h"
#include "report/gaps_text.h"
#include "report/plan_text.h"
#include "report/proof_text.h"

namespace retrofill {
namespace {

// The first diagnostic that is an error, as the reason of a bad answer.
Error ReasonOf(const ProofReport& report) {
  for (const Diagnostic& diagnostic : report.diagnostics) {
    if (diagnostic.level != Level::kError) continue;
    Error error(ErrorCode::kFailed, diagnostic.id, diagnostic.message);
    for (const std::string& note : diagnostic.notes) error = std::move(error).Note(note);
    for (const std::string& help : diagnostic.helps) error = std::move(error).Help(help);
    if (diagnostic.origin) error = std::move(error).At(*diagnostic.origin);
    return error;
  }
  return Fail(ErrorCode::kFailed, "I0208", "the proof of `{}` could not tell", report.table);
}

// The error of an answer whose text has shown it: kept for `--json` alone.
void SetReason(Answer& answer, const Context& context, Error error) {
  answer.exit = kExitBadAnswer;
  if (!context.is_text()) answer.error = std::move(error);
}

ProveOptions OptionsOf(const Context& context, const ProveArguments& arguments) {
  ProveOptions options;
  options.samples = arguments.samples;
  if (context.global.verbose) {
    options.progress = [](const std::string& doing) { WriteError(doing + "\n"); };
  }
  return options;
}

Result<Answer> ProveAll(Context& context, Workspace& workspace, const ProveArguments& arguments) {
  RF_ASSIGN(const std::vector<std::string> tables,
            ChooseTables(workspace.project(), arguments.filter.select, arguments.filter.exclude));
  Answer answer;
  answer.type = "proof.result";
  Json proofs = Json::Array();
  const DiagnosticStyle style{.color = context.is_text() && context.terminal.color_output()};
  for (const std::string& table : tables) {
    Result<ProofReport> report =
        ProveTable(workspace.engine(), table, OptionsOf(context, arguments));
    if (!report.ok()) {
      answer.text += ErrorText(report.error(), style) + "\n";
      answer.exit = WorstExitStatus({answer.exit, ExitStatusOf(report.error())});
      continue;
    }
    answer.text += ProofText(*report, style) + "\n";
    proofs.Append(ProofJson(*report));
    if (!report->proven) SetReason(answer, context, ReasonOf(*report));
  }
  answer.data = Json::Object({{"proofs", proofs}});
  return answer;
}

// Tables that could not be looked at, in an answer about several. Beside answers about others a
// configuration error is a bad answer: only where it is all there is did nothing run.
void AddBroken(Answer& answer, std::vector<Error> broken, size_t tables) {
  const bool is_all = broken.size() == tables;
  for (Error& error : broken) {
    const int status = ExitStatusOf(error);
    answer.exit =
        WorstExitStatus({answer.exit, status == kExitUsage && !is_all ? kExitBadAnswer : status});
    if (!answer.error) {
      answer.error = std::move(error);
    } else {
      answer.further_errors.push_back(std::move(error));
    }
  }
}

bool IsTable(const Workspace& workspace, const std::string& name) {
  return workspace.project().tables.contains(name) && !FileExists(name);
}

}  // namespace

Result<Answer> Execute(Context& context, const LsArguments& arguments) {
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(context, Workspace::Use::kReadOnly));
  RF_ASSIGN(const std::vector<std::string> names,
            ChooseTables(workspace->project(), arguments.filter.select, arguments.filter.exclude));
  Answer answer;
  answer.type = "tables";
  EngineContext engine = workspace->engine();
  engine.open = OpenOnce(engine.open);
  // Each line as soon as it is known: a database may take its time for one of them.
  const bool at_once = context.is_text() && context.global.output.empty();
  TablesText lines(workspace->project(), names);
  const auto show = [&](const std::string& text) {
    if (at_once) return WriteOut(text);
    answer.text += text;
  };
  show(names.empty() ? "no table\n" : lines.Heading());
  std::vector<TableHealth> tables;
  for (const std::string& name : names) {
    TableHealth& entry = tables.emplace_back();
    entry.table = name;
    entry.relation = workspace->project().tables.at(name).relation;
    Result<GapsResult> gaps = FindGaps(engine, name, {});
    if (gaps.ok()) {
      answer.warnings.insert(answer.warnings.end(), gaps->warnings.begin(), gaps->warnings.end());
      entry.gaps = std::move(gaps).value();
    } else {
      entry.problem = gaps.error().id() + " " + gaps.error().message();
    }
    show(lines.Line(entry));
  }
  answer.data = TablesJson(tables);
  return answer;
}

Result<Answer> Execute(Context& context, const GapsArguments& arguments) {
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(context, Workspace::Use::kReadOnly));
  std::vector<std::string> names = {arguments.target.table};
  const bool filtered = !arguments.filter.select.empty() || !arguments.filter.exclude.empty();
  if (!names.front().empty() && filtered) {
    return Fail(ErrorCode::kInvalid, "C0202", "`gaps` takes a table, or --select and --exclude")
        .Help(fmt::format("retrofill gaps {0}, or: retrofill gaps --select {0}", names.front()));
  }
  if (names.front().empty()) {
    RF_ASSIGN(names, ChooseTables(workspace->project(), arguments.filter.select,
                                  arguments.filter.exclude));
  }
  RF_ASSIGN(const SelectionArguments selection, ReadSelection(arguments.target.selection));
  Answer answer;
  answer.type = "gaps";
  Json tables = Json::Array();
  std::vector<Error> broken;
  EngineContext engine = workspace->engine();
  engine.open = OpenOnce(engine.open);
  for (const std::string& name : names) {
    Result<GapsResult> gaps = FindGaps(engine, name, selection);
    if (!answer.text.empty()) answer.text += "\n";
    if (!gaps.ok()) {
      Error error = std::move(gaps).error();
      if (names.size() == 1) return error;
      const std::string problem = error.id() + " " + error.message();
      answer.text += fmt::format("{}   could not be looked at: {}\n", name, problem);
      tables.Append(Json::Object({{"table", name}, {"problem", problem}}));
      broken.push_back(std::move(error).While(fmt::format("looking at table `{}`", name)));
      continue;
    }
    answer.text += GapsText(*gaps, arguments.all);
    answer.warnings.insert(answer.warnings.end(), gaps->warnings.begin(), gaps->warnings.end());
    tables.Append(GapsJson(*gaps, arguments.all));
    if (HasGaps(*gaps)) answer.exit = kExitBadAnswer;
  }
  answer.data = Json::Object({{"tables", tables}});
  AddBroken(answer, std::move(broken), names.size());
  return answer;
}

Result<Answer> Execute(Context& context, const ProveArguments& arguments) {
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(
                context, arguments.dry_run ? Workspace::Use::kReadOnly : Workspace::Use::kChange));
  if (arguments.dry_run) {
    Answer answer;
    answer.type = "proof.previewed";
    answer.text = "Would run the transform on sample partitions in a scratch database.\n";
    return answer;
  }
  if (arguments.subject.empty()) return ProveAll(context, *workspace, arguments);
  Answer answer;
  answer.type = "proof.result";
  std::optional<BackfillState> state;
  Result<ProofReport> report = [&]() -> Result<ProofReport> {
    if (IsTable(*workspace, arguments.subject)) {
      return ProveTable(workspace->engine(), arguments.subject, OptionsOf(context, arguments));
    }
    RF_ASSIGN(state, LoadBackfill(*workspace, arguments.subject));
    RF_ASSIGN(ProofReport made,
              ProveBackfill(workspace->engine(), state->id, OptionsOf(context, arguments)));
    RF_ASSIGN(state, workspace->store().Load(state->id));
    return made;
  }();
  if (!report.ok()) return std::move(report).error();
  answer.text = ProofText(*report, {.color = context.is_text() && context.terminal.color_output()});
  answer.data = ProofJson(*report);
  if (!report->proven) SetReason(answer, context, ReasonOf(*report));
  if (state) Describe(answer, *state);
  return answer;
}

Result<Answer> Execute(Context& context, const CanaryArguments& arguments) {
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(
                context, arguments.dry_run ? Workspace::Use::kReadOnly : Workspace::Use::kChange));
  RF_ASSIGN(BackfillState state, LoadBackfill(*workspace, arguments.plan));
  Answer answer;
  answer.type = "canary.result";
  if (arguments.dry_run) {
    answer.text = "Would stage and reconcile one partition of plan " + state.id + ".\n";
    Describe(answer, state);
    return answer;
  }
  RF_ASSIGN(const CanaryResult result,
            RunCanary(workspace->engine(), state.id, arguments.partition));
  answer.text = CanaryText(result);
  answer.data = CanaryJson(result);
  if (!result.passed) {
    for (const CheckResult& check : result.checks) {
      if (check.verdict == Verdict::kOk || check.warn_only || check.id.empty()) continue;
      Error error = Fail(ErrorCode::kFailed, check.id, "{} of {}: {}", check.name, result.key,
                         check.note.empty() ? "did not pass" : check.note);
      if (!answer.error) {
        answer.error = std::move(error);
      } else {
        answer.further_errors.push_back(std::move(error));
      }
    }
    if (!answer.error) {
      answer.error =
          Fail(ErrorCode::kFailed, result.failure_id.empty() ? "R0301" : result.failure_id, "{}",
               result.failure.empty() ? "the canary did not pass" : result.failure);
    }
    answer.exit = ExitStatusOf(*answer.error);
  }
  RF_ASSIGN(state, workspace->store().Load(state.id));
  Describe(answer, state);
  return answer;
}

namespace {

Result<Answer> Adopt(Context& context, const VerifyArguments& arguments) {
  RF_TRY(CheckReason("--adopt", arguments.adopt));
  if (arguments.selection.empty()) {
    return Fail(ErrorCode::kInvalid, "C0202", "`verify --adopt` needs the partitions to adopt")
        .Help("name them; all of the table is `..`");
  }
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(
                context, arguments.dry_run ? Workspace::Use::kReadOnly : Workspace::Use::kChange));
  AdoptCommand command{.table = arguments.id,
                       .selection = {},
                       .reason = arguments.adopt,
                       .dry_run = arguments.dry_run};
  RF_ASSIGN(command.selection, ReadSelection(arguments.selection));
  RF_ASSIGN(const AdoptResult result, AdoptPartitions(workspace->engine(), command));
  Answer answer;
  answer.type = "verify.adopted";
  answer.text = AdoptText(result);
  answer.data = AdoptJson(result);
  if (!result.refused.empty()) answer.exit = kExitBadAnswer;
  return answer;
}

}  // namespace

Result<Answer> Execute(Context& context, const VerifyArguments& arguments) {
  if (!arguments.adopt.empty()) return Adopt(context, arguments);
  if (!arguments.selection.empty() || arguments.dry_run) {
    return Fail(ErrorCode::kInvalid, "C0202",
                "`verify` takes partitions and --dry-run together with --adopt only")
        .Help("retrofill verify ID, or: retrofill verify TABLE SEL --adopt \"REASON\"");
  }
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(context, Workspace::Use::kReadOnly));
  Answer answer;
  answer.type = "verify.result";
  if (!arguments.partition.empty()) {
    RF_ASSIGN(const BackfillState state, LoadBackfill(*workspace, arguments.id));
    RF_ASSIGN(const Partition partition, state.plan->space->ParseKey(arguments.partition));
    const auto found = state.index.find(state.plan->space->IdentityText(partition));
    if (found == state.index.end()) {
      return Fail(ErrorCode::kInvalid, "P0106", "partition `{}` is not part of plan `{}`",
                  arguments.partition, state.id);
    }
    const PartitionState& each = state.partitions[found->second];
    answer.text = PartitionChecksText(each.checks);
    for (const CheckResult& check : each.checks) {
      if (check.verdict != Verdict::kOk && !check.warn_only) answer.exit = kExitBadAnswer;
    }
    Describe(answer, state);
    return answer;
  }
  RF_ASSIGN(const VerifyResult result, VerifyBackfill(workspace->engine(), arguments.id));
  answer.text = VerifyText(result, context.clock->Now());
  answer.data = VerifyJson(result);
  if (!result.ok) {
    answer.exit = kExitBadAnswer;
    for (const CheckResult& check : result.checks) {
      if (check.verdict == Verdict::kOk || check.warn_only || check.id.empty()) continue;
      Error error = Fail(ErrorCode::kFailed, check.id, "{}: {}", check.name,
                         check.note.empty() ? check.worst : check.note);
      if (!answer.error) {
        answer.error = std::move(error);
      } else {
        answer.further_errors.push_back(std::move(error));
      }
    }
  }
  Describe(answer, result.state);
  return answer;
}

Result<Answer> Execute(Context& context, const DiffArguments& arguments) {
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(context, Workspace::Use::kReadOnly));
  RF_ASSIGN(const DiffAnswer diff,
            DiffBackfill(workspace->engine(), arguments.id, arguments.partition, arguments.top));
  Answer answer;
  answer.type = "diff";
  answer.text = DiffText(diff, arguments.top, !arguments.partition.empty());
  answer.data = DiffJson(diff, arguments.top);
  answer.exit = HasDifferences(diff) ? kExitBadAnswer : kExitDone;
  Describe(answer, diff.state);
  answer.next.clear();
  return answer;
}

}  // namespace retrofill
