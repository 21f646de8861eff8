#pragma once

// Random numbers: streams that repeat, and secrets that do not.

#include <cstdint>
#include <string>
#include <string_view>

namespace retrofill {

// A stream named by its purpose: the same seed and name give the same numbers on every machine,
// and streams of other names do not disturb it. Not for secrets. One thread.
class Random {
 public:
  Random(uint64_t seed, std::string_view name);

  uint64_t Next();
  // Evenly from 0 to limit - 1; limit is at least 1.
  uint64_t Below(uint64_t limit);
  // Evenly from 0 up to, not including, 1.
  double Fraction();

 private:
  uint64_t state_[4];
};

// Hex digits of `bytes` random bytes nobody can guess: tokens, ids of backfills. Any thread.
std::string SecureHex(size_t bytes);

}  // namespace retrofill
