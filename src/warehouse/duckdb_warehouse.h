#pragma once

// The DuckDB driver: one file that holds sources, targets, stage, fence and ledger.

#include <memory>
#include <string>

#include "base/db/duckdb.h"
#include "warehouse/duckdb_session.h"
#include "warehouse/warehouse.h"

namespace retrofill {

// One DuckDB file, opened once in this process. Any thread; outlives its sessions.
class DuckdbWarehouse final : public Warehouse {
 public:
  explicit DuckdbWarehouse(std::unique_ptr<DuckdbDatabase> database)
      : database_(std::move(database)) {}

  Result<std::unique_ptr<Session>> Connect() override;
  // The same with the driver's own type: for scratch databases and tests.
  Result<std::unique_ptr<DuckdbSession>> ConnectDuckdb();
  std::string EngineTag() const override;
  std::string EngineName() const override;
  std::string StrengthText() const override { return "exactly-once"; }
  // The engine locks the file against other processes.
  bool SoleWriter() const override { return true; }
  Result<std::unique_ptr<Scratch>> OpenScratch(const std::string& folder) override;

 private:
  std::unique_ptr<DuckdbDatabase> database_;
  DuckdbShared shared_;
};

// Opens the file. Errors as DuckdbDatabase::Open.
Result<std::unique_ptr<Warehouse>> OpenDuckdb(const std::string& path, Access access,
                                              const DuckdbSettings& settings = {});

}  // namespace retrofill
