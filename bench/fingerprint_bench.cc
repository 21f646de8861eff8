// fingerprint_bench [ROWS]: what a fingerprint costs on DuckDB, as ratios of CPU time to a bare
// count and sum of row hashes (the core), best of five interleaved rounds. Every form has to give
// the same sum of row hashes. Ends with 1 if they do not, or if a ratio is above its target
// (verification document, 10).

#include <algorithm>
#include <ctime>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "base/db/duckdb.h"
#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_hash.h"
#include "warehouse/duckdb_session.h"

namespace {

using namespace retrofill;  // NOLINT: a program of one file

constexpr int kDays = 365;
constexpr int kRounds = 5;

// Ten columns of mixed types, rows in the order of the days as a table is loaded.
std::string CreateSql(int64_t rows) {
  return fmt::format(
      "CREATE TABLE t AS SELECT i::BIGINT AS id, TIMESTAMP '2025-01-01' + to_microseconds(i * {1}) "
      "AS ts, DATE '2025-01-01' + (i // {0})::INTEGER AS day, ((i % 1000) / 7)::DECIMAL(18,2) AS "
      "amount, (i % 977) / 3.0::DOUBLE AS price, 'note' || (i % 5000) AS note, i % 3 = 0 AS flag, "
      "(['eu', 'us', 'apac'])[1 + i % 3] AS region, (i * 7919) % 100000 AS customer, i::INTEGER AS "
      "qty FROM range({2}) t(i)",
      rows / kDays, 86'400'000'000 / (rows / kDays), rows / kDays * kDays);
}

struct Measured {
  std::string name;
  std::function<Result<absl::int128>()> run;  // returns the sum of row hashes, 0 if it has none
  double seconds = 1e9;
  absl::int128 sum = 0;
};

double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

class Bench {
 public:
  Bench(DuckdbDatabase& database, std::unique_ptr<DuckdbConnection> connection)
      : database_(database),
        session_(std::move(connection), shared_, "duckdb-" + database.LibraryVersion()) {}

  Status Prepare(int64_t rows) {
    RF_TRY(session_.connection().Execute(CreateSql(rows)));
    request_.side.sql = QuoteName("t");
    request_.side.time = TimeColumn{.name = "day", .kind = ColumnKind::kDate, .zone = {}};
    RF_ASSIGN(const auto shape, session_.Describe(request_.side));
    request_.shape = *shape;
    Grid::Spec spec;
    spec.by = "day";
    RF_ASSIGN(Grid grid, Grid::Make(spec));
    space_.emplace(std::move(grid), std::vector<Dimension>{}, true);
    request_.space = &*space_;
    request_.grain = {"id"};
    request_.about = "t";
    request_.set = Days(kDays);
    return Ok();
  }

  Result<bool> Run() {
    std::vector<Measured> all = {
        {.name = "core", .run = [this] { return Core("", ""); }},
        {.name = "core by day", .run = [this] { return Core("day, ", " GROUP BY day"); }},
        {.name = "L1 by day", .run = [this] { return Take(kDays, 1); }},
        {.name = "L2 by day", .run = [this] { return Take(kDays, 2); }},
        {.name = "L1 of one day", .run = [this] { return Take(1, 1); }},
        {.name = "self-test", .run = [this] { return SelfTest(); }}};
    for (int round = 0; round < kRounds; ++round) {
      for (Measured& each : all) {
        const double start = CpuSeconds();
        RF_ASSIGN(each.sum, each.run());
        each.seconds = std::min(each.seconds, CpuSeconds() - start);
      }
    }
    for (const Measured& each : all) {
      fmt::print("{:14} {:8.1f} ms CPU\n", each.name, 1000 * each.seconds);
    }
    bool good = all[1].sum == all[0].sum && all[2].sum == all[0].sum && all[3].sum == all[0].sum;
    if (!good) fmt::print("the forms do not give one sum of row hashes\n");
    good = Ratio("core by day / core", all[1].seconds / all[0].seconds, 1.3) && good;
    good = Ratio("L1 / core by day", all[2].seconds / all[1].seconds, 1.4) && good;
    good = Ratio("L2 / core by day", all[3].seconds / all[1].seconds, 3.5) && good;
    return good;
  }

 private:
  static bool Ratio(std::string_view name, double ratio, double target) {
    fmt::print("{:18} {:5.2f}  target {:.1f}{}\n", name, ratio, target,
               ratio > target ? "  ABOVE" : "");
    return ratio <= target;
  }

  PartitionSet Days(int days) const {
    const absl::Time start = absl::FromCivil(absl::CivilDay(2025, 1, 1), absl::UTCTimeZone());
    return PartitionSet::Rectangle({{start, start + days * absl::Hours(24)}}, {{0, 1}});
  }

  Result<absl::int128> Core(const std::string& key, const std::string& group) {
    RF_ASSIGN(const DuckdbRows rows, session_.connection().Query(fmt::format(
                                         "SELECT {}count(*), sum({}) FROM t{}", key,
                                         RowHash(request_.shape.columns, SaltOf("t")), group)));
    absl::int128 sum = 0;
    for (const auto& row : rows.rows) sum += ParseInt128(row.back().value_or("0")).value_or(0);
    return sum;
  }

  Result<absl::int128> Take(int days, int level) {
    FingerprintRequest request = request_;
    request.set = Days(days);
    request.level = level;
    RF_ASSIGN(const PartitionFingerprints taken, session_.TakeFingerprints(request));
    absl::int128 sum = 0;
    for (const auto& [partition, fingerprint] : taken.partitions) sum += fingerprint.row;
    return sum;
  }

  Result<absl::int128> SelfTest() {
    RF_ASSIGN(auto connection, database_.Connect());
    DuckdbShared untested;
    DuckdbSession fresh(std::move(connection), untested, session_.engine_tag());
    RF_TRY(fresh.RequireSelfTest());
    return absl::int128(0);
  }

  DuckdbDatabase& database_;
  DuckdbShared shared_;
  DuckdbSession session_;
  std::optional<PartitionSpace> space_;
  FingerprintRequest request_;
};

Result<bool> Measure(int64_t rows) {
  RF_ASSIGN(const auto database, DuckdbDatabase::Open(":memory:", DuckdbAccess::kReadWrite));
  RF_ASSIGN(auto connection, database->Connect());
  Bench bench(*database, std::move(connection));
  RF_TRY(bench.Prepare(rows));
  return bench.Run();
}

}  // namespace

int main(int argc, char** argv) {
  const int64_t rows = argc > 1 ? ParseInteger(argv[1]).value_or(0) : 3'650'000;
  if (rows < kDays) {
    fmt::print(stderr, "usage: fingerprint_bench [ROWS], at least {}\n", kDays);
    return 2;
  }
  const Result<bool> good = Measure(rows);
  if (!good.ok()) fmt::print(stderr, "{}\n", good.error().message());
  return good.ok() && *good ? 0 : 1;
}
