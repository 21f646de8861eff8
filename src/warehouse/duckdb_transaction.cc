#include "warehouse/duckdb_transaction.h"

#include <utility>

namespace retrofill {

Result<DuckdbTransaction> DuckdbTransaction::Begin(DuckdbConnection& connection) {
  RF_TRY(connection.Execute("begin transaction"));
  return DuckdbTransaction(connection);
}

DuckdbTransaction::DuckdbTransaction(DuckdbTransaction&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)) {}

DuckdbTransaction::~DuckdbTransaction() {
  if (connection_ == nullptr) return;
  // Nothing to do about a failure: the connection ends or is used again, which rolls back as well.
  (void)connection_->Execute("rollback");
}

Status DuckdbTransaction::Commit() {
  DuckdbConnection* connection = std::exchange(connection_, nullptr);
  Result<int64_t> sent = connection->Execute("commit");
  if (sent.ok()) return Ok();
  Error error = std::move(sent).error();
  const bool refused = connection->last_failure().refused;
  (void)connection->Execute("rollback");
  if (refused && error.code() == ErrorCode::kUnavailable) return error;
  if (refused) {
    return Fail(ErrorCode::kConflict, "P0302",
                "another transaction committed a change of the same rows first: {}",
                error.message());
  }
  return Fail(ErrorCode::kIndeterminate, "X0303", "the outcome of the commit is not known: {}",
              error.message());
}

}  // namespace retrofill
