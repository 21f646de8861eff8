// Keys of `tables.N.reconcile[]` (verification document, 7.1).

#include "config/key_table.h"

namespace retrofill {
namespace {

constexpr Key kName = {.name = "name", .help = "how reports call the rule"};
constexpr Key kSeverity = {.name = "severity",
                           .kind = KeyKind::kChoice,
                           .fallback = "block",
                           .help = "what a failed rule does",
                           .choices = "block|warn",
                           .later = "approve"};
constexpr Key kScope = {.name = "scope",
                        .kind = KeyKind::kChoice,
                        .fallback = "partition",
                        .help = "checked for each partition, or once over the range",
                        .choices = "partition|range"};
constexpr Key kWithin = {.name = "within",
                         .kind = KeyKind::kTolerance,
                         .fallback = "0",
                         .help = "how far the two sides may lie apart"};

std::span<const Key> AggregateKeys() {
  static constexpr Key kKeys[] = {
      kName,
      {.name = "source", .help = "aggregate over the first input", .required = true},
      {.name = "target", .help = "aggregate over the table", .required = true},
      {.name = "source_where", .help = "condition on the rows of the source"},
      {.name = "target_where", .help = "condition on the rows of the table"},
      {.name = "by",
       .kind = KeyKind::kTexts,
       .help = "columns that group both sides",
       .available = false},
      kWithin,
      kSeverity,
      kScope,
  };
  return kKeys;
}

std::span<const Key> SqlKeys() {
  static constexpr Key kKeys[] = {
      kName,
      {.name = "source", .help = "select with one value"},
      {.name = "target", .help = "select with one value"},
      {.name = "no_rows", .help = "select that must return nothing"},
      kWithin,
      kSeverity,
      kScope,
  };
  return kKeys;
}

std::span<const Key> UniqueKeys() {
  static constexpr Key kKeys[] = {
      kName,
      {.name = "columns",
       .kind = KeyKind::kTexts,
       .help = "columns that identify a row",
       .required = true},
      {.name = "nulls",
       .kind = KeyKind::kChoice,
       .help = "a key with NULL is no failure",
       .choices = "allow"},
      kSeverity,
      kScope,
  };
  return kKeys;
}

std::span<const Key> NotNullKeys() {
  static constexpr Key kKeys[] = {
      kName,
      {.name = "columns",
       .kind = KeyKind::kTexts,
       .help = "columns that are never NULL",
       .required = true},
      {.name = "max", .kind = KeyKind::kInteger, .fallback = "0", .help = "NULLs allowed"},
      kSeverity,
      kScope,
  };
  return kKeys;
}

std::span<const Key> ConserveKeys() {
  static constexpr Key kKeys[] = {
      kName,
      {.name = "rule", .help = "identity such as `source.rows = target.rows + rejects.rows`"},
      {.name = "terms", .kind = KeyKind::kAny, .help = "further relations of the identity"},
      kWithin,
      kSeverity,
      kScope,
  };
  return kKeys;
}

std::span<const Key> CoverageKeys() {
  static constexpr Key kKeys[] = {
      kName,
      {.name = "source", .help = "key of the source"},
      {.name = "target", .help = "key of the table"},
      {.name = "max_missing",
       .kind = KeyKind::kInteger,
       .fallback = "0",
       .help = "source keys that may be missing"},
      kSeverity,
      kScope,
  };
  return kKeys;
}

std::span<const Key> ChangeKeys() {
  static constexpr Key kKeys[] = {
      kName,
      {.name = "total", .kind = KeyKind::kAny, .help = "how far the sum of a column may move"},
      {.name = "columns", .kind = KeyKind::kTexts, .help = "columns that may change"},
      {.name = "removed", .kind = KeyKind::kShareOrCount, .help = "rows that may go"},
      {.name = "added", .kind = KeyKind::kShareOrCount, .help = "rows that may come"},
      {.name = "changed", .kind = KeyKind::kShareOrCount, .help = "rows that may change"},
      {.name = "only_where", .help = "where alone rows may change"},
      kSeverity,
      kScope,
  };
  return kKeys;
}

std::span<const Key> OrphansKeys() {
  static constexpr Key kKeys[] = {
      kName,
      {.name = "target", .help = "column of the table"},
      {.name = "in", .help = "`RELATION.COLUMN` that must have its values"},
      {.name = "max", .kind = KeyKind::kInteger, .fallback = "0", .help = "orphans allowed"},
      kSeverity,
      kScope,
  };
  return kKeys;
}

std::span<const Key> FanoutKeys() {
  static constexpr Key kKeys[] = {
      kName,
      {.name = "source", .help = "key of the source"},
      {.name = "target", .help = "key of the table"},
      {.name = "rows", .kind = KeyKind::kTexts, .help = "fewest and most rows of one key"},
      kSeverity,
      kScope,
  };
  return kKeys;
}

std::span<const Key> RollforwardKeys() {
  static constexpr Key kKeys[] = {
      kName,
      {.name = "key", .kind = KeyKind::kTexts, .help = "columns of an account"},
      {.name = "closing", .help = "aggregate that is the balance"},
      {.name = "movement", .help = "aggregate that is the change"},
      {.name = "opening", .help = "`previous` or a number"},
      kWithin,
      kSeverity,
      kScope,
  };
  return kKeys;
}

std::span<const Key> FreshKeys() {
  static constexpr Key kKeys[] = {
      kName,
      {.name = "column", .help = "column of the load time"},
      {.name = "max_lag", .kind = KeyKind::kDuration, .help = "how old the newest row may be"},
      kSeverity,
      kScope,
  };
  return kKeys;
}

}  // namespace

std::span<const Key> RuleKeys() {
  constexpr KeyKind kMap = KeyKind::kMap;
  static constexpr Key kKeys[] = {
      {.name = "count", .kind = kMap, .help = "two counts agree", .keys = AggregateKeys},
      {.name = "sum", .kind = kMap, .help = "two sums agree", .keys = AggregateKeys},
      {.name = "sql",
       .kind = kMap,
       .help = "two selects agree, or one returns nothing",
       .keys = SqlKeys},
      {.name = "unique", .kind = kMap, .help = "no key twice, none NULL", .keys = UniqueKeys},
      {.name = "not_null", .kind = kMap, .help = "columns without NULL", .keys = NotNullKeys},
      {.name = "coverage",
       .kind = kMap,
       .help = "every source key is in the table",
       .available = false,
       .keys = CoverageKeys},
      {.name = "conserve",
       .kind = kMap,
       .help = "an identity of counts and sums",
       .available = false,
       .keys = ConserveKeys},
      {.name = "change",
       .kind = kMap,
       .help = "how far rows may move from the previous ones",
       .available = false,
       .keys = ChangeKeys},
      {.name = "orphans",
       .kind = kMap,
       .help = "every value is in a dimension table",
       .available = false,
       .keys = OrphansKeys},
      {.name = "fanout",
       .kind = kMap,
       .help = "rows of the table for each source key",
       .available = false,
       .keys = FanoutKeys},
      {.name = "rollforward",
       .kind = kMap,
       .help = "closing and movement give the next closing",
       .available = false,
       .keys = RollforwardKeys},
      {.name = "fresh",
       .kind = kMap,
       .help = "the newest row is not too old",
       .available = false,
       .keys = FreshKeys},
  };
  return kKeys;
}

}  // namespace retrofill
