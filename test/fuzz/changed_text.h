#pragma once

// What the fuzzers share: changed copies of a text, the same ones each time, and the replay of a
// folder of them.

#include <fmt/core.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file.h"

namespace retrofill {

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

// Calls `check` with each file of the folders that are its arguments, then with changed copies of
// it. The exit status: 0, or 2 where there was nothing to read.
inline int Replay(int count, char** folders, int copies,
                  const std::function<void(std::string_view)>& check) {
  Numbers numbers;
  int files = 0;
  for (int i = 1; i < count; ++i) {
    const Result<std::vector<std::string>> names = ListFolder(folders[i]);
    if (!names.ok()) return 2;
    for (const std::string& name : *names) {
      const Result<std::string> text = ReadFile(JoinPath(folders[i], name));
      if (!text.ok()) return 2;
      check(*text);
      for (int copy = 0; copy < copies; ++copy) check(Changed(*text, numbers));
      ++files;
    }
  }
  fmt::print("{} files, {} changed copies each\n", files, copies);
  return files > 0 ? 0 : 2;
}

}  // namespace retrofill

// The two ways a fuzzer is started. With -fsanitize=fuzzer and RETROFILL_LIBFUZZER it is a
// libFuzzer target; else it replays the folders that are its arguments.
#ifdef RETROFILL_LIBFUZZER
#define RETROFILL_FUZZER(check)                                             \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) { \
    check({reinterpret_cast<const char*>(data), size});                     \
    return 0;                                                               \
  }
#else
#define RETROFILL_FUZZER(check)                               \
  int main(int count, char** folders) {                       \
    constexpr int kCopies = 1000;                             \
    return retrofill::Replay(count, folders, kCopies, check); \
  }
#endif
