#pragma once

// One run of a scenario: a fresh folder, the processes started in it, and what they said.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "base/error.h"
#include "script.h"
#include "target.h"
#include "terminal_child.h"

namespace retrofill::scenario {

struct RunOptions {
  std::string program;   // absolute path of `retrofill`
  std::string fixtures;  // absolute path of test/fixtures
  std::string folder;    // an empty folder that the run may fill; the caller removes it
  // Stops after the first process whose points are armed, without arming them: tells which points
  // it reaches.
  bool count_points = false;
};

// One thread; one use.
class ScenarioRun {
 public:
  explicit ScenarioRun(RunOptions options);
  ScenarioRun(const ScenarioRun&) = delete;
  ScenarioRun& operator=(const ScenarioRun&) = delete;

  // Runs all lines, then the checks that nobody asked for. The error names the line and shows what
  // the last process said.
  Status Run(const Script& script);

  // Points in the order of their first being reached, with counts; of the process that
  // `count_points` stopped at.
  const std::vector<std::pair<std::string, int>>& reached() const { return reached_; }

 private:
  struct Process {
    std::vector<std::string> arguments;
    int status = 0;
    std::string output;
    std::string errors;
    bool was_checked = true;  // an `exit` line followed, or none is needed
  };
  struct Background {
    BackgroundChild child;
    std::vector<std::string> arguments;
    std::string output_path;
    std::string errors_path;
  };
  struct Snapshot {
    std::map<std::string, std::string> relations;
    std::map<std::string, std::string> files;
  };
  struct Operator {
    std::string user = "ana";
    std::string host = "build-1";
  };

  Status Step(const Line& line);
  // Each handles a group of verbs; nullopt if the verb is not of the group.
  std::optional<Status> FileStep(const Line& line);
  std::optional<Status> ProcessStep(const Line& line);
  std::optional<Status> TerminalStep(const Line& line);
  std::optional<Status> CheckStep(const Line& line);
  std::optional<Status> DataStep(const Line& line);

  Status CopyProject(const Line& line);
  Status EditFile(const Line& line);
  Status SetClock(const Line& line);
  Status Damage(const Line& line);
  Status SealPlan(const Line& line);
  Status GrowFile(const Line& line);
  Status SetMode(const Line& line);
  Status SetFileLimit(const Line& line);
  Status Arm(const Line& line);
  Status TakeInput(const Line& line);
  Status RedirectOutput(const Line& line);
  // The whole command line; a redirection holds for one process.
  std::vector<std::string> CommandOf(const std::vector<std::string>& arguments);
  Status RunProgram(const Line& line, const std::vector<std::string>& arguments);
  Status StartProgram(const Line& line);
  Status Await(const Line& line);
  Status SendSignal(const Line& line);
  Status WaitFor(const Line& line);
  Status StartOnTerminal(const Line& line);
  Status SeeOnScreen(const Line& line, TerminalChild& terminal);
  Status LeaveTerminal(const Line& line, std::map<std::string, TerminalChild>::iterator terminal);
  Status CheckExit(const Line& line);
  Status CheckText(const Line& line, const std::string& text) const;
  Status CheckId(const Line& line) const;
  Status CheckJson(const Line& line) const;
  Status CheckQuery(const Line& line) const;
  Status TakeSnapshot(const Line& line);
  Status CompareSnapshot(const Line& line);
  Status CheckEnd();
  Status CheckSecrets() const;
  Status CheckJournal() const;
  // An earlier process that failed without anybody looking.
  Status CheckNothingUnchecked() const;

  std::map<std::string, std::string> Variables() const;
  ChildOptions ProgramOptions() const;
  Result<std::map<std::string, std::string>> FileDigests() const;
  Error Failed(const Line& line, std::string_view why) const;
  std::string PathOf(const std::string& name) const;
  std::string DatabasePath() const { return PathOf(database_); }

  const RunOptions options_;
  std::string project_;  // where the program is run
  std::string database_ = "warehouse.duckdb";
  std::optional<absl::Time> clock_;
  std::optional<int64_t> file_limit_;  // bytes that no file of the program grows past
  Operator operator_;
  int restarts_ = 0;
  std::map<std::string, std::string> extra_variables_;
  std::vector<std::string> rules_;  // of RETROFILL_POINTS, for the next process
  std::string redirection_;         // as a shell writes it, for the next process
  std::string input_;               // what the next process reads on standard input
  bool kill_expected_ = false;
  std::vector<std::string> armed_points_;
  Process last_;
  std::vector<std::string> restartable_;  // what `restart` runs again, and by whom
  Operator restartable_operator_;
  bool restart_pending_ = false;  // it was killed and not started again yet
  std::map<std::string, Background> background_;
  std::map<std::string, TerminalChild> terminals_;
  std::map<std::string, Snapshot> snapshots_;
  std::unique_ptr<HeldDatabase> held_;
  std::vector<std::string> secrets_;
  std::vector<std::string> said_;  // all outputs, for `secret`
  std::vector<std::pair<std::string, int>> reached_;
  bool stop_ = false;
};

}  // namespace retrofill::scenario
