#pragma once

// A plan: the frozen, hashed list of what will happen (product document, 5.3). Made by the planner,
// kept in the journal and in a file, never changed. docs/formats/plan.md has the JSON.

#include <absl/time/time.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/partition_set.h"
#include "model/project.h"
#include "model/space.h"

namespace retrofill {

enum class Action { kFill, kRestate, kSkip, kBlocked };

// "fill", "restate", "skip", "blocked".
std::string_view ActionText(Action action);
std::optional<Action> ParseAction(std::string_view text);

// Whether partitions with this action are computed.
inline bool IsComputed(Action action) {
  return action == Action::kFill || action == Action::kRestate;
}

// Partitions that are treated alike.
struct PlanRun {
  Action action = Action::kFill;
  std::string why;  // "missing", "stale:code", "stale:code,source", "forced", "expired", "open",
                    // "future", "ok" ...
  PartitionSet set;
  std::string before;  // combined digest of the live partitions, "empty" where all have no rows
                       // (BeforeDigest)
};

enum class TransformClass { kWindowed, kSequential, kWholeTable };
std::string_view TransformClassText(TransformClass transform_class);

struct PlanPin {
  std::map<std::string, std::string> files;  // path -> SHA-256
  std::string sql;                           // the template's text, which is what runs
  std::string digest;                        // transform digest (intervals document, 11)
  std::string retrofill;                     // version
  std::string engine;                        // "duckdb 1.5.6"
};

struct PlanSource {
  std::string schema;       // hash of its columns
  std::string fingerprint;  // digest of its rows in the planned range, first 16 hex digits
  int64_t rows = 0;         // in the planned range
};

struct PlanDownstream {
  std::string table;
  std::string action;  // "restate", "edge", "mixed", "missing", "open", "unseen"
  std::string keys;    // SetText; of "unseen" why
  int64_t partitions = 0;
  int64_t of = 0;       // partitions the table has up to as-of
  std::string refresh;  // "auto", "ask", "never"
  // Whether these partitions exist and are wrong once the plan is published.
  bool stale() const { return action == "restate" || action == "edge" || action == "mixed"; }
};

inline constexpr int64_t kPlanFormat = 1;

struct PlanSettings {
  PublishMode publish = PublishMode::kAtEnd;
  Order order = Order::kOldestFirst;
  std::string pool;
  int slots = 1;
  bool skip_blocked = false;
  std::optional<int> batch;  // none = auto
};

// How the rows of table and space are described, so that a plan can be read without the
// configuration.
struct PlanSpace {
  std::string by;  // empty = no time axis
  std::string column;
  std::string kind;  // "date", "timestamp utc", ...
  std::string zone;
  std::string zone_db;  // version of the zone rules
  std::string week_start;
  std::string bounds;  // hash of the boundaries of all planned runs
};

struct Plan {
  std::string name;
  std::string author;
  std::string reason;
  absl::Time created;
  absl::Time as_of;
  std::string table;
  std::string relation;
  TransformClass transform_class = TransformClass::kWindowed;
  std::string scope;  // "range" or "whole table"
  PlanSpace described;
  std::shared_ptr<const PartitionSpace> space;  // shared by plan, engine and threads; immutable
  std::vector<PlanRun> runs;
  PlanPin pin;
  std::map<std::string, PlanSource> sources;
  std::string target_schema;  // hash of its columns, empty where the table does not exist yet
  std::string strength;       // "exactly-once"
  PlanSettings settings;
  std::vector<PlanDownstream> downstream;
  std::string gate_proof;    // "14d", or "none" for an undo
  std::string unreconciled;  // the reason, or empty
  int64_t estimate_seconds_low = 0;
  int64_t estimate_seconds_high = 0;
  int64_t estimate_source_rows = 0;
  std::string estimate_basis;
  std::string undoes;  // hash of the plan that this one takes back, else empty
  std::string hash;    // 64 hex digits
  // The file: what was hashed, with `hash`, indented by two, sorted keys, newline at the end. Kept
  // as it was read, so that members which a later version added stay part of it.
  std::string text;

  PartitionSet Selected() const;
  PartitionSet ToCompute() const;
  std::string short_hash() const { return hash.substr(0, 8); }
};

// The RFC 8785 form of the plan without `hash`, and its SHA-256.
std::string PlanCanonicalText(const Plan& plan);
std::string PlanHash(const Plan& plan);
// Gives a plan that was just made its hash and text; nothing of it changes afterwards.
void SealPlan(Plan& plan);
// Members of no known name are kept and mean nothing. kRefused P0308 for everything else: no plan
// at all, an unknown format, a hash that does not match, a value that no plan has.
Result<Plan> ParsePlan(std::string_view text);
// Whether the runs are exactly `requested`, each partition in one of them (intervals document, 7).
bool Covers(const std::vector<PlanRun>& runs, const PartitionSet& requested,
            const PartitionSpace& space);

// SHA-256 over `identity TAB fingerprint` lines, first 16 hex digits; "empty" if every partition
// has no rows.
struct BeforeLine {
  std::string identity;
  std::string fingerprint;  // text; ignored if rows is 0
  int64_t rows = 0;
};
std::string BeforeDigest(const std::vector<BeforeLine>& lines);

inline constexpr size_t kMaxPlanName = 63;
// `[a-z0-9][a-z0-9._-]{0,62}`.
bool IsPlanName(std::string_view name);

}  // namespace retrofill
