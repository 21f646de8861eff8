#include "cli/verb_flags.h"

#include <algorithm>
#include <array>
#include <string>

namespace retrofill {
namespace {

constexpr const char* kReason = "why; stored with your name, 8 characters or more";
constexpr const char* kDryRun = "say what would happen; change nothing";

void DeclareSelection(Flags& flags, SelectionArguments& selection) {
  flags.Rest("SEL", &selection.words,
             "partitions by name: 2026-01, 2025-11..2026-01, 2026-01-31/eu, region=eu, @missing; "
             "`-` reads keys from standard input");
  flags.List("--except", &selection.except, "SEL", "leave these partitions out");
}

void DeclareTarget(Flags& flags, TargetArguments& target, bool needed) {
  flags.Argument("TABLE", &target.table, "a table of retrofill.yml", needed);
  DeclareSelection(flags, target.selection);
  flags.OptionalText("--start,--event-time-start", &target.selection.start, "INSTANT",
                     "partitions by time, in place of names: from this instant");
  flags.OptionalText("--end,--event-time-end", &target.selection.end, "INSTANT",
                     "up to this instant, which is not included");
  flags.Align("--align", &target.selection.align,
              "when a bound cuts a partition: leave it out (in) or take it whole (out)");
}

void DeclareFilter(Flags& flags, TableFilter& filter) {
  flags.List("--select", &filter.select, "TABLE",
             "only these: NAME, NAME+, +NAME, tag:NAME, path:FOLDER/");
  flags.List("--exclude", &filter.exclude, "TABLE", "all but these");
}

void DeclarePlanFlags(Flags& flags, PlanArguments& plan) {
  flags.Text("--name", &plan.name, "NAME", "name of plan and backfill");
  flags.Text("--reason", &plan.reason, "R", "why history is rewritten; stands in plan and report");
  flags.Text("--as-of", &plan.as_of, "INSTANT", "what `now` is for this plan");
  flags.Text("--order", &plan.order, "ORDER", "oldest_first or newest_first");
  flags.Number("--slots", &plan.slots, "partitions computed at once, up to the slots of the pool",
               "the slots of the table's pool");
  flags.Switch("--force", &plan.force, "also partitions that are ok");
  flags.Switch("--skip-blocked", &plan.skip_blocked, "go on without partitions that are blocked");
  flags.Switch("-n,--dry-run", &plan.dry_run, kDryRun);
}

template <typename T>
T& Put(VerbArguments& arguments) {
  return arguments.emplace<T>();
}

void DeclareInit(Flags& flags, VerbArguments& arguments) {
  InitArguments& init = Put<InitArguments>(arguments);
  flags.Argument("DIR", &init.folder, "folder of the project; made if it is not there", false);
  flags.Switch("--demo", &init.demo, "a shop with seven tables and planted traps");
  flags.Text("--duckdb", &init.duckdb, "FILE", "start from the tables of this DuckDB file");
}

void DeclareDoctor(Flags&, VerbArguments& arguments) { Put<DoctorArguments>(arguments); }
void DeclareCheck(Flags&, VerbArguments& arguments) { Put<ConfigCheckArguments>(arguments); }
void DeclareSchema(Flags&, VerbArguments& arguments) { Put<ConfigSchemaArguments>(arguments); }
void DeclareVersion(Flags&, VerbArguments& arguments) { Put<VersionArguments>(arguments); }

void DeclareConfigShow(Flags& flags, VerbArguments& arguments) {
  flags.Switch("--origin", &Put<ConfigShowArguments>(arguments).origin,
               "where each value comes from");
}

void DeclareLs(Flags& flags, VerbArguments& arguments) {
  DeclareFilter(flags, Put<LsArguments>(arguments).filter);
}

void DeclareGaps(Flags& flags, VerbArguments& arguments) {
  GapsArguments& gaps = Put<GapsArguments>(arguments);
  DeclareTarget(flags, gaps.target, false);
  DeclareFilter(flags, gaps.filter);
  flags.Switch("--all", &gaps.all, "also partitions that are ok");
}

void DeclareLineage(Flags& flags, VerbArguments& arguments) {
  DeclareTarget(flags, Put<LineageArguments>(arguments).target, true);
}

void DeclarePlan(Flags& flags, VerbArguments& arguments) {
  PlanArguments& plan = Put<PlanArguments>(arguments);
  DeclareTarget(flags, plan.target, true);
  DeclarePlanFlags(flags, plan);
  flags.Switch("--all", &plan.all, "unfold the partitions that are skipped");
  flags.Switch("--detailed-exitcode", &plan.detailed_exitcode,
               "exit 6 where there is something to do");
}

void DeclareProve(Flags& flags, VerbArguments& arguments) {
  ProveArguments& prove = Put<ProveArguments>(arguments);
  flags.Argument("TABLE|PLAN", &prove.subject, "a table, a plan's file or its name; none = all",
                 false);
  DeclareFilter(flags, prove.filter);
  flags.Number("--samples", &prove.samples, "sample partitions to run, at most");
  flags.Switch("-n,--dry-run", &prove.dry_run, kDryRun);
}

void DeclareCanary(Flags& flags, VerbArguments& arguments) {
  CanaryArguments& canary = Put<CanaryArguments>(arguments);
  flags.Argument("PLAN", &canary.plan, "a plan's file or its name", true);
  flags.Text("--partition", &canary.partition, "KEY", "the partition to look at");
  flags.Switch("-n,--dry-run", &canary.dry_run, kDryRun);
}

void DeclareRun(Flags& flags, VerbArguments& arguments) {
  RunArguments& run = Put<RunArguments>(arguments);
  DeclareTarget(flags, run.plan.target, true);
  DeclarePlanFlags(flags, run.plan);
  flags.Switch("--yes", &run.yes, "agree to start; does not agree to publish");
  flags.Switch("--publish", &run.publish, "agree to publish; includes --yes");
  flags.Switch("--no-publish", &run.no_publish, "stop before publishing and call that success");
  flags.Text("--confirm", &run.confirm, "NAME", "the plan's name, in place of typing it");
  flags.List("--hold", &run.hold, "S", "hold this schedule");
  flags.Switch("--detach", &run.detach, "hand the work to a worker and return");
  flags.Text("--grace", &run.grace, "D", "time for running partitions to finish on SIGTERM");
  flags.Text("--override-proof", &run.override_proof, "R", "run although it is not proven");
  flags.Text("--skip-canary", &run.skip_canary, "R", "run without a canary");
  flags.Text("--allow-stale", &run.allow_stale, "R", "run the pinned code of an outdated plan");
}

void DeclareStatus(Flags& flags, VerbArguments& arguments) {
  StatusArguments& status = Put<StatusArguments>(arguments);
  flags.Argument("ID", &status.id, "one backfill", false);
}

void DeclareHistory(Flags& flags, VerbArguments& arguments) {
  flags.Argument("TABLE", &Put<HistoryArguments>(arguments).table, "only this table", false);
}

void DeclareShow(Flags& flags, VerbArguments& arguments) {
  ShowArguments& show = Put<ShowArguments>(arguments);
  flags.Argument("ID|FILE", &show.subject, "a backfill, or a plan's file", true);
  flags.Switch("--sql", &show.sql, "the pinned SQL");
  flags.Switch("--steps", &show.steps, "what happened, in order");
  flags.Switch("--partitions", &show.partitions, "every partition with its state");
}

void DeclareLogs(Flags& flags, VerbArguments& arguments) {
  LogsArguments& logs = Put<LogsArguments>(arguments);
  flags.Argument("ID", &logs.id, "a backfill", true);
  flags.Argument("KEY", &logs.key, "only this partition", false);
}

void DeclareVerify(Flags& flags, VerbArguments& arguments) {
  VerifyArguments& verify = Put<VerifyArguments>(arguments);
  flags.Argument("ID|TABLE", &verify.id, "a backfill; with --adopt a table", true);
  DeclareSelection(flags, verify.selection);
  flags.Text("--partition", &verify.partition, "KEY", "the checks of one partition");
  flags.Text("--adopt", &verify.adopt, "R",
             "take partitions that were there before for right where they agree with their source; "
             "why, 8 characters or more");
  flags.Switch("-n,--dry-run", &verify.dry_run, kDryRun);
}

void DeclarePublish(Flags& flags, VerbArguments& arguments) {
  PublishArguments& publish = Put<PublishArguments>(arguments);
  flags.Argument("ID", &publish.id, "a backfill", true);
  flags.Text("--confirm", &publish.confirm, "NAME", "the plan's name, in place of typing it");
  flags.Switch("-n,--dry-run", &publish.dry_run, kDryRun);
}

void DeclareDiff(Flags& flags, VerbArguments& arguments) {
  DiffArguments& diff = Put<DiffArguments>(arguments);
  flags.Argument("ID", &diff.id, "a backfill", true);
  flags.Text("--partition", &diff.partition, "KEY", "the rows of one partition");
  flags.Number("--top", &diff.top, "partitions to list, those that moved most first");
}

void DeclareReport(Flags& flags, VerbArguments& arguments) {
  flags.Argument("ID", &Put<ReportArguments>(arguments).id, "a backfill", true);
}

void DeclareUndo(Flags& flags, VerbArguments& arguments) {
  UndoArguments& undo = Put<UndoArguments>(arguments);
  flags.Argument("ID", &undo.id, "a backfill that published", true);
  DeclareSelection(flags, undo.selection);
  flags.Text("--confirm", &undo.confirm, "NAME", "the backfill's name, in place of typing it");
  flags.Text("--reason", &undo.reason, "R", kReason);
  flags.Switch("-n,--dry-run", &undo.dry_run, kDryRun);
}

void DeclarePause(Flags& flags, VerbArguments& arguments) {
  PauseArguments& pause = Put<PauseArguments>(arguments);
  flags.Argument("ID", &pause.id, "a backfill that runs", true);
  flags.Text("--reason", &pause.reason, "R", kReason);
  flags.Switch("-n,--dry-run", &pause.dry_run, kDryRun);
}

void DeclareResume(Flags& flags, VerbArguments& arguments) {
  ResumeArguments& resume = Put<ResumeArguments>(arguments);
  flags.Argument("ID", &resume.id, "a backfill that stopped early", true);
  flags.Text("--reason", &resume.reason, "R", kReason);
  flags.Switch("--publish", &resume.publish, "agree to publish");
  flags.Text("--confirm", &resume.confirm, "NAME", "the plan's name, in place of typing it");
  flags.Text("--grace", &resume.grace, "D", "time for running partitions to finish on SIGTERM");
  flags.Switch("-n,--dry-run", &resume.dry_run, kDryRun);
}

void DeclareCancel(Flags& flags, VerbArguments& arguments) {
  CancelArguments& cancel = Put<CancelArguments>(arguments);
  flags.Argument("ID", &cancel.id, "a backfill", true);
  flags.Text("--reason", &cancel.reason, "R", kReason);
  flags.Switch("--yes", &cancel.yes, "agree");
  flags.Switch("-n,--dry-run", &cancel.dry_run, kDryRun);
}

void DeclareRetry(Flags& flags, VerbArguments& arguments) {
  RetryArguments& retry = Put<RetryArguments>(arguments);
  flags.Argument("ID", &retry.id, "a backfill with failed partitions", true);
  DeclareSelection(flags, retry.selection);
  flags.Text("--reason", &retry.reason, "R", kReason);
  flags.Switch("-n,--dry-run", &retry.dry_run, kDryRun);
}

void DeclareClean(Flags& flags, VerbArguments& arguments) {
  CleanArguments& clean = Put<CleanArguments>(arguments);
  flags.Switch("--yes", &clean.yes, "agree to drop what is listed");
  flags.Switch("-n,--dry-run", &clean.dry_run, kDryRun);
}

void DeclareExplain(Flags& flags, VerbArguments& arguments) {
  flags.Argument("CODE", &Put<ExplainArguments>(arguments).code, "a code such as P0304", true);
}

constexpr std::array kVerbs = {
    VerbSpec{"init", "write a first retrofill.yml, or the demo project", "Never overwrites a file.",
             "retrofill init --demo shop", "text json", true, DeclareInit},
    VerbSpec{"doctor", "look for what is in the way; a fix for each finding", "Changes nothing.",
             "retrofill doctor", "text json", false, DeclareDoctor},
    VerbSpec{"config check", "read the configuration and report every problem", "",
             "retrofill config check", "text json", false, DeclareCheck},
    VerbSpec{"config show", "print the merged values", "", "retrofill config show --origin",
             "text json", false, DeclareConfigShow},
    VerbSpec{"config schema", "print the JSON Schema of retrofill.yml", "",
             "retrofill config schema -o config.schema.json", "text json", false, DeclareSchema},
    VerbSpec{"ls", "tables and their health", "", "retrofill ls --select tag:finance", "text json",
             false, DeclareLs},
    VerbSpec{"gaps", "partitions that are missing or not right, with why",
             "Exit 1 where there is one.", "retrofill gaps revenue_daily 2026-01", "text json",
             false, DeclareGaps},
    VerbSpec{"lineage", "what partitions read, and what becomes stale when they are rewritten",
             "Without SEL: all up to the newest that can be computed. Changes nothing.",
             "retrofill lineage revenue_daily 2026-01", "text json", false, DeclareLineage},
    VerbSpec{"plan", "freeze what will happen, as a hashed plan",
             "Reads metadata and aggregates only. With -o the plan is written to that file.",
             "retrofill plan revenue_daily 2025-11..2026-01 -o fin-812.plan.json", "text json",
             true, DeclarePlan},
    VerbSpec{"prove", "is the transform safe to run again?",
             "Runs it on sample partitions, aside from production.",
             "retrofill prove revenue_daily", "text json", true, DeclareProve},
    VerbSpec{"canary", "stage and reconcile one real partition", "",
             "retrofill canary fin-812 --partition 2026-01-17/eu", "text json", true,
             DeclareCanary},
    VerbSpec{"run", "all steps, up to the first gate that is not met",
             "Takes a plan (its file or name), or a table with partitions and every flag of "
             "`plan`. Also called `apply`.",
             "retrofill run revenue_daily 2026-01-31 --publish", "text json jsonl", true,
             DeclareRun},
    VerbSpec{"status", "backfills that are going on, or one of them", "", "retrofill status",
             "text json", false, DeclareStatus},
    VerbSpec{"history", "backfills of the past", "", "retrofill history revenue_daily", "text json",
             false, DeclareHistory},
    VerbSpec{"show", "one plan or backfill, in full", "", "retrofill show fin-812 --partitions",
             "text json", false, DeclareShow},
    VerbSpec{"logs", "what the attempts said", "", "retrofill logs fin-812 2025-11-19/us",
             "text json", false, DeclareLogs},
    VerbSpec{
        "verify", "all checks over the range, and nothing else changed",
        "With --adopt: reconciles rows that were there before retrofill and records those that "
        "pass.",
        "retrofill verify fin-812", "text json", false, DeclareVerify},
    VerbSpec{"publish", "make the staged partitions the live ones", "",
             "retrofill publish fin-812 --confirm fin-812", "text json", true, DeclarePublish},
    VerbSpec{"diff", "rows before and after", "Exit 1 where they differ.",
             "retrofill diff fin-812 --top 3", "text json", false, DeclareDiff},
    VerbSpec{"report", "the evidence, for people", "", "retrofill report fin-812 -o fin-812.txt",
             "text json", false, DeclareReport},
    VerbSpec{"undo", "publish the previous rows again", "An undo can be undone under its own id.",
             "retrofill undo fin-812 2025-12-24/us --dry-run", "text json", true, DeclareUndo},
    VerbSpec{"pause", "start nothing new; running partitions finish", "", "retrofill pause fin-812",
             "text json", true, DeclarePause},
    VerbSpec{"resume", "go on with a backfill that stopped early", "", "retrofill resume fin-812",
             "text json jsonl", true, DeclareResume},
    VerbSpec{"cancel", "end a backfill for good; what is published stays", "",
             "retrofill cancel fin-812 --yes", "text json", true, DeclareCancel},
    VerbSpec{"retry", "try failed partitions again", "", "retrofill retry fin-812 2025-11-19/us",
             "text json jsonl", true, DeclareRetry},
    VerbSpec{"clean", "drop expired stages, previous rows and killed proofs; lists them first", "",
             "retrofill clean --dry-run", "text json", true, DeclareClean},
    VerbSpec{"explain", "what a code means and what to do", "", "retrofill explain P0304",
             "text json", false, DeclareExplain},
    VerbSpec{"version", "versions of retrofill and its libraries", "", "retrofill version --json",
             "text json", false, DeclareVersion},
};

constexpr std::array<std::string_view, 12> kLaterVerbs = {"approve", "tune",  "refresh",    "hold",
                                                          "release", "gate",  "replay",     "serve",
                                                          "worker",  "token", "completion", "man"};

constexpr std::array<std::string_view, 19> kLaterFlags = {"--include-open",
                                                          "--partial",
                                                          "--follow",
                                                          "-f",
                                                          "--from",
                                                          "--var",
                                                          "--allow-mixed",
                                                          "--allow-dirty",
                                                          "--offline",
                                                          "--changed-since",
                                                          "--exact",
                                                          "--quarantine",
                                                          "--idempotency-key",
                                                          "--from-dbt",
                                                          "--agent-skill",
                                                          "--role",
                                                          "--grants",
                                                          "--only",
                                                          "--leave"};

}  // namespace

std::span<const VerbSpec> Verbs() { return kVerbs; }

const VerbSpec* FindVerb(std::string_view name) {
  const auto* found = std::find_if(kVerbs.begin(), kVerbs.end(),
                                   [&](const VerbSpec& verb) { return verb.name == name; });
  return found == kVerbs.end() ? nullptr : found;
}

void DeclareGlobalFlags(Flags& flags, GlobalArguments& global, bool* json, bool* help) {
  flags.Text("-c,--config", &global.config, "FILE",
             "the configuration; else retrofill.yml of this folder or one above it");
  flags.Text("-C,--directory", &global.directory, "DIR", "work as if started there");
  flags.Text("--format", &global.format, "F", "text, json, jsonl: what the command can give");
  flags.Switch("--json", json, "one JSON object on standard output");
  flags.Text("-o,--output", &global.output, "FILE", "write the answer there; - is standard output");
  flags.Switch("-q,--quiet", &global.quiet, "no hints");
  flags.Switch("-v,--verbose", &global.verbose, "say more");
  flags.Text("--color", &global.color, "WHEN", "auto, always or never");
  flags.Switch("--no-input", &global.no_input, "never ask");
  flags.Switch("--readonly", &global.readonly, "refuse whatever would change something");
  flags.Switch("-h,--help", help, "this text");
}

bool IsLaterVerb(std::string_view name) {
  return std::find(kLaterVerbs.begin(), kLaterVerbs.end(), name) != kLaterVerbs.end();
}

bool IsLaterFlag(std::string_view flag) {
  return std::find(kLaterFlags.begin(), kLaterFlags.end(), flag) != kLaterFlags.end();
}

}  // namespace retrofill
