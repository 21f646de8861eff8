#pragma once

#include "base/json.h"
#include "model/backfill.h"

namespace retrofill {

// One backfill as `status` shows it: `id`, `table`, `state`, `interrupted`, `plan`, `counts`,
// `created`, `started`, `finished`, `attention`, `undo_until`, `undoes`, `undone_by`.
Json BackfillJson(const BackfillState& state);

// Every partition: `key`, `action`, `state`, `attempts`, `rows`, `source_rows`, `milliseconds`,
// `failure`, `checks`.
Json PartitionsJson(const BackfillState& state);

// One check: `name`, `verdict`, `code`, both sides, `delta`, `partitions`, `failed`, `worst`,
// `note`.
Json CheckJson(const CheckResult& check);
Json ChecksJson(const std::vector<CheckResult>& checks);

}  // namespace retrofill
