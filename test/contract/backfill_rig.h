#pragma once

// A table with one row set a day in a database of its own, and backfills of it, step by step.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/space.h"
#include "warehouse/duckdb_warehouse.h"
#include "warehouse/publish.h"

namespace retrofill {

// Five rows of the first of January.
inline constexpr const char* kFive =
    "insert into daily select date '2026-01-01', 'eu', x from range(1, 6) t(x)";

// Selects so many rows of a day of January.
inline std::string Days(int day, int rows) {
  return fmt::format(
      "select date '2026-01-{:02}' as day, 'eu' as region, x as amount from range({}) t(x)", day,
      rows);
}

// Table `daily(day DATE, region VARCHAR, amount BIGINT)`, partitioned by day and region: `eu`,
// `us`, NULL. Fails the test when anything of its own goes wrong.
class Rig {
 public:
  explicit Rig(
      const std::string& create = "create table daily (day date, region varchar, amount bigint)");
  ~Rig();

  DuckdbSession& session() { return *session_; }
  DuckdbWarehouse& warehouse() { return *warehouse_; }
  std::unique_ptr<DuckdbSession> NewSession();
  // Closes the file and opens it again, as the next process does.
  void Reopen();
  const PartitionSpace& space() const { return space_; }
  const std::string& path() const { return path_; }

  void Run(const std::string& sql);
  // Rows as `1|eu;2|us`, NULL as `-`.
  std::string Read(const std::string& sql);
  // `day` of January 2026, from 1; region 0 = eu, 1 = us, 2 = NULL.
  Partition At(int day, uint32_t region = 0) const;
  std::string Part(const Partition& partition) const { return space_.IdentityText(partition); }
  Side Live() const;
  Side SideOf(const std::string& sql) const;
  RelationShape Shape();
  std::map<Partition, Fingerprint> Prints(const Side& side,
                                          const std::vector<Partition>& partitions);

 private:
  std::string path_;
  std::unique_ptr<DuckdbWarehouse> warehouse_;
  std::unique_ptr<DuckdbSession> session_;
  PartitionSpace space_;
};

// One plan over some partitions. `plan` is its hash; two with the same hash are the same plan.
class Backfill {
 public:
  // Takes the baselines: what is live now is what the plan saw.
  Backfill(Rig& rig, std::string plan, std::vector<Partition> partitions);

  Result<Registration> Register();
  Status Acquire();
  // Stages the rows of the select as one unit and reads back what is there.
  Status Stage(const std::string& select, int64_t unit = 1);
  Result<PublishOutcome> Publish();
  Status End(const std::string& outcome = "done");
  // Register, acquire, stage, publish.
  Result<PublishOutcome> RunAll(const std::string& select);
  // The plan that restores what this one replaced, baselines as this one left them.
  Backfill Undo(std::string plan);

  PublishGroup& group() { return group_; }
  const StageSpec& stage() const { return stage_; }
  std::vector<std::string> parts() const;

 private:
  Rig& rig_;
  std::vector<Partition> partitions_;
  StageSpec stage_;
  PublishGroup group_;
};

}  // namespace retrofill
