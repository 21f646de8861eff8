#pragma once

// The DuckDB driver's connection. Its methods are spread over files by idea: duckdb_bind.cc,
// duckdb_target.cc, duckdb_fingerprint.cc, duckdb_aggregate.cc, duckdb_diff.cc read;
// duckdb_layout.cc, duckdb_stage.cc, duckdb_fence.cc, duckdb_ledger.cc, duckdb_backup.cc and
// duckdb_publish.cc write.

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "base/db/duckdb.h"
#include "warehouse/warehouse.h"

namespace retrofill {

// What the sessions of one open file have in common. While it is open no other process writes it,
// so what was found once stays so. Any thread.
struct DuckdbShared {
  std::mutex lane;  // held for each publish and each bump of a fence (publish document, 4)
  std::atomic<bool> self_tested = false;  // the hashes of this engine are as they should be
  std::atomic<bool> has_layout = false;   // schema `retrofill` is there, of a layout we know
};

// Made by DuckdbWarehouse, which outlives it. One thread at a time, but Interrupt from any.
class DuckdbSession final : public Session {
 public:
  DuckdbSession(std::unique_ptr<DuckdbConnection> connection, DuckdbShared& shared,
                std::string engine_tag)
      : connection_(std::move(connection)), shared_(shared), engine_tag_(std::move(engine_tag)) {}

  void Interrupt() override { connection_->Interrupt(); }

  // -- what is there
  Result<std::optional<RelationShape>> Describe(const Side& side) override;
  Status CheckTarget(const Side& side, const std::optional<RelationShape>& shape) override;
  Result<RelationShape> Bind(const std::string& sql) override;
  Result<Rows> Query(const std::string& sql, int64_t max_rows) override;
  Result<PartitionFingerprints> TakeFingerprints(const FingerprintRequest& request) override;
  Result<std::map<Partition, AggregateRow>> Aggregates(const AggregateRequest& request) override;
  Result<std::map<Partition, KeyRow>> CheckKeys(const KeyRequest& request) override;
  Result<int64_t> CountUnassigned(const Side& side, const PartitionSpace& space) override;
  Result<DiffResult> Diff(const DiffRequest& request) override;

  // -- stage, fence, ledger, publish
  Status InTransaction(const std::function<Status()>& work) override;
  Status PrepareTarget() override;
  Result<bool> HasLayout() override;
  Status CreateStage(const StageSpec& stage) override;
  Result<int64_t> FillStage(const StageSpec& stage, const StageUnit& unit,
                            const std::string& select) override;
  Status ClearStage(const StageSpec& stage, const std::vector<StageUnit>& units) override;
  Status ClearStagePartitions(const StageSpec& stage, const Side& side, const PartitionSpace& space,
                              const PartitionSet& set) override;
  Result<Registration> Register(const RegisterRequest& request) override;
  Result<std::vector<int64_t>> Acquire(const AcquireRequest& request) override;
  Status End(const EndRequest& request) override;
  Result<std::vector<LedgerRow>> ReadLedger(const LedgerQuery& query) override;
  Result<PublishOutcome> Publish(const PublishGroup& group, const Announce& announce) override;
  Status Adopt(const AdoptGroup& group) override;
  Result<std::vector<StoredObject>> ListObjects() override;
  Status DropObject(const StoredObject& object) override;

  // For the files of the driver and for tests of the engine itself.
  DuckdbConnection& connection() { return *connection_; }
  const std::string& engine_tag() const { return engine_tag_; }  // "duckdb-1.5.6"
  // Runs the fingerprint self-test of the verification document, 2.7, once per open file: all its
  // sessions have the same engine and settings. kRefused W0105 if a line is wrong: nothing may be
  // verified there.
  Status RequireSelfTest();

 private:
  Result<bool> IsView(const Side& side);

  std::unique_ptr<DuckdbConnection> connection_;
  DuckdbShared& shared_;
  std::string engine_tag_;
};

}  // namespace retrofill
