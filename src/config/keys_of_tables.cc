// Keys of `defaults` and of tables.

#include "config/key_table.h"

namespace retrofill {
namespace {

std::span<const Key> AttemptsKeys() {
  static constexpr Key kKeys[] = {
      {.name = "max",
       .kind = KeyKind::kPositive,
       .fallback = "3",
       .help = "tries of one partition"},
      {.name = "backoff",
       .kind = KeyKind::kDurationRange,
       .fallback = "30s..10min",
       .help = "wait before the next try, from the first to the longest, with jitter"},
  };
  return kKeys;
}

std::span<const Key> KeepKeys() {
  static constexpr Key kKeys[] = {
      {.name = "undo",
       .kind = KeyKind::kDuration,
       .fallback = "30d",
       .help = "pre-images, from the last publish"},
      {.name = "stage",
       .kind = KeyKind::kDuration,
       .fallback = "7d",
       .help = "stages, from the end of their plan"},
  };
  return kKeys;
}

std::span<const Key> RequireKeys() {
  static constexpr Key kKeys[] = {
      {.name = "clean_git",
       .kind = KeyKind::kBoolean,
       .fallback = "true",
       .help = "inside a git work tree, plan only what is committed"},
      {.name = "proof",
       .kind = KeyKind::kDuration,
       .fallback = "14d",
       .help = "how old a proof may be"},
  };
  return kKeys;
}

std::span<const Key> DimensionKeys() {
  static constexpr Key kKeys[] = {
      {.name = "query", .help = "SQL that lists the values", .available = false},
      {.name = "column", .help = "column of the values", .available = false, .with = "query"},
      {.name = "type",
       .kind = KeyKind::kChoice,
       .fallback = "text",
       .help = "type of the values",
       .choices = "text|int|bool",
       .available = false,
       .with = "query"},
  };
  return kKeys;
}

std::span<const Key> EachDimension() {
  static constexpr Key kEach[] = {
      {.name = "*", .kind = KeyKind::kDimension, .keys = DimensionKeys}};
  return kEach;
}

std::span<const Key> PartitionKeys() {
  static constexpr Key kKeys[] = {
      {.name = "by",
       .kind = KeyKind::kGrain,
       .help = "length of a partition: `day`, `hour`, `6h`, `15m`, `week`, `month`, `quarter`, "
               "`year`"},
      {.name = "cron",
       .help = "in place of `by`: a partition from each tick of a cron line to the next, such as "
               "`0 8 1 * *`; `L` is the last day of a month"},
      {.name = "column", .help = "column whose value decides the partition of a row"},
      {.name = "column_holds",
       .kind = KeyKind::kChoice,
       .help = "what a timestamp without zone holds",
       .choices = "utc|local"},
      {.name = "column_unit",
       .kind = KeyKind::kChoice,
       .help = "unit of an integer since the epoch",
       .choices = "s|ms|us|ns"},
      {.name = "column_format",
       .kind = KeyKind::kChoice,
       .help = "form of an integer date",
       .choices = "yyyymmdd"},
      {.name = "begin", .kind = KeyKind::kTime, .help = "first partition"},
      {.name = "end", .kind = KeyKind::kTime, .help = "last partition"},
      {.name = "week_start",
       .kind = KeyKind::kChoice,
       .fallback = "monday",
       .help = "first day of a week",
       .choices = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"},
      {.name = "dimensions",
       .kind = KeyKind::kNamed,
       .help = "columns that cut a partition further, each with its values",
       .keys = EachDimension},
  };
  return kKeys;
}

std::span<const Key> WindowKeys() {
  static constexpr Key kKeys[] = {
      {.name = "before",
       .kind = KeyKind::kSpan,
       .fallback = "0",
       .help = "how far before its interval the transform reads"},
      {.name = "after",
       .kind = KeyKind::kSpan,
       .fallback = "0",
       .help = "how far after its interval the transform reads"},
  };
  return kKeys;
}

std::span<const Key> InputKeys() {
  static constexpr Key kKeys[] = {
      {.name = "source", .kind = KeyKind::kName, .help = "a source"},
      {.name = "table", .kind = KeyKind::kName, .help = "another table"},
      {.name = "window",
       .kind = KeyKind::kMap,
       .help = "what is read around the interval, in calendar units",
       .keys = WindowKeys},
      {.name = "dimensions",
       .kind = KeyKind::kAny,
       .help = "how values of the input map to those of the table",
       .available = false},
      {.name = "mutable",
       .kind = KeyKind::kReason,
       .help = "why the input may change without a trace",
       .available = false},
  };
  return kKeys;
}

std::span<const Key> EachInput() {
  static constexpr Key kEach[] = {{.name = "*", .kind = KeyKind::kMap, .keys = InputKeys}};
  return kEach;
}

std::span<const Key> WindowVarsKeys() {
  static constexpr Key kKeys[] = {
      {.name = "start", .help = "dbt variable of the start"},
      {.name = "end", .help = "dbt variable of the end"},
      {.name = "format", .help = "how the instants are written"},
      {.name = "end_is",
       .kind = KeyKind::kChoice,
       .help = "whether the end belongs to the interval",
       .choices = "exclusive|inclusive"},
  };
  return kKeys;
}

std::span<const Key> TransformKeys() {
  constexpr std::string_view kOther = "command|dbt";
  static constexpr Key kKeys[] = {
      {.name = "sql", .help = "file with one select"},
      {.name = "command",
       .kind = KeyKind::kTexts,
       .help = "program and arguments",
       .available = false},
      {.name = "dbt", .help = "a dbt model", .available = false},
      {.name = "batch",
       .kind = KeyKind::kPositive,
       .fallback = "1",
       .help = "partitions of one call",
       .available = false,
       .with = kOther},
      {.name = "timeout",
       .kind = KeyKind::kDuration,
       .fallback = "1h",
       .help = "longest call",
       .available = false,
       .with = kOther},
      {.name = "grace",
       .kind = KeyKind::kDuration,
       .fallback = "30s",
       .help = "time between asking a program to stop and stopping it",
       .available = false,
       .with = kOther},
      {.name = "env",
       .kind = KeyKind::kTextMap,
       .help = "variables of the program",
       .available = false,
       .with = kOther},
      {.name = "version",
       .kind = KeyKind::kTexts,
       .help = "files that make up the program",
       .available = false,
       .with = kOther},
      {.name = "window_vars",
       .kind = KeyKind::kMap,
       .help = "dbt variables that bound an incremental model",
       .available = false,
       .with = kOther,
       .keys = WindowVarsKeys},
  };
  return kKeys;
}

std::span<const Key> ToleranceMap() {
  static constexpr Key kEach[] = {{.name = "*", .kind = KeyKind::kTolerance}};
  return kEach;
}

std::span<const Key> ProofKeys() {
  static constexpr Key kKeys[] = {
      {.name = "samples",
       .kind = KeyKind::kPositive,
       .fallback = "6",
       .help = "partitions that a proof runs on"},
      {.name = "ignore_columns",
       .kind = KeyKind::kTextMap,
       .help = "columns that may differ between runs, each with the reason"},
      {.name = "float_tolerance",
       .kind = KeyKind::kNamed,
       .help = "columns of floating point that may differ, and by how much",
       .available = false,
       .keys = ToleranceMap},
      {.name = "max_rows",
       .kind = KeyKind::kPositive,
       .fallback = "5000000",
       .help = "largest sample, in source rows"},
  };
  return kKeys;
}

std::span<const Key> EachRule() {
  static constexpr Key kEach[] = {{.name = "*", .kind = KeyKind::kMap, .keys = RuleKeys}};
  return kEach;
}

constexpr Key kTimezone = {.name = "timezone",
                           .kind = KeyKind::kZone,
                           .fallback = "UTC",
                           .help = "IANA zone of partition boundaries"};
constexpr Key kPool = {.name = "pool",
                       .kind = KeyKind::kName,
                       .fallback = "default",
                       .help = "how much of the connection to use"};
constexpr Key kOrder = {.name = "order",
                        .kind = KeyKind::kChoice,
                        .fallback = "oldest_first",
                        .help = "which partition comes first",
                        .choices = "oldest_first|newest_first"};
constexpr Key kPublish = {.name = "publish",
                          .kind = KeyKind::kChoice,
                          .fallback = "at_end",
                          .help = "when results become visible",
                          .choices = "at_end|per_partition|manual"};
constexpr Key kMaxFailed = {.name = "max_failed",
                            .kind = KeyKind::kShareOrCount,
                            .fallback = "5%",
                            .help = "stop when more of the partitions to compute have failed"};
constexpr Key kAttempts = {.name = "attempts",
                           .kind = KeyKind::kMap,
                           .help = "tries of one partition",
                           .keys = AttemptsKeys};

constexpr std::string_view kEvents = "events";
constexpr Key kTableKeys[] = {
    {.name = "connection", .kind = KeyKind::kName, .help = "default: the only one"},
    {.name = "relation", .help = "default: the table's name, in the default schema"},
    {.name = "partition",
     .kind = KeyKind::kMap,
     .help = "how the table is cut; none: one partition `all`",
     .keys = PartitionKeys},
    kTimezone,
    kOrder,
    kPublish,
    kPool,
    kAttempts,
    kMaxFailed,
    {.name = "grain", .kind = KeyKind::kTexts, .help = "columns that identify a row"},
    {.name = "inputs",
     .kind = KeyKind::kList,
     .help = "what the transform reads; default: from the SQL",
     .keys = EachInput},
    {.name = "lookback",
     .kind = KeyKind::kInteger,
     .fallback = "0",
     .help = "partitions before its newest that a scheduled run rewrites"},
    {.name = "self_reference",
     .kind = KeyKind::kBoolean,
     .help = "the transform reads the table itself; default: detected"},
    {.name = "parallel",
     .kind = KeyKind::kChoice,
     .fallback = "free",
     .help = "whether partitions may run at once",
     .choices = "free|ordered"},
    {.name = "events",
     .kind = KeyKind::kName,
     .help = "the event log that fills the table",
     .available = false},
    {.name = "columns",
     .kind = KeyKind::kAny,
     .help = "columns of a landing table",
     .available = false,
     .with = kEvents},
    {.name = "where", .help = "events that land", .available = false, .with = kEvents},
    {.name = "keep",
     .kind = KeyKind::kChoice,
     .fallback = "all",
     .help = "rows of an entity",
     .choices = "all|latest",
     .available = false,
     .with = kEvents},
    {.name = "writer",
     .kind = KeyKind::kChoice,
     .fallback = "external",
     .help = "who writes new events",
     .choices = "external|retrofill",
     .available = false,
     .with = kEvents},
    {.name = "cutover_rest",
     .kind = KeyKind::kInteger,
     .fallback = "50000",
     .help = "events left at the cut-over",
     .available = false,
     .with = kEvents},
    {.name = "snapshot_wait",
     .kind = KeyKind::kDuration,
     .fallback = "60s",
     .help = "wait for a snapshot",
     .available = false,
     .with = kEvents},
    {.name = "transform",
     .kind = KeyKind::kMap,
     .help = "how a partition is computed",
     .keys = TransformKeys},
    {.name = "batch",
     .kind = KeyKind::kBatch,
     .fallback = "auto",
     .help = "adjacent partitions of one SQL statement"},
    {.name = "allow_empty",
     .kind = KeyKind::kBoolean,
     .fallback = "false",
     .help = "an empty source may publish over a filled partition"},
    {.name = "schedule",
     .kind = KeyKind::kChoice,
     .help = "the schedule that writes the table, or `none`",
     .choices = "none",
     .later = "*"},
    {.name = "refresh",
     .kind = KeyKind::kChoice,
     .fallback = "auto",
     .help = "when this table is downstream",
     .choices = "auto|ask|never"},
    {.name = "triggers",
     .kind = KeyKind::kChoice,
     .help = "the target's triggers may change rows elsewhere",
     .choices = "allow",
     .available = false},
    {.name = "allow_hooks",
     .kind = KeyKind::kBoolean,
     .fallback = "false",
     .help = "dbt hooks may run",
     .available = false},
    {.name = "proof",
     .kind = KeyKind::kMap,
     .help = "how the transform is proven",
     .keys = ProofKeys},
    {.name = "reconcile",
     .kind = KeyKind::kList,
     .help = "rules that tie the table to its source",
     .keys = EachRule},
    {.name = "unreconciled", .kind = KeyKind::kReason, .help = "why no rule reads the source"},
    {.name = "hooks",
     .kind = KeyKind::kAny,
     .help = "commands around a publish",
     .available = false},
    {.name = "tags", .kind = KeyKind::kTexts, .help = "names for `--select tag:NAME`"},
    {.name = "sensitive",
     .kind = KeyKind::kTexts,
     .help = "columns whose values are never shown",
     .available = false},
};

}  // namespace

std::span<const Key> DefaultsKeys() {
  static constexpr Key kKeys[] = {
      kTimezone,
      kPool,
      kOrder,
      kPublish,
      {.name = "on_failure",
       .kind = KeyKind::kChoice,
       .fallback = "continue",
       .help = "whether other partitions go on when one has failed",
       .choices = "continue|stop"},
      kMaxFailed,
      kAttempts,
      {.name = "keep",
       .kind = KeyKind::kMap,
       .help = "how long what is needed for undo and resume is kept",
       .keys = KeepKeys},
      {.name = "require", .kind = KeyKind::kMap, .help = "what a run needs", .keys = RequireKeys},
      {.name = "as_of",
       .kind = KeyKind::kInstant,
       .help = "fixed `now` of plans, for demos and tests; default: the clock"},
  };
  return kKeys;
}

std::span<const Key> TableKeys() { return kTableKeys; }

}  // namespace retrofill
