// What costs little each time and is done often: the start, and the bookkeeping of a partition.

#include <fcntl.h>
#include <unistd.h>

#include <memory>

#include "base/clock.h"
#include "base/file.h"
#include "bench_setup.h"

namespace retrofill {
namespace {

constexpr char kNoOpYaml[] = R"yml(version: 1
connections: {warehouse: {type: duckdb, path: bench.duckdb}}
pools: {default: {connection: warehouse, slots: 4}}
sources: {main.events: {event_time: ts}}
tables:
  events_hourly:
    partition: {by: hour, column: ts, begin: 2025-01-01}
    grain: [ts]
    pool: default
    inputs: [{source: main.events}]
    transform: {sql: table.sql}
    reconcile: [{count: {source: "count(*)",
               target : "count(*)"
}
}]
)yml";

// Median of 200 writes of 4 KiB that are synced one by one.
Result<double> SyncLatencyMs(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return WriteError("make", path, errno);
  const std::unique_ptr<Clock> clock = MakeSystemClock();
  const std::string block(4096, 'x');
  std::vector<double> waits;
  for (int i = 0; i < 200; ++i) {
    const absl::Duration start = clock->Monotonic();
    const bool is_written = write(file, block.data(), block.size()) == 4096 && fdatasync(file) == 0;
    if (!is_written) return close(file), WriteError("sync", path, errno);
    waits.push_back(absl::ToDoubleMilliseconds(clock->Monotonic() - start));
  }
  close(file);
  return Median(waits);
}

}  // namespace

Status BenchStart(const BenchSetup& setup) {
  std::vector<double> walls;
  for (int i = 0; i < 20; ++i) {
    RF_ASSIGN(const Measured run, MustRun(setup, {setup.program, "version"}, setup.folder));
    walls.push_back(1000 * run.wall_s);
  }
  fmt::print("start: `retrofill version` {:.1f} ms, limit 50{}\n", Median(walls),
             Median(walls) <= 50 ? "" : "   MISSED");
  return Ok();
}

Status BenchNoOps(const BenchSetup& setup) {
  const std::string folder = setup.folder + "/noop";
  RF_TRY(MakeFolders(folder));
  RF_TRY(WriteFileAtomically(folder + "/retrofill.yml", kNoOpYaml));
  RF_TRY(WriteFileAtomically(folder + "/table.sql",
                             "select ts from {{ source('main.events') }} "
                             "where {{ window('main.events') }}\n"));
  RF_TRY(ExecuteOn(setup, folder + "/bench.duckdb",
                   "create table events as select timestamp '2025-01-01' + interval (h) hour as ts "
                   "from range(1000) as hours(h)"));
  RF_ASSIGN(const double sync, SyncLatencyMs(folder + "/sync"));
  RF_TRY(MustRun(setup,
                 {setup.program, "plan", "events_hourly", "--start", "2025-01-01T00:00:00Z",
                  "--end", "2025-02-11T16:00:00Z", "--name", "noop", "-o", "plan.json"},
                 folder));
  RF_TRY(MustRun(setup, {setup.program, "prove", "plan.json"}, folder));
  RF_ASSIGN(const Measured run,
            MustRun(setup, {setup.program, "run", "plan.json", "--publish"}, folder));
  fmt::print(
      "1,000 partitions of one row: {:.2f} s, limit 2{}; a sync of this disk takes {:.2f} ms\n",
      run.wall_s, run.wall_s <= 2 ? "" : "   MISSED", sync);
  return Ok();
}

}  // namespace retrofill
