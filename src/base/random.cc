#include "base/random.h"

#include <openssl/rand.h>

#include <bit>

#include "base/check.h"
#include "base/hash.h"

namespace retrofill {

namespace {

// splitmix64: spreads one seed over the state of the generator.
uint64_t Spread(uint64_t& seed) {
  seed += 0x9E3779B97F4A7C15u;
  uint64_t mixed = seed;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

}  // namespace

Random::Random(uint64_t seed, std::string_view name) {
  uint64_t mixed = seed;
  // FNV-1a of the name, so that the stream depends on every byte of it.
  uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  mixed ^= hash;
  for (uint64_t& word : state_) word = Spread(mixed);
}

// xoshiro256**, by D. Blackman and S. Vigna (public domain).
uint64_t Random::Next() {
  const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

uint64_t Random::Below(uint64_t limit) {
  RF_CHECK(limit > 0);
  // Numbers under the threshold would make small results likelier; drawn again.
  const uint64_t threshold = (0 - limit) % limit;
  uint64_t drawn = Next();
  while (drawn < threshold) drawn = Next();
  return drawn % limit;
}

double Random::Fraction() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

std::string SecureHex(size_t bytes) {
  std::string random(bytes, '\0');
  RF_CHECK(RAND_bytes(reinterpret_cast<unsigned char*>(random.data()), static_cast<int>(bytes)) ==
           1);
  return HexText(random);
}

}  // namespace retrofill
