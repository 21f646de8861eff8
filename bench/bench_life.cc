// bench_life PROGRAM BARE_LOOP DIGEST FLIGHTS FOLDER ROUNDS: the figures of a whole backfill on
// DuckDB, each as a ratio to the bare loop of the same run, or as a limit. Fails if both sides
// computed different rows; a missed target is printed, not failed.

#include <algorithm>

#include "base/child_process.h"
#include "base/file.h"
#include "base/text.h"
#include "bench_setup.h"

namespace retrofill {

Result<Measured> MustRun(const BenchSetup& setup, const std::vector<std::string>& arguments,
                         const std::string& folder) {
  RF_TRY(RemoveFile(setup.log()));
  RF_ASSIGN(const Measured measured, RunMeasured(arguments, folder, setup.log()));
  if (measured.exit_status == 0) return measured;
  RF_ASSIGN(const std::string log, ReadFile(setup.log()));
  return Fail(ErrorCode::kFailed, "X0201", "`{}` ended with {}:\n{}", Join(arguments, " "),
              measured.exit_status, log);
}

Status ExecuteOn(const BenchSetup& setup, const std::string& file, const std::string& sql) {
  RF_TRY(MustRun(setup, {setup.bare_loop, file, sql}, setup.folder));
  return Ok();
}

Result<std::string> DigestOf(const BenchSetup& setup, const std::string& file,
                             const std::string& relation) {
  RF_ASSIGN(ChildResult result, RunChild({setup.digest, file, relation}));
  if (result.exit_status == 0) return std::move(result.output);
  return Fail(ErrorCode::kFailed, "X0201", "no digest of {}: {}", file, result.errors);
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

namespace {

Status RunAll(const BenchSetup& setup) {
  RF_TRY(BenchStart(setup));
  RF_TRY(BenchFirstBytes(setup));
  RF_TRY(BenchNoOps(setup));
  RF_TRY(BenchWholeRewrite(setup));
  return BenchFlights(setup);
}

}  // namespace
}  // namespace retrofill

int main(int argc, char** argv) {
  using namespace retrofill;  // NOLINT: a program's entry
  if (argc != 7) {
    fmt::print(stderr, "usage: bench_life PROGRAM BARE_LOOP DIGEST FLIGHTS FOLDER ROUNDS\n");
    return 2;
  }
  const BenchSetup setup = {.program = argv[1],
                            .bare_loop = argv[2],
                            .digest = argv[3],
                            .flights = FileExists(argv[4]) ? argv[4] : "",
                            .folder = argv[5],
                            .rounds = static_cast<int>(ParseInteger(argv[6]).value_or(5))};
  Status status = RemoveFolder(setup.folder);
  if (status.ok()) status = MakeFolders(setup.folder);
  if (status.ok()) status = RunAll(setup);
  if (!status.ok()) fmt::print(stderr, "{}\n", status.error().message());
  return status.ok() ? 0 : 1;
}
