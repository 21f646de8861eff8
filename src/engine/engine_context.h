#pragma once

// What every operation of the engine works with. Made once per command by whoever wires the
// program; outlives the operations.

#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "engine/backfill_store.h"
#include "engine/table_context.h"
#include "model/project.h"
#include "warehouse/warehouse.h"

namespace retrofill {

// Opens the database of a connection. `may_be_missing`: where the file does not exist yet, a
// read-only open gives an empty database in memory instead of W0101, so that a first load can be
// planned.
using WarehouseOpener = std::function<Result<std::unique_ptr<Warehouse>>(
    const Connection& connection, Access access, bool may_be_missing)>;

struct EngineContext {
  const Project* project = nullptr;
  BackfillStore* store = nullptr;
  const Clock* clock = nullptr;
  WarehouseOpener open;
  std::string actor;    // user@host
  std::string owner;    // host/pid/start: this process, for leases
  std::string version;  // of retrofill

  // The as-of instant of a new plan: `defaults.as_of` or the clock.
  absl::Time AsOf() const { return project->as_of.value_or(clock->Now()); }
  std::string ScratchFolder() const { return project->state_folder + "/scratch"; }
  std::string StopFile() const { return project->state_folder + "/STOP"; }
};

// A table by name: kInvalid C0109 with a suggestion for an unknown one.
Result<const Table*> FindTable(const Project& project, const std::string& name);

// A database opened for one operation, with one connection. Close it (destroy it) before anything
// else opens the file for writing.
struct OpenedTable {
  std::unique_ptr<Warehouse> warehouse;
  std::unique_ptr<Session> session;
  std::unique_ptr<TableContext> context;
};

// Opens the table's database read-only and binds the table there (`pinned`: the transform's text of
// a plan).
Result<OpenedTable> OpenTable(const EngineContext& engine, const std::string& table,
                              const std::optional<std::string>& pinned, Access access,
                              absl::Time as_of);

}  // namespace retrofill
