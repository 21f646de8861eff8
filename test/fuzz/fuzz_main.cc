// Starts a fuzzer: replays each file of the folders that are its arguments, then changed copies of
// it. With -fsanitize=fuzzer and RETROFILL_LIBFUZZER it is a libFuzzer target.

#include <fmt/core.h>

#include <string>
#include <vector>

#include "base/file.h"
#include "changed_text.h"

namespace retrofill {
namespace {

int Replay(int count, char** folders, int copies) {
  Numbers numbers;
  int files = 0;
  for (int i = 1; i < count; ++i) {
    const Result<std::vector<std::string>> names = ListFolder(folders[i]);
    if (!names.ok()) return 2;
    for (const std::string& name : *names) {
      const Result<std::string> text = ReadFile(JoinPath(folders[i], name));
      if (!text.ok()) return 2;
      CheckText(*text);
      for (int copy = 0; copy < copies; ++copy) CheckText(Changed(*text, numbers));
      ++files;
    }
  }
  fmt::print("{} files, {} changed copies each\n", files, copies);
  return files > 0 ? 0 : 2;
}

}  // namespace
}  // namespace retrofill

#ifdef RETROFILL_LIBFUZZER
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  retrofill::CheckText({reinterpret_cast<const char*>(data), size});
  return 0;
}
#else
int main(int count, char** folders) {
  constexpr int kCopies = 1000;
  return retrofill::Replay(count, folders, kCopies);
}
#endif
