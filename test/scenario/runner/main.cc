// scenario_runner FILE: runs one scenario file in every combination of its matrix and for every
// point of its loop. RETROFILL_PROGRAM and RETROFILL_FIXTURES name the program and the projects,
// RETROFILL_FLIGHTS the file of examples/flights. Exit 0 if everything held, 1 if not (the failure
// is printed), 2 if the file cannot be read.

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "base/environment.h"
#include "base/file.h"
#include "base/text.h"
#include "child_limits.h"
#include "scenario_run.h"

namespace retrofill::scenario {
namespace {

using Variables = std::map<std::string, std::string>;

struct Setup {
  std::string program;
  std::string fixtures;
  std::string flights;    // the Parquet file of examples/flights
  std::string temporary;  // folder for the runs' folders
};

Result<std::string> MakeRunFolder(const Setup& setup) {
  std::string pattern = setup.temporary + "/scenario-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) return WriteError("make", pattern, errno);
  return pattern;
}

struct Outcome {
  Status status;
  std::vector<std::pair<std::string, int>> reached;
};

Outcome RunOnce(const Setup& setup, const std::string& text, bool count_points) {
  Result<Script> script = ParseScript(text);
  if (!script.ok()) return {.status = std::move(script).error(), .reached = {}};
  Result<std::string> folder = MakeRunFolder(setup);
  if (!folder.ok()) return {.status = std::move(folder).error(), .reached = {}};
  ScenarioRun run({.program = setup.program,
                   .fixtures = setup.fixtures,
                   .folder = *folder,
                   .count_points = count_points});
  Outcome outcome{.status = run.Run(*script), .reached = run.reached()};
  const Status removed = RemoveFolder(*folder);
  if (outcome.status.ok() && !removed.ok()) outcome.status = removed;
  return outcome;
}

// One run per point below the loop's prefix, and per time it is reached if the body asks for that.
Status RunLoop(const Setup& setup, const std::string& text, const Loop& loop, int& runs) {
  const Outcome counted = RunOnce(setup, Substitute(text, {{"point", "counted"}, {"nth", "1"}}),
                                  /*count_points=*/true);
  RF_TRY(counted.status);
  int points = 0;
  for (const auto& [point, hits] : counted.reached) {
    if (!point.starts_with(loop.prefix + ".") && point != loop.prefix) continue;
    ++points;
    for (int nth = 1; nth <= (loop.each_hit ? hits : 1); ++nth) {
      const Outcome outcome = RunOnce(
          setup, Substitute(text, {{"point", point}, {"nth", fmt::format("{}", nth)}}), false);
      ++runs;
      if (!outcome.status.ok()) {
        return Error(outcome.status.error()).While(fmt::format("{} reached {} times", point, nth));
      }
    }
  }
  if (points == 0) {
    return Fail(ErrorCode::kFailed, "X0199", "no point of `{}` was reached", loop.prefix);
  }
  return Ok();
}

Status RunFile(const Setup& setup, const std::string& text, int& runs) {
  RF_ASSIGN(const std::vector<Variables> combinations, ReadMatrix(text));
  for (Variables combination : combinations) {
    combination["flights"] = setup.flights;
    combination["runner_pid"] = fmt::format("{}", getpid());
    const std::string body = Substitute(text, combination);
    RF_ASSIGN(const Script script, ParseScript(body));
    if (script.loop.has_value()) {
      RF_TRY(RunLoop(setup, body, *script.loop, runs));
      continue;
    }
    Outcome outcome = RunOnce(setup, body, false);
    ++runs;
    RF_TRY(std::move(outcome.status));
  }
  return Ok();
}

int Main(const std::string& path) {
  const Environment environment = Environment::OfProcess();
  const Setup setup = {.program = environment.Find("RETROFILL_PROGRAM").value_or(""),
                       .fixtures = environment.Find("RETROFILL_FIXTURES").value_or(""),
                       .flights = environment.Find("RETROFILL_FLIGHTS").value_or(""),
                       .temporary = std::filesystem::temp_directory_path().string()};
  const Result<std::string> text = ReadFile(path);
  if (!text.ok() || !FileExists(setup.program)) {
    fmt::print(stderr, "{}\n",
               text.ok() ? "RETROFILL_PROGRAM names no file" : text.error().message());
    return 2;
  }
  int runs = 0;
  Status status = LetModesBindChildren();
  if (status.ok()) status = RunFile(setup, *text, runs);
  if (!status.ok()) {
    fmt::print(stderr, "{}: {}\n", path, status.error().message());
    for (const std::string& doing : status.error().context()) fmt::print(stderr, "  {}\n", doing);
    return status.error().code() == ErrorCode::kInvalid ? 2 : 1;
  }
  fmt::print("{}: {} runs\n", path, runs);
  return 0;
}

}  // namespace
}  // namespace retrofill::scenario

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: scenario_runner FILE\n");
    return 2;
  }
  return retrofill::scenario::Main(argv[1]);
}
