#pragma once

// `retrofill prove`: is a table's transform safe to run again? Runs it on sample partitions into a
// scratch database, each time with something else changed that must not matter, and says what did
// (verification document, 5 and 6). Production is only read.

#include <absl/time/time.h>

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "engine/proof_report.h"
#include "engine/table_context.h"
#include "model/partition_set.h"
#include "warehouse/warehouse.h"

namespace retrofill {

struct ProveRequest {
  const TableContext* context = nullptr;
  PartitionSet planned;                      // what a plan would compute; not empty
  PartitionSet fills;                        // of these, partitions without rows in the target
  std::map<Partition, int64_t> source_rows;  // of planned partitions, where known; others are asked
  absl::Time as_of;
  Warehouse* warehouse = nullptr;  // of the table; only its scratch is written
  std::string scratch_folder;      // `.retrofill/scratch`; made if absent
  std::string seed;                // the plan's hash: draws one partition
  std::string actor;               // for the certificate
  std::string version;             // of retrofill, for the certificate
  std::optional<int> batch;        // as the plan's settings: none = auto, 1 = no batch to prove
  const Clock* clock = nullptr;
  // Tells what runs now, to show progress; may be empty.
  std::function<void(const std::string& doing)> progress;
  // Asked between statements; true ends the proof with kCancelled. May be empty.
  std::function<bool()> stop;
};

// Errors mean that no proof was made: kInvalid X0205, X0206 of the SQL, kUnavailable W0109 where
// the scratch cannot be written, kFailed if a run itself failed, kCancelled. Everything the proof
// found out, good or bad, is in the report. The scratch is gone afterwards in every case.
Result<ProofReport> Prove(const ProveRequest& request);

// Whether a stored certificate still speaks for this table and these partitions: names what lapsed
// ("the transform's text changed"), or is empty if it holds (verification document, 5.8).
// `max_age` is `require.proof`.
std::string CertificateLapse(const Json& certificate, const TableContext& context,
                             const std::string& engine, const std::string& version, absl::Time now,
                             absl::Duration max_age);

}  // namespace retrofill
