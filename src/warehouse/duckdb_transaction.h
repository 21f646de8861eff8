#pragma once

#include "base/db/duckdb.h"
#include "base/error.h"

namespace retrofill {

// An open transaction of one connection; rolls back unless Commit succeeded. A binder error does
// not abort a transaction in DuckDB, so whoever meets any error must let this go at once.
class DuckdbTransaction {
 public:
  static Result<DuckdbTransaction> Begin(DuckdbConnection& connection);
  ~DuckdbTransaction();
  DuckdbTransaction(DuckdbTransaction&& other) noexcept;
  DuckdbTransaction& operator=(DuckdbTransaction&&) = delete;

  // Sends `commit`, alone. Success is no proof: the engine also says so of an aborted transaction;
  // read back what should be there. kConflict P0302: another transaction was first, nothing was
  // committed. kUnavailable W0109: it could not be written, nothing was committed. kIndeterminate
  // X0303: it may have been.
  Status Commit();

 private:
  explicit DuckdbTransaction(DuckdbConnection& connection) : connection_(&connection) {}
  DuckdbConnection* connection_;  // none = ended or moved from
};

}  // namespace retrofill
