#pragma once

// SHA-256 as 64 lower-case hex digits.

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace retrofill {

// Of a text in memory.
std::string Sha256Hex(std::string_view bytes);

// Of a file, read in pieces. kFailed C0111 if it cannot be opened or read.
Result<std::string> Sha256HexOfFile(const std::string& path);

// Of bytes that come in pieces. One thread at a time.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void Add(std::string_view bytes);
  // The digest of all that was added. Call once, last.
  std::string Hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Two lower-case hex digits per byte.
std::string HexText(std::string_view bytes);

}  // namespace retrofill
