// The whole rewrite, everything on, against the bare loop on a copy of the same file.

#include "base/file.h"
#include "base/text.h"
#include "bench_setup.h"

namespace retrofill {
namespace {

// One workload: a project, its peer's SQL, and the range.
struct Workload {
  std::string name;
  std::string yaml;  // with `@batch@` where the table's batch goes
  std::string sql;   // of the table's transform
  std::string table;
  std::string file;    // DuckDB file, relative to the project
  std::string column;  // of the partition
  std::string select;  // of the peer
  std::string first, last;
  int64_t days = 0;
};

struct Side {
  std::vector<double> wall, peak;
};

constexpr char kEventsYaml[] = R"yml(version: 1
connections: {warehouse: {type: duckdb, path: bench.duckdb}}
sources: {main.events: {event_time: ts}}
tables:
  events_daily:
    partition: {by: day, column: day, begin: 2025-01-01, end: 2025-12-31}
    grain: [day, item]
    @batch@
    inputs: [{source: main.events}]
    transform: {sql: table.sql}
    reconcile:
      - count: {source: "count(*)",
               target : "sum(n)"
}
      - sum: {source: "sum(amount)", target: "sum(total)"}
)yml";
constexpr char kEventsSql[] =
    "select cast(ts as date) as day, item, count(*) as n, sum(amount) as total\n"
    "from {{ source('main.events') }} where {{ window('main.events') }} group by 1, 2\n";
constexpr char kEventsPeer[] =
    "select cast(ts as date) as day, item, count(*) as n, sum(amount) as total from events "
    "where ts >= $start and ts < $end group by 1, 2";
constexpr char kEventsData[] =
    "create table events as select timestamp '2025-01-01' + interval (d * 86400 + (n * 8)) "
    "second "
    "as ts, cast(n % 100 as integer) as item, cast((d * 31 + n * 7) % 10000 as decimal(12, "
    "2)) as "
    "amount from range(365) as days(d), range(10000) as rows(n) order by d, n;"
    "create table events_daily as select cast(ts as date) as day, item, count(*) as n, "
    "sum(amount) - 1 as total from events group by 1, 2 order by 1, 2; checkpoint";

constexpr char kFlightsYaml[] = R"yml(version: 1
connections: {warehouse: {type: duckdb, path: bench.duckdb}}
sources: {flights: {files: flights-3m.parquet, event_time: date}}
tables:
  flights_daily:
    partition: {by: day, column: flight_date, begin: 2001-01-01, end: 2001-07-01}
    grain: [flight_date, origin]
    @batch@
    inputs: [{source: flights}]
    transform: {sql: table.sql}
    reconcile:
      - count: {source: "count(*)",
                     target : "sum(flights)"
      }
      - sum: {source: "sum(delay)", target: "sum(delay_sum)"}
)yml";
constexpr char kFlightsColumns[] =
    "select cast(date as date) as flight_date, origin, count(*) as flights, "
    "cast(sum(delay) as bigint) as delay_sum ";

Status WriteProject(const Workload& work, const std::string& folder, const std::string& batch) {
  std::string yaml = work.yaml;
  const std::string line = batch.empty() ? "" : "batch: " + batch;
  yaml.replace(yaml.find("@batch@"), 7, line);
  RF_TRY(MakeFolders(folder));
  RF_TRY(WriteFileAtomically(folder + "/retrofill.yml", yaml));
  return WriteFileAtomically(folder + "/table.sql", work.sql);
}

void PrintRow(const std::string& what, double value, const std::string& unit, double limit) {
  fmt::print("  {:<44} {:>9.3f} {:<3} limit {:.2f}{}\n", what, value, unit, limit,
             value <= limit ? "" : "   MISSED");
}

