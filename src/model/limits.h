#pragma once

// Every limit of the engine, with its unit and its reason. Nothing is unbounded.

#include <cstdint>

namespace retrofill {

// Partitions built by one statement at most: bounds the text of its predicate and the work that a
// crash throws away.
inline constexpr int64_t kMaxUnitPartitions = 1024;

// Units that one build fills before it looks at them at most (publish document, 3): bounds what a
// pause waits for and what a crash throws away.
inline constexpr int64_t kMaxGroupUnits = 64;

// Rows that a rule of type `sql` may return for one partition; more is indeterminate (verification
// document, 7.2).
inline constexpr int64_t kMaxRuleRows = 100'000;

// Events waiting for the loop at most; a full queue makes executors wait.
inline constexpr int64_t kMaxQueuedEvents = 4096;

}  // namespace retrofill
