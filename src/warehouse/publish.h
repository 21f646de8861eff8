#pragma once

// Values of the publish protocol (publish document, 2 to 6 and 9 to 12). The protocol's SQL is in
// the drivers, its decisions in the engine.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/fingerprint.h"
#include "model/partition_set.h"
#include "model/space.h"
#include "warehouse/relation.h"

namespace retrofill {

// One stage table per plan and target: the target's columns plus `_rf_unit`, `_rf_epoch`.
struct StageSpec {
  std::string table;  // name inside schema retrofill_stage, made by StageName
  RelationShape
      columns;  // of the target, or of the transform's result where the target does not exist yet
  // What every unit's select returns, where that is known already; none = bound with each fill.
  std::optional<RelationShape> result{};
};

// What one build produced: a batch or a single partition. Units are never reused.
struct StageUnit {
  int64_t unit = 0;   // unique within the backfill
  int64_t epoch = 0;  // fence epoch it was built under; a canary's is 0
};

// `<table>_<first 8 of the plan hash>`, at most 63 bytes, [a-z0-9_] only.
std::string StageName(std::string_view relation, std::string_view plan_hash);

struct RegisterRequest {
  std::string target;  // qualified relation
  std::string plan;    // hash
  std::string body;    // JSON: name, scope as canonical set text, versions
  std::string run;     // backfill id
  std::string actor;
  // Called inside the transaction with the open registrations of other plans on this target
  // (register without end); an error (kRefused P0304) rolls back.
  struct Open {
    std::string plan;
    std::string body;
  };
  std::function<Status(const std::vector<Open>&)> check;
};

struct Registration {
  int64_t plan_no = 0;
  bool resumed = false;  // this plan had registered before
  bool ended = false;    // it has an `end` row: only verifying is left
};

struct AcquireRequest {
  std::string target;
  std::string plan;
  int64_t plan_no = 0;
  std::vector<std::string> parts;  // identity texts
  std::vector<int64_t> known;      // highest epoch the journal has seen for each, 0 if none
};

struct EndRequest {
  std::string target;
  std::string plan;
  int64_t plan_no = 0;
  std::vector<std::string> unpublished;  // identity texts whose fence is bumped first
  std::string run;
  std::string actor;
  std::string outcome;  // "done", "cancelled"
};

struct LedgerRow {
  std::string target, part, plan, kind;
  int64_t epoch = 0;
  std::optional<int64_t> plan_no;
  std::string run;
  int64_t attempt = 0;
  std::string code;
  std::optional<int64_t> rows;
  std::string digest;  // fingerprint text, may be empty
  std::optional<int64_t> before_rows;
  std::string before_digest;
  std::string undoes;  // hash of the undone plan, may be empty
  std::string actor;
  std::string written_at;
  std::string body;
};

struct LedgerQuery {
  std::string target;  // empty = every target
  std::optional<std::string> plan;
  std::optional<std::string> kind;
  bool latest_only =
      false;  // of kinds publish and adopt: for each part the row with the highest plan_no
};

struct PublishItem {
  Partition partition;
  std::string part;   // identity text
  StageUnit unit;     // where its rows are staged; ignored for an undo
  int64_t epoch = 0;  // fence epoch that must hold
  int64_t attempt = 1;
  Fingerprint baseline;               // what is live, as the plan saw it
  Fingerprint staged;                 // what is to become live
  std::optional<std::string> code{};  // in place of the group's: an undo brings back older code
  std::string body;                   // JSON for the ledger row
};

struct PublishGroup {
  std::string target;           // qualified relation
  Side live;                    // the target
  Side rows;                    // where the new rows are: stage or, for an undo, backup
  bool rows_have_units = true;  // false for a backup: its rows are those of their partition
  const PartitionSpace* space = nullptr;
  RelationShape shape;  // the target's columns
  std::vector<std::string> grain;
  bool create_target = false;
  std::string plan;  // hash
  int64_t plan_no = 0;
  std::string undoes;  // hash of the undone plan, may be empty
  std::string run;
  std::string code;  // digest of the transform
  std::string actor;
  std::string backup;              // table inside retrofill_backup that takes the pre-images
  std::vector<PublishItem> items;  // in identity order
};

// Called between Q9 and Q11 with a text that names the transaction; an error rolls back.
using Announce = std::function<Status(const std::string& transaction)>;

// Live partitions of which nothing is known become known as they are: rows stay, ledger rows of
// kind `adopt` are written.
struct AdoptGroup {
  std::string target;  // qualified relation
  Side live;           // the target
  const PartitionSpace* space = nullptr;
  RelationShape shape;  // the target's columns
  std::vector<std::string> grain;
  std::string plan;  // hash of the request, unique
  std::string code;  // digest of the transform that would compute these rows
  std::string actor;
  struct Item {
    Partition partition;
    std::string part;   // identity text
    Fingerprint found;  // what was reconciled
    std::string body;   // JSON for the ledger row
  };
  std::vector<Item> items;
  // Called inside the transaction with the open registrations of plans on this target; an error
  // (kRefused P0304) rolls back.
  std::function<Status(const std::vector<RegisterRequest::Open>&)> check;
};

struct PublishOutcome {
  bool already_published = false;  // every item had its ledger row of this plan before
  std::vector<LedgerRow> rows;     // read back after commit, one per item
};

// A table of ours in the target: a stage or a backup.
struct StoredObject {
  std::string schema;  // "retrofill_stage" or "retrofill_backup"
  std::string table;
  int64_t rows = 0;
};

}  // namespace retrofill
