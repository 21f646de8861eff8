#pragma once

// A scratch database beside production, for proofs (verification document, 5.1 to 5.3): copies of
// inputs that are changed on purpose, a target of its own, and a session whose clock, zone and
// threads can be set. Production is only read.

#include <absl/time/time.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/partition_set.h"
#include "model/space.h"
#include "model/span.h"
#include "warehouse/relation.h"

namespace retrofill {

// A copy of an input. Edited: number + 1, text + `~`, boolean negated, time + 1 unit, NULL stays.
struct ScratchCopy {
  Side from;
  RelationShape shape;
  const PartitionSpace* space = nullptr;
  // The rows of the unit, widened; and sentinels: 2 % of the rows, edited and moved to one unit
  // before the start, to exactly the end, one partition back and one forward, and to other values
  // of each dimension. None = every row.
  std::optional<PartitionSet> window;
  Span before;
  Span after;
  bool sentinels = true;          // with a window: add them
  bool sentinels_edited = true;   // else only moved
  bool edited = false;            // every column but those of `keep`; only without a window
  std::vector<std::string> keep;  // columns never edited
  uint64_t order = 0;  // 0 = as stored, else the rows lie in an order drawn by this number
};

// What the scratch target holds.
struct ScratchTarget {
  Side from;  // production's; `exists` says whether it is there
  bool exists = false;
  RelationShape shape;
  const PartitionSpace* space = nullptr;
  PartitionSet unit;  // p
  Span before;        // rows of the partitions before p that the transform reads, besides the
                      // neighbours
  enum class Own { kAsProduction, kEmptied, kResult };
  Own own = Own::kAsProduction;  // the rows of p; kResult takes those of `result`
  std::string result;            // a scratch relation's name
  bool outside_edited = false;   // rows outside p: every column but those of `keep`
  bool past_kept = false;        // and but those of earlier partitions, which are a declared input
  std::vector<std::string> keep;
  uint64_t order = 0;
};

// A select to run, and the columns that keep its rows.
struct ScratchSelect {
  std::string sql;
  RelationShape result;  // what it returns
  RelationShape shape;   // the target's columns and types
};

// The surroundings of one run.
struct ScratchSurroundings {
  std::optional<absl::Time> clock;  // every clock function reads this; none = the real ones
  std::string zone = "UTC";
  bool one_thread = false;
};

// What is in the rows of a run.
struct ScratchFacts {
  int64_t rows = 0;            // of the unit
  int64_t outside = 0;         // rows outside the unit
  int64_t duplicate_keys = 0;  // grain values that occur more than once
  int64_t null_keys = 0;       // rows with a NULL in the grain
  std::string digest;          // of the unit's rows in the compared columns: equal digests, equal
                               // rows
  bool operator==(const ScratchFacts&) const = default;
};

struct FactsRequest {
  RelationShape shape;
  Side side;  // how the target is cut; `sql` is ignored
  const PartitionSpace* space = nullptr;
  PartitionSet unit;
  std::vector<std::string> grain;
  std::vector<std::string> left_out;  // columns not compared
};

// A relation of production that must stay as it is.
struct Watched {
  std::string relation;
  int64_t rows = 0;
  std::string digest;
  bool operator==(const Watched&) const = default;
};

// One thread at a time, but Interrupt from any. Names are made of letters, digits and `_`. Errors
// as Session: kUnavailable W0109 when the disk is full, kFailed for what the transform did,
// kCancelled after Interrupt. Destroying it removes its file.
class Scratch {
 public:
  virtual ~Scratch() = default;
  virtual void Interrupt() = 0;

  // What may stand after FROM for a copy or target. It ends in the original's own name, so that
  // `orders.amount` still means a column of it.
  virtual std::string Relation(const std::string& name, const Side& original) const = 0;

  virtual Status Copy(const std::string& name, const ScratchCopy& copy) = 0;
  virtual Status MakeTarget(const std::string& name, const ScratchTarget& target) = 0;
  // Runs a select and keeps its rows under `name`.
  virtual Status Compute(const std::string& name, const ScratchSelect& select,
                         const ScratchSurroundings& surroundings) = 0;
  // Puts the rows of several runs into one, under `name`.
  virtual Status Unite(const std::string& name, const std::vector<std::string>& runs) = 0;
  virtual Result<ScratchFacts> Facts(const std::string& run, const FactsRequest& request) = 0;
  // Columns whose values differ between two runs, in ordinal order; empty if only counts of rows
  // do.
  virtual Result<std::vector<std::string>> DifferingColumns(const std::string& a,
                                                            const std::string& b,
                                                            const FactsRequest& request) = 0;
  // Columns that a unique or primary key of a relation of production holds, if there is one.
  virtual Result<std::vector<std::string>> KeyColumns(const Side& side) = 0;
  // Forgets a copy, target or run.
  virtual Status Drop(const std::string& name) = 0;

  // The number of rows of every table of the target's schema and of the inputs that are relations,
  // the digest of the target's rows in `set`, and how far each sequence is. In order of names.
  virtual Result<std::vector<Watched>> Watch(const std::string& relation,
                                             const std::optional<FactsRequest>& target,
                                             const std::vector<Side>& inputs) = 0;

  // The engine's parse tree of a select, as JSON, and the way back.
  virtual Result<std::string> SerializeSelect(const std::string& select) = 0;
  virtual Result<std::string> DeserializeSelect(const std::string& tree) = 0;
  // The number in the first column of the first row of a select over production.
  virtual Result<int64_t> CountOf(const std::string& select) = 0;
};

}  // namespace retrofill
