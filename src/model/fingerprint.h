#pragma once

#include <absl/numeric/int128.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace retrofill {

// Level 2, for one column: which column differs, without a key.
struct ColumnPrint {
  absl::int128 hash = 0;           // sum of hashes of the column's values
  std::optional<std::string> low;  // smallest and largest value as text; none = no non-null value
  std::optional<std::string> high;
  int64_t nan = 0;  // floats only
  int64_t positive_infinity = 0;
  int64_t negative_infinity = 0;

  bool operator==(const ColumnPrint&) const = default;
};

// What is in the rows of one partition, in a form that can be added and compared (verification
// document, 2). Level 1: count, sum of row hashes, sum of key hashes, non-null counts, exact sums,
// minimum and maximum of the partition column.
struct Fingerprint {
  // Bound values: two fingerprints are comparable only if all of these are equal.
  std::string algo;     // "duckdb-hash/1"
  std::string engine;   // "duckdb-1.5.6"
  uint64_t salt = 0;    // SaltOf(the relation the fingerprint is about)
  std::string schema;   // hash of the columns, 32 hex digits
  std::string columns;  // "all" or "strict"
  int level = 1;        // 0, 1 or 2

  int64_t n = 0;
  int64_t n_hashed = 0;
  absl::int128 row = 0;
  std::optional<absl::int128> key;          // absent without a grain
  std::optional<int64_t> distinct_keys;     // where it is known without an extra scan
  std::map<std::string, int64_t> non_null;  // nullable column -> count
  std::map<std::string, std::string>
      sums;  // integer or decimal column -> exact decimal text; absent = no non-null value
  std::optional<std::string> low;  // smallest and largest text of the partition column
  std::optional<std::string> high;
  std::map<std::string, ColumnPrint> column_prints;  // level 2: every hashed column

  bool operator==(const Fingerprint&) const = default;
};

// A signed 128-bit integer as decimal text, and back; nullopt for anything it would not print.
std::string Int128Text(absl::int128 value);
std::optional<absl::int128> ParseInt128(std::string_view text);

enum class Comparison { kEqual, kDifferent, kNotComparable };

// Compares what both sides hashed. kNotComparable if a bound value differs: the caller recomputes
// one side, or if only one of them is of level 0 and the counts agree. Never use this to say
// "changed" of fingerprints that another engine version made; ComparePortable does.
Comparison Compare(const Fingerprint& a, const Fingerprint& b);

// Compares counts, exact sums, minimum, maximum and null counts, which are the same on any engine
// version (2.1). Weaker than Compare: a text edited in place goes unseen, so the caller says
// "compared by portable parts".
Comparison ComparePortable(const Fingerprint& a, const Fingerprint& b);

// First 63 bits of SHA-256 of the qualified relation name; 0 becomes 1.
uint64_t SaltOf(std::string_view qualified_relation);

// The stored form: one line of JSON with sorted keys. Parse refuses what it would not print
// (kCorrupt W0202 is the caller's choice; here kInvalid).
std::string FingerprintText(const Fingerprint& fingerprint);
Result<Fingerprint> ParseFingerprint(std::string_view text);

// Sums the additive parts and merges the extremes; distinct keys are not additive and become
// absent. RF_CHECKs that both are comparable and that no sum overflows 128 bits.
Fingerprint Add(const Fingerprint& a, const Fingerprint& b);

}  // namespace retrofill
