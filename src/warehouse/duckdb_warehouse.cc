#include "warehouse/duckdb_warehouse.h"

#include <fmt/core.h>

namespace retrofill {
namespace {

DuckdbAccess AccessOf(Access access) {
  switch (access) {
    case Access::kReadOnly:
      return DuckdbAccess::kReadOnly;
    case Access::kReadWrite:
      return DuckdbAccess::kReadWrite;
  }
  return DuckdbAccess::kReadOnly;
}

}  // namespace

Result<std::unique_ptr<DuckdbSession>> DuckdbWarehouse::ConnectDuckdb() {
  RF_ASSIGN(std::unique_ptr<DuckdbConnection> connection, database_->Connect());
  return std::make_unique<DuckdbSession>(std::move(connection), shared_, EngineTag());
}

Result<std::unique_ptr<Session>> DuckdbWarehouse::Connect() {
  RF_ASSIGN(std::unique_ptr<DuckdbSession> session, ConnectDuckdb());
  return std::unique_ptr<Session>(std::move(session));
}

std::string DuckdbWarehouse::EngineTag() const {
  return fmt::format("duckdb-{}", DuckdbDatabase::LibraryVersion());
}

std::string DuckdbWarehouse::EngineName() const {
  return fmt::format("duckdb {}", DuckdbDatabase::LibraryVersion());
}

Result<std::unique_ptr<Warehouse>> OpenDuckdb(const std::string& path, Access access,
                                              const DuckdbSettings& settings) {
  RF_ASSIGN(std::unique_ptr<DuckdbDatabase> database,
            DuckdbDatabase::Open(path, AccessOf(access), settings));
  return std::unique_ptr<Warehouse>(std::make_unique<DuckdbWarehouse>(std::move(database)));
}

}  // namespace retrofill
