#pragma once

// Rows of retrofill.ledger in DuckDB.

#include <string>
#include <vector>

#include "base/db/duckdb.h"
#include "base/error.h"
#include "warehouse/publish.h"

namespace retrofill {

// Reads the rows that hold `where` (SQL over the ledger's columns), ordered by target, part, plan
// number, kind. The layout must be there.
Result<std::vector<LedgerRow>> ReadDuckdbLedger(DuckdbConnection& connection,
                                                const std::string& where,
                                                const std::vector<DuckdbParameter>& parameters);

// Inserts the rows in one statement, written now in transaction `txid` (may be empty).
Status InsertDuckdbLedger(DuckdbConnection& connection, const std::vector<LedgerRow>& rows,
                          const std::string& txid);

// Whether the plan has an `end` row on the target: nothing of it may take effect any more.
Result<bool> HasEnded(DuckdbConnection& connection, const std::string& target,
                      const std::string& plan);

}  // namespace retrofill
