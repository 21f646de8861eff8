#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "engine/canary_operation.h"
#include "engine/inspect_operation.h"
#include "model/backfill.h"

namespace retrofill {

// `CHECK PARTITIONS FAILED WORST`: the checks of a range, with what is wrong named.
std::string ChecksText(std::span<const CheckResult> checks);

// What `verify` prints: the checks and one line with the outcome.
std::string VerifyText(const VerifyResult& result, absl::Time now);
Json VerifyJson(const VerifyResult& result);

// What `canary` prints: checks with the values of source, before and after, the difference in rows,
// and the new estimate.
std::string CanaryText(const CanaryResult& result);
Json CanaryJson(const CanaryResult& result);

// The checks of one partition: `CHECK SOURCE BEFORE AFTER VERDICT`.
std::string PartitionChecksText(std::span<const CheckResult> checks);

// Digits of a number grouped by three, `-` for an empty value; anything else as it is.
std::string ValueText(const std::string& value);

}  // namespace retrofill
