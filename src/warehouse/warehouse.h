#pragma once

// The seam to a database that holds sources and targets. Engines differ behind it; nothing above it
// writes SQL of its own, except what the user wrote in transforms and rules.

#include <absl/time/time.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/fingerprint.h"
#include "model/partition_set.h"
#include "model/space.h"
#include "warehouse/diff.h"
#include "warehouse/publish.h"
#include "warehouse/relation.h"
#include "warehouse/scratch.h"

namespace retrofill {

// A result that is small enough to hold: every value as the engine prints it, none = NULL.
struct Rows {
  std::vector<ColumnShape> columns;
  std::vector<std::vector<std::optional<std::string>>> rows;
};

struct FingerprintRequest {
  Side side;
  const PartitionSpace* space = nullptr;
  PartitionSet set;         // partitions to fingerprint
  bool all_groups = false;  // scan the whole side: also `(null)` and `(outside)`, and every other
                            // partition of the space
  RelationShape shape;      // the target's columns that are hashed, in ordinal order
  std::vector<std::string> grain;     // may be empty
  std::vector<std::string> left_out;  // columns not hashed; non-empty = `strict`
  std::string about;                  // qualified relation the fingerprint is about: its salt
  int level = 1;                      // 0, 1 or 2
  // False: counts and hashes alone, where nothing else of the fingerprint will be compared.
  bool with_portable = true;
};

struct PartitionFingerprints {
  std::map<Partition, Fingerprint> partitions;  // each of the set, with n = 0 where it has no rows
  std::map<Partition, Fingerprint>
      others;  // all_groups: partitions of the space that are not in the set and have rows
  Fingerprint null_rows;  // all_groups: NULL time, or a NULL dimension value that is not listed
  Fingerprint outside;    // all_groups: rows in no partition of the space
};

struct Aggregate {
  std::string expression;  // `sum(amount - refund)`, by the user
  std::string where;       // filters this aggregate only; may be empty
};

struct AggregateRequest {
  Side side;
  const PartitionSpace* space = nullptr;
  PartitionSet set;
  std::vector<Aggregate> aggregates;
};

struct AggregateRow {
  int64_t rows = 0;
  std::vector<std::optional<std::string>>
      values;  // one per aggregate; decimal text, `NaN`, `inf`, or none for NULL
};

struct KeyRequest {
  Side side;
  const PartitionSpace* space = nullptr;
  PartitionSet set;
  std::vector<std::string> columns;
};

struct KeyRow {
  int64_t duplicate_keys = 0;        // keys that occur more than once
  int64_t null_rows = 0;             // rows with a NULL in the key
  std::vector<std::string> samples;  // at most 5 duplicate keys, as text
};

// One connection. One thread at a time, but Interrupt from any. Errors, unless a method says more:
// kUnavailable (W0101, W0104), kCancelled after Interrupt, kFailed for what the user's SQL did,
// kUnavailable W0109 when the disk is full, kInternal.
class Session {
 public:
  virtual ~Session() = default;

  // Cancels the running statement, from any thread; the next statement runs normally.
  virtual void Interrupt() = 0;

  // -- what is there
  virtual Result<std::optional<RelationShape>> Describe(const Side& side) = 0;
  // Whether a relation with this shape (none = it does not exist) can be published to: a table of
  // plain columns, or one that can be made. kRefused P0208 says why not. Writes nothing.
  virtual Status CheckTarget(const Side& side, const std::optional<RelationShape>& shape) = 0;
  // The columns of one `select`. kInvalid X0205 if it is not exactly one select, X0206 with an
  // origin (line and column of `sql`, from 1; the caller maps it to the file) if it cannot be
  // parsed or bound.
  virtual Result<RelationShape> Bind(const std::string& sql) = 0;
  // Runs one select; more than `max_rows` rows is kFailed R0102.
  virtual Result<Rows> Query(const std::string& sql, int64_t max_rows) = 0;
  virtual Result<PartitionFingerprints> TakeFingerprints(const FingerprintRequest& request) = 0;
  // One row for each partition of the set, with rows = 0 where there are none.
  virtual Result<std::map<Partition, AggregateRow>> Aggregates(const AggregateRequest& request) = 0;
  virtual Result<std::map<Partition, KeyRow>> CheckKeys(const KeyRequest& request) = 0;
  // Rows that are in no partition because their time is NULL or infinite, or a dimension is NULL or
  // a value that is not listed. Rows before `begin` or after `end` of the grid are not counted.
  virtual Result<int64_t> CountUnassigned(const Side& side, const PartitionSpace& space) = 0;
  virtual Result<DiffResult> Diff(const DiffRequest& request) = 0;

  // -- stage, fence, ledger, publish: see publish.h
  // Runs statements of this session as one transaction: all take effect or, when `work` fails,
  // none. For the stage alone: publishes and bumps have transactions of their own.
  virtual Status InTransaction(const std::function<Status()>& work) = 0;
  virtual Status PrepareTarget() = 0;
  virtual Result<bool> HasLayout() = 0;
  virtual Status CreateStage(const StageSpec& stage) = 0;
  virtual Result<int64_t> FillStage(const StageSpec& stage, const StageUnit& unit,
                                    const std::string& select) = 0;
  virtual Status ClearStage(const StageSpec& stage, const std::vector<StageUnit>& units) = 0;
  // Deletes what the stage holds of these partitions, whatever unit built it.
  virtual Status ClearStagePartitions(const StageSpec& stage, const Side& side,
                                      const PartitionSpace& space, const PartitionSet& set) = 0;
  virtual Result<Registration> Register(const RegisterRequest& request) = 0;
  virtual Result<std::vector<int64_t>> Acquire(const AcquireRequest& request) = 0;
  virtual Status End(const EndRequest& request) = 0;
  virtual Result<std::vector<LedgerRow>> ReadLedger(const LedgerQuery& query) = 0;
  virtual Result<PublishOutcome> Publish(const PublishGroup& group, const Announce& announce) = 0;
  // One transaction; kConflict P0302 if a partition's rows are not those that were reconciled.
  virtual Status Adopt(const AdoptGroup& group) = 0;
  virtual Result<std::vector<StoredObject>> ListObjects() = 0;
  virtual Status DropObject(const StoredObject& object) = 0;
};

enum class Access { kReadOnly, kReadWrite };

// One database. Any thread.
class Warehouse {
 public:
  virtual ~Warehouse() = default;
  virtual Result<std::unique_ptr<Session>> Connect() = 0;
  virtual std::string EngineTag() const = 0;     // "duckdb-1.5.6": bound into fingerprints
  virtual std::string EngineName() const = 0;    // "duckdb 1.5.6": for people and plans
  virtual std::string StrengthText() const = 0;  // "exactly-once"
  // Whether nobody but this process's sessions can write there while it is open.
  virtual bool SoleWriter() const = 0;
  // A scratch database in a new file of the folder (made if absent), for a proof. The file is gone
  // when the scratch is. Until then the warehouse must live.
  virtual Result<std::unique_ptr<Scratch>> OpenScratch(const std::string& folder);
};

}  // namespace retrofill