// One interleaved round: peer, then ours, each on its own copy of the base file.
Status Round(const BenchSetup& setup, const Workload& work, const std::string& base,
             const std::string& batch, Side& peer, Side& ours, Side& with_proof) {
  const std::string peer_folder = setup.folder + "/peer";
  const std::string folder = setup.folder + "/ours";
  RF_TRY(RemoveFolder(peer_folder));
  RF_TRY(RemoveFolder(folder));
  for (const std::string& each : {peer_folder, folder}) {
    RF_TRY(WriteProject(work, each, batch));
    RF_TRY(CopyFile(base, each + "/bench.duckdb"));
    if (work.name == "flights") RF_TRY(CopyFile(setup.flights, each + "/flights-3m.parquet"));
  }
  RF_ASSIGN(const Measured loop, MustRun(setup,
                                         {setup.bare_loop, "bench.duckdb", work.table, work.column,
                                          work.select, work.first, fmt::format("{}", work.days)},
                                         peer_folder));
  RF_ASSIGN(const Measured planned,
            MustRun(setup,
                    {setup.program, "plan", work.table, work.first + ".." + work.last, "--name",
                     "bench", "-o", "plan.json"},
                    folder));
  RF_ASSIGN(const Measured proven, MustRun(setup, {setup.program, "prove", "plan.json"}, folder));
  RF_ASSIGN(const Measured run,
            MustRun(setup, {setup.program, "run", "plan.json", "--publish"}, folder));
  RF_ASSIGN(const std::string want, DigestOf(setup, peer_folder + "/bench.duckdb", work.table));
  RF_ASSIGN(const std::string have, DigestOf(setup, folder + "/bench.duckdb", work.table));
  if (want != have) {
    return Fail(ErrorCode::kFailed, "R0301", "the loop made {}, retrofill {}", want, have);
  }
  peer.wall.push_back(loop.wall_s);
  peer.peak.push_back(loop.peak_mib);
  ours.wall.push_back(run.wall_s);
  ours.peak.push_back(run.peak_mib);
  with_proof.wall.push_back(planned.wall_s + proven.wall_s + run.wall_s);
  return Ok();
}

Status Compare(const BenchSetup& setup, const Workload& work, const std::string& base,
               const std::string& batch, double limit) {
  Side peer, ours, with_proof;
  for (int i = 0; i < setup.rounds; ++i) {
    RF_TRY(Round(setup, work, base, batch, peer, ours, with_proof));
  }
  const double loop = Median(peer.wall);
  fmt::print("{}, {} days, batch {}: loop {:.2f} s, run {:.2f} s, same rows\n", work.name,
             work.days, batch.empty() ? "auto" : batch, loop, Median(ours.wall));
  PrintRow("run with canary, checks, publish, verify", Median(ours.wall) / loop, "x", limit);
  if (batch.empty()) {
    PrintRow("plan, proof and run", Median(with_proof.wall) / loop, "x", 0.8);
    PrintRow("peak memory", Median(ours.peak) / Median(peer.peak), "x", 1.5);
  }
  return Ok();
}

// Repair of one day in the project that the last round left: the proof is at hand.
Status RepairOneDay(const BenchSetup& setup, const Workload& work, const std::string& day) {
  const std::string folder = setup.folder + "/ours";
  std::vector<double> walls;
  for (int i = 0; i < setup.rounds; ++i) {
    RF_ASSIGN(const Measured run, MustRun(setup,
                                          {setup.program, "run", work.table, day, "--force",
                                           "--publish", "--name", fmt::format("repair-{}", i)},
                                          folder));
    walls.push_back(run.wall_s);
  }
  PrintRow(work.name + ": one day repaired", Median(walls), "s", 0.3);
  return Ok();
}

}  // namespace

Status BenchWholeRewrite(const BenchSetup& setup) {
  const Workload work = {.name = "events",
                         .yaml = kEventsYaml,
                         .sql = kEventsSql,
                         .table = "events_daily",
                         .file = "bench.duckdb",
                         .column = "day",
                         .select = kEventsPeer,
                         .first = "2025-01-01",
                         .last = "2025-12-31",
                         .days = 365};
  const std::string base = setup.folder + "/events.duckdb";
  RF_TRY(ExecuteOn(setup, base, kEventsData));
  RF_TRY(Compare(setup, work, base, "1", 1.3));
  RF_TRY(Compare(setup, work, base, "", 0.4));
  return RepairOneDay(setup, work, "2025-06-15");
}

Status BenchFlights(const BenchSetup& setup) {
  if (setup.flights.empty()) return fmt::print("flights: left out, no file\n"), Ok();
  const std::string columns = kFlightsColumns;
  const Workload work = {
      .name = "flights",
      .yaml = kFlightsYaml,
      .sql = columns + "from {{ source('flights') }} where {{ window('flights') }} group by 1, 2\n",
      .table = "flights_daily",
      .file = "bench.duckdb",
      .column = "flight_date",
      .select =
          columns + "from 'flights-3m.parquet' where date >= $start and date < $end group by 1, 2",
      .first = "2001-01-01",
      .last = "2001-06-30",
      .days = 181};
  const std::string base = setup.folder + "/flights.duckdb";
  RF_TRY(ExecuteOn(setup, base,
                   "create table flights_daily as " + columns + "from '" + setup.flights +
                       "' group by 1, 2 order by 1, 2; "
                       "update flights_daily set delay_sum = delay_sum + 1; checkpoint"));
  RF_TRY(Compare(setup, work, base, "", 0.4));
  return RepairOneDay(setup, work, "2001-03-15");
}

}  // namespace retrofill
