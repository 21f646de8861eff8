#pragma once

// What happened to a backfill, as typed values. Recovery, status and every view come from folding
// these (model/backfill.h); the journal stores them as type and JSON body. Fields are only ever
// added: docs/formats/journal.md.

#include <absl/time/time.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "model/verdict.h"

namespace retrofill {

// The answer of one check, with what it rests on.
struct CheckResult {
  std::string name;  // "orders counted once", "grain unique, not null"
  Verdict verdict = Verdict::kIndeterminate;
  std::string id;      // diagnostic id when it is not ok, else empty
  std::string source;  // value of the source's side, empty where there is none
  std::string before;  // value of the live rows, empty where it was not asked
  std::string target;  // value of the staged or live side
  std::string delta;   // |source - target|, empty where there is none
  std::string note;    // "difference 0", "ok-empty", "within 0.01"
  int64_t partitions = 1;
  int64_t failed = 0;
  std::string worst;       // key text of the worst partition, empty if none
  bool warn_only = false;  // severity: warn
};

struct PlanCreated {
  std::string plan;  // hash
  std::string table;
  std::string undoes;  // hash of the plan taken back, or empty
  std::string undoes_backfill;
};
struct ConsentGiven {
  std::string what;  // "skip_blocked", "publish"
};
struct ProofRecorded {
  bool passed = false;
  std::string certificate;  // key of the document
  bool batch_proven = false;
  std::string summary;
};
struct ProofOverridden {
  std::string reason;
};
struct CanarySkipped {
  std::string reason;
};
struct CanaryRecorded {
  bool passed = false;
  std::string part;  // identity text
};
// A process took the backfill. Whatever an earlier process had in flight is over.
struct SessionStarted {
  std::string owner;
  int slots = 1;
};
struct Registered {
  int64_t plan_no = 0;
};
struct UnitPart {
  std::string part;  // identity text
  int64_t epoch = 0;
};
// Intent: from here on the stage may hold rows of this unit.
struct UnitStarted {
  int64_t unit = 0;
  int64_t epoch = 0;  // highest of its parts
  std::vector<UnitPart> parts;
};
struct PartitionStaged {
  std::string part;
  int64_t unit = 0;
  int64_t epoch = 0;  // of the unit
  int64_t attempt = 1;
  int64_t rows = 0;
  int64_t source_rows = -1;      // -1: not asked
  bool confirmed_empty = false;  // no rows, and the source was read, is complete and has none
  int64_t milliseconds = 0;      // its share of the unit
  std::string digest;            // fingerprint text of the staged rows
  std::map<std::string, std::string> inputs;  // input -> version (count and row digest)
  std::vector<CheckResult> checks;
};
// Staged rows that can no longer be used, such as those of a stage that is gone or whose source
// moved: computed again.
struct StageLost {
  std::vector<std::string> parts;
  std::string why;
};
struct PartitionFailed {
  std::string part;
  int64_t attempt = 1;
  bool final = false;     // no attempt is left
  absl::Time not_before;  // earliest next attempt, if not final
  std::string id;
  std::string message;
  std::vector<CheckResult> checks;  // those that did not pass
};
struct PartitionBlocked {
  std::string part;
  std::string why;
};
struct RangeVerified {
  std::vector<CheckResult> checks;
};
// Intent: from here on these partitions may be live.
struct PublishIntended {
  std::vector<UnitPart> parts;
};
struct CommitAnnounced {
  std::string transaction;
};
struct OutcomeUnknown {
  std::vector<std::string> parts;
  std::string message;
};
// A commit whose outcome was unknown did not take effect.
struct OutcomeNotPublished {
  std::vector<std::string> parts;
};
struct PartitionPublished {
  std::string part;
  int64_t epoch = 0;
  int64_t rows = 0;
  bool adopted = false;  // found in the ledger by recovery
};
struct RangePublished {
  int64_t milliseconds = 0;
  absl::Time undo_until;
};
struct BackfillDone {
  std::vector<CheckResult> checks;
};
struct AttentionNeeded {
  std::string id;
  std::string message;
  std::vector<std::string> next;  // command line that helps, as argv
};
struct BackfillPaused {
  std::string reason;
};
struct BackfillCancelled {
  std::string reason;
};
// Partitions of this backfill were taken back by the backfill `by`.
struct PartitionsUndone {
  std::string by;
  std::vector<std::string> parts;
};
struct PauseRequested {
  std::string reason;
};
struct CancelRequested {
  std::string reason;
};
struct RetryRequested {
  std::vector<std::string> parts;
};

using EventBody =
    std::variant<PlanCreated, ConsentGiven, ProofRecorded, ProofOverridden, CanarySkipped,
                 CanaryRecorded, SessionStarted, Registered, UnitStarted, PartitionStaged,
                 StageLost, PartitionFailed, PartitionBlocked, RangeVerified, PublishIntended,
                 CommitAnnounced, OutcomeUnknown, OutcomeNotPublished, PartitionPublished,
                 RangePublished, BackfillDone, AttentionNeeded, BackfillPaused, BackfillCancelled,
                 PartitionsUndone, PauseRequested, CancelRequested, RetryRequested>;

struct Event {
  int64_t seq = 0;
  std::string backfill;
  absl::Time at;
  std::string actor;
  EventBody body;
};

// "partition.staged" and so on.
std::string_view EventType(const EventBody& body);
// One line of JSON.
std::string EventText(const EventBody& body);
// kCorrupt W0201 if the body does not have the fields of its type; nullopt for a type this version
// does not know.
Result<std::optional<EventBody>> ParseEvent(std::string_view type, std::string_view text);

}  // namespace retrofill
