#pragma once

// What a set of partitions looks like right now: its live rows, the versions of its inputs, its
// ledger rows. Read in one scan per relation; health, plans, the early look and verification all
// start from it.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/table_context.h"

namespace retrofill {

// Rows in no partition. They are reported, never loaded, moved or deleted.
struct Unassigned {
  std::map<std::string, int64_t> sources;  // of each source that is read by time
  int64_t target = 0;
};

struct Observation {
  PartitionFingerprints live;                                      // all groups
  std::map<Partition, std::map<std::string, std::string>> inputs;  // input -> version
  std::map<Partition, int64_t>
      source_rows;  // of the first windowed source, read in the partition's interval
  std::map<std::string, LedgerRow>
      ledger;  // newest row of each partition by identity text, any partition of the target
  std::map<std::string, int64_t> source_unassigned;  // source -> rows without event time
  int64_t target_unassigned = 0;                     // rows in no partition
  Unassigned unassigned() const { return {source_unassigned, target_unassigned}; }
};

// Reads everything about `set`. Nothing is written. Errors as Session.
Result<Observation> Observe(const TableContext& context, const PartitionSet& set, Session& session);

// Only the input versions and source rows of `set`.
Result<Observation> ObserveInputs(const TableContext& context, const PartitionSet& set,
                                  Session& session);

// Only the live side.
Result<PartitionFingerprints> ObserveLive(const TableContext& context, const PartitionSet& set,
                                          Session& session);

// The newest publish or adopt row of each partition of a target, by identity text.
Result<std::map<std::string, LedgerRow>> ObserveLedger(const std::string& relation,
                                                       Session& session);
Result<std::map<std::string, LedgerRow>> ObserveLedger(const TableContext& context,
                                                       Session& session);

// Whether two versions of an input are the same; versions of two engines are compared by their
// counts alone.
bool SameVersion(const std::string& a, const std::string& b);

}  // namespace retrofill
