#pragma once

// What `retrofill.yml` says, as values. The config module makes a Project; nobody changes one.
// Every name here is a key of the configuration (product document, 10.3); where a key is absent the
// member holds its default.

#include <absl/time/time.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/dimension.h"
#include "model/rule.h"
#include "model/span.h"

namespace retrofill {

enum class Order { kOldestFirst, kNewestFirst };
enum class PublishMode { kAtEnd, kPerPartition, kManual };
enum class OnFailure { kContinue, kStop };
enum class RefreshPolicy { kAuto, kAsk, kNever };
enum class ColumnHolds { kUnset, kUtc, kLocal };

// `max_failed: 5%` or `max_failed: 3`: more failed partitions than this stop a backfill.
struct FailureLimit {
  double share = 0.05;  // used if `count` is absent; of the partitions to compute, from 0 to 1
  std::optional<int64_t> count;  // absolute number
};

struct Attempts {
  int max = 3;                                     // tries of one partition, at least 1
  absl::Duration backoff_min = absl::Seconds(30);  // wait before the second try
  absl::Duration backoff_max = absl::Minutes(10);  // longest wait; doubles from min, with jitter
};

struct Keep {
  absl::Duration undo = absl::Hours(24 * 30);  // pre-images, from the last publish
  absl::Duration stage = absl::Hours(24 * 7);  // stages, from the end of their plan
};

struct Connection {
  std::string name;
  std::string type;  // "duckdb"
  std::string path;  // absolute, lexically normal
  Origin origin;
};

struct Pool {
  std::string name;
  std::string connection;
  int slots = 0;                                    // 0 = the default of the engine (DuckDB: 1)
  absl::Duration unit_time = absl::ZeroDuration();  // 0 = the default of the engine (DuckDB: 10 s)
  std::optional<int> threads;                       // session.threads
  std::optional<std::string> memory_limit;          // session.memory_limit, as DuckDB reads it
  Origin origin;
};

struct Source {
  std::string name;
  std::string connection;
  std::string relation;  // empty if `files` is set
  std::string files;     // absolute glob of Parquet, CSV or JSON Lines; empty if `relation` is set
  std::optional<std::string> event_time;  // column; none = an unwindowed input, fingerprinted whole
  std::string timezone = "UTC";           // zone of naive event times
  absl::Duration lag = absl::ZeroDuration();
  std::optional<int> retention_days;
  std::optional<std::string> complete;  // SQL that gives true when an interval is complete
  Origin origin;
};

// One entry of `tables.N.inputs`.
struct Input {
  std::string source;  // a source's name, or empty
  std::string table;   // a table's name, or empty
  Span before;         // how far before its interval the transform reads
  Span after;
  Origin origin;
  const std::string& name() const { return source.empty() ? table : source; }
};

// `tables.N.partition`. Without `by` or `cron` the table has no time axis.
struct PartitionSpec {
  // "day", "hour", "15m", "6h", "week", "month", "quarter", "year" or the line of `cron`; empty =
  // no time axis.
  std::string by;
  std::string column;
  ColumnHolds holds = ColumnHolds::kUnset;
  std::string column_unit;    // "s", "ms", "us", "ns" or empty
  std::string column_format;  // "yyyymmdd" or empty
  std::string begin;          // a name on the grid, or empty
  std::string end;            // inclusive, or empty
  std::string week_start = "monday";
  std::vector<Dimension> dimensions;
  Origin origin;
};

struct ProofSettings {
  int samples = 6;
  std::map<std::string, std::string> ignore_columns;  // column -> reason
  int64_t max_rows = 5'000'000;                       // largest sample, in source rows
};

struct Table {
  std::string name;
  std::string connection;
  std::string relation;
  std::optional<PartitionSpec> partition;  // none = one partition `all`
  std::string timezone = "UTC";
  Order order = Order::kOldestFirst;
  PublishMode publish = PublishMode::kAtEnd;
  OnFailure on_failure = OnFailure::kContinue;
  std::string pool;
  Attempts attempts;
  FailureLimit max_failed;
  Keep keep;
  absl::Duration require_proof = absl::Hours(24 * 14);
  std::vector<std::string> grain;
  std::vector<Input> inputs;  // empty = taken from {{ source }} and {{ ref }} of the SQL
  int lookback = 0;
  bool self_reference = false;
  bool parallel_ordered = false;
  std::string sql_file;      // relative to the project folder
  std::optional<int> batch;  // none = auto
  bool allow_empty = false;
  RefreshPolicy refresh = RefreshPolicy::kAuto;
  ProofSettings proof;
  std::vector<Rule> rules;
  std::optional<std::string> unreconciled;
  std::vector<std::string> tags;
  Origin origin;  // of the key `tables.N`
};

struct Project {
  std::string name;
  std::string folder;               // absolute path of the folder that holds the configuration file
  std::string config_file;          // absolute path
  std::string state_folder;         // absolute path of `.retrofill`
  std::string journal_path;         // absolute path of the SQLite journal
  std::optional<absl::Time> as_of;  // defaults.as_of
  std::map<std::string, Connection> connections;
  std::map<std::string, Pool>
      pools;  // declared pools, and `default@CONNECTION` where a table needs it
  std::map<std::string, Source> sources;
  std::map<std::string, Table> tables;
};

}  // namespace retrofill
