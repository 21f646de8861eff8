#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/decimal.h"
#include "model/verdict.h"

namespace retrofill {

// How far two values may lie apart: |s - t| <= max(abs, rel * max(|s|, |t|)), inclusive
// (verification document, 7.2).
struct Tolerance {
  Decimal abs;  // never negative
  Decimal rel;  // share: 0.01 is one per cent; never negative
};

// The largest distance that passes: max(abs, rel * max(|source|, |target|)).
Decimal LimitOf(const Decimal& source, const Decimal& target, const Tolerance& tolerance);
bool Within(const Decimal& source, const Decimal& target, const Tolerance& tolerance);

// What comparing two aggregate values said.
struct ValueComparison {
  Verdict verdict = Verdict::kIndeterminate;
  std::string delta;  // target - source, exact; empty where one of them is no number
  std::string limit;  // LimitOf; empty likewise
  std::string note;   // why, where the numbers do not say it: `all NULL`
};

// Compares the texts of two aggregate values, none = NULL (7.4): both NULL is ok, NULL on one side
// failed; NaN, an infinity, a number of too many digits and anything that is no number is
// indeterminate. Never binary floating point.
ValueComparison CompareValues(const std::optional<std::string>& source,
                              const std::optional<std::string>& target, const Tolerance& tolerance);

enum class RuleKind { kCount, kSum, kSql, kSqlNoRows, kUnique, kNotNull };
enum class Severity { kBlock, kWarn };
enum class RuleScope { kPartition, kRange };

// One entry of `tables.N.reconcile` (verification document, 7.1).
struct Rule {
  RuleKind kind = RuleKind::kCount;
  std::string name;          // never empty; made from the rule where none is given
  std::string source;        // kCount, kSum: aggregate over the first input; kSql: a select
  std::string target;        // the same over the target's side
  std::string source_where;  // filters that side only; may be empty
  std::string target_where;
  std::string no_rows;               // kSqlNoRows: a select that must return nothing
  std::vector<std::string> columns;  // kUnique, kNotNull
  int64_t max = 0;                   // kNotNull: NULLs allowed
  bool nulls_allowed = false;        // kUnique: `nulls: allow`
  Tolerance within;
  Severity severity = Severity::kBlock;
  RuleScope scope = RuleScope::kPartition;
  Origin origin;

  // Whether the rule ties the table to its source; a table needs at least one that does (R0101).
  bool reads_source() const {
    return kind == RuleKind::kCount || kind == RuleKind::kSum ||
           (kind == RuleKind::kSql && !source.empty());
  }
};

}  // namespace retrofill
