#pragma once

// The command line as values. One struct per verb; a member holds what was given, or its default.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "model/selection.h"

namespace retrofill {

// What every command takes.
struct GlobalArguments {
  std::string config{};     // -c; empty = search upward
  std::string directory{};  // -C; empty = the working directory
  std::string format{};     // empty = the command's own default
  std::string output{};     // -o; empty or `-` = standard output
  std::string color{};      // auto, always, never; empty = not given
  bool quiet = false;
  bool verbose = false;
  bool no_input = false;
  bool readonly = false;
};

// A table and its partitions, as typed.
struct TargetArguments {
  std::string table;
  SelectionArguments selection;
};

struct TableFilter {
  std::vector<std::string> select;   // names and `tag:NAME`
  std::vector<std::string> exclude;  // the same
};

struct InitArguments {
  std::string folder;  // empty = the working directory
  std::string duckdb;  // --duckdb FILE
  bool demo = false;
};
struct DoctorArguments {};
struct ConfigCheckArguments {};
struct ConfigShowArguments {
  bool origin = false;
};
struct ConfigSchemaArguments {};
struct LsArguments {
  TableFilter filter;
};
struct GapsArguments {
  TargetArguments target;  // table empty = every table
  TableFilter filter;
  bool all = false;
};
struct LineageArguments {
  TargetArguments target;
};
struct PlanArguments {
  TargetArguments target;
  std::string name;
  std::string reason;
  std::string as_of;
  std::string order;
  std::optional<int> slots;
  bool force = false;
  bool skip_blocked = false;
  bool all = false;
  bool detailed_exitcode = false;
  bool dry_run = false;
};
struct ProveArguments {
  std::string subject;  // a table, a plan file or a plan's name; empty = every table
  TableFilter filter;
  std::optional<int> samples;
  bool dry_run = false;
};
struct CanaryArguments {
  std::string plan;
  std::string partition;
  bool dry_run = false;
};
struct RunArguments {
  PlanArguments plan;  // target.table holds the plan if no selection was given
  std::string confirm;
  std::string grace;
  std::string override_proof;
  std::string skip_canary;
  std::string allow_stale;
  std::vector<std::string> hold;
  bool yes = false;
  bool publish = false;
  bool no_publish = false;
  bool detach = false;
};
struct StatusArguments {
  std::string id;  // empty = all
};
struct HistoryArguments {
  std::string table;  // empty = all
};
struct ShowArguments {
  std::string subject;
  bool sql = false;
  bool steps = false;
  bool partitions = false;
};
struct LogsArguments {
  std::string id;
  std::string key;
};
struct VerifyArguments {
  std::string id;  // a backfill; with `adopt` a table
  std::string partition;
  SelectionArguments selection;  // with `adopt`
  std::string adopt;             // the reason; empty = nothing is adopted
  bool dry_run = false;
};
struct PublishArguments {
  std::string id;
  std::string confirm;
  bool dry_run = false;
};
struct DiffArguments {
  std::string id;
  std::string partition;
  int top = 10;
};
struct ReportArguments {
  std::string id;
};
struct UndoArguments {
  std::string id;
  SelectionArguments selection;
  std::string confirm;
  std::string reason;
  bool dry_run = false;
};
struct PauseArguments {
  std::string id;
  std::string reason;
  bool dry_run = false;
};
struct ResumeArguments {
  std::string id;
  std::string reason;
  std::string confirm;
  std::string grace;
  bool publish = false;
  bool dry_run = false;
};
struct CancelArguments {
  std::string id;
  std::string reason;
  bool yes = false;
  bool dry_run = false;
};
struct RetryArguments {
  std::string id;
  SelectionArguments selection;
  std::string reason;
  bool dry_run = false;
};
struct CleanArguments {
  bool yes = false;
  bool dry_run = false;
};
struct ExplainArguments {
  std::string code;
};
struct VersionArguments {};
// `-h`, `--help` or no command at all.
struct HelpArguments {
  std::string text;
};

using VerbArguments =
    std::variant<HelpArguments, InitArguments, DoctorArguments, ConfigCheckArguments,
                 ConfigShowArguments, ConfigSchemaArguments, LsArguments, GapsArguments,
                 LineageArguments, PlanArguments, ProveArguments, CanaryArguments, RunArguments,
                 StatusArguments, HistoryArguments, ShowArguments, LogsArguments, VerifyArguments,
                 PublishArguments, DiffArguments, ReportArguments, UndoArguments, PauseArguments,
                 ResumeArguments, CancelArguments, RetryArguments, CleanArguments, ExplainArguments,
                 VersionArguments>;

struct Invocation {
  GlobalArguments global;
  std::string verb;  // "plan", "config check"; the alias `apply` is "run"
  VerbArguments arguments;
};

// Reads the arguments after the program's name. Flags may stand before or after arguments; nothing
// may be abbreviated. kInvalid C0201 (unknown command or flag, one suggestion), C0202 (missing
// argument or value), C0103 (a value that cannot be one), C0203 (names and instants), C0206 (no
// such format).
Result<Invocation> ParseArguments(std::span<const std::string> arguments);

// Whether the answer was asked for as JSON, also where the rest of the line cannot be read.
bool AsksForJson(std::span<const std::string> arguments);

// Every command of this version, as typed: "plan", "config check".
std::vector<std::string> CommandNames();

}  // namespace retrofill
