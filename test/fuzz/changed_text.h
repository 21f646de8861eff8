#pragma once

// What the fuzzers share: changed copies of a text, the same ones each time.

#include <cstdint>
#include <string>
#include <string_view>

namespace retrofill {

// What each fuzzer is: ends the process where its parser does not hold what it promises.
void CheckText(std::string_view text);

// xorshift64: the same numbers everywhere.
class Numbers {
 public:
  uint64_t Below(uint64_t limit) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return limit == 0 ? 0 : state_ % limit;
  }

 private:
  uint64_t state_ = 0x9E3779B97F4A7C15ULL;
};

// The text with one to four bytes or pieces of it replaced, removed, repeated or cut off.
inline std::string Changed(std::string text, Numbers& numbers) {
  constexpr std::string_view kBytes =
      "{}[]:,-?&*!|>'\"#%@`$\\\n\t \x00\xff"
      "0aé~./=";
  const uint64_t changes = 1 + numbers.Below(4);
  for (uint64_t i = 0; i < changes && !text.empty(); ++i) {
    const size_t at = numbers.Below(text.size());
    const size_t length = 1 + numbers.Below(12);
    switch (numbers.Below(4)) {
      case 0:
        text[at] = kBytes[numbers.Below(kBytes.size())];
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(numbers.Below(text.size()), length));
        break;
      default:
        text.resize(at);
        break;
    }
  }
  return text;
}

}  // namespace retrofill
