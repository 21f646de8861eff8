// No text makes the configuration reader crash or hang, and what it reads can be shown and read
// again. Replays each file of the folders that are its arguments, then changed copies of it, the
// same ones each time. With -fsanitize=fuzzer and RETROFILL_LIBFUZZER it is a libFuzzer target.

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/file.h"
#include "config/key_check.h"
#include "config/key_table.h"
#include "config/problems.h"
#include "config/project_reader.h"
#include "config/show_config.h"
#include "config/variables.h"
#include "config/yaml_reader.h"

namespace retrofill {
namespace {

void CheckText(std::string_view text) {
  const Result<YamlNode> root = ReadYaml(text, {.name = "retrofill.yml", .folder = "nowhere"});
  if (!root.ok()) {
    RF_CHECK(root.error().id() == "C0101");
    return;
  }
  Problems problems;
  CheckKeys(ProjectKeys(), *root, problems);
  CheckReferences(*root, problems);
  if (root->is_map()) {
    CheckRequired(ProjectKeys(), *root, problems);
    const VariableReader none = [](std::string_view) { return std::optional<std::string>(); };
    const ProjectPlace place{
        .folder = "nowhere", .config_file = "nowhere/retrofill.yml", .environment = none};
    (void)ReadProject(*root, place, problems);
    const Result<YamlNode> shown = ReadYaml(ConfigText(*root), {.name = "shown"});
    RF_CHECK(shown.ok());
  }
  for (const Error& error : problems.TakeErrors()) {
    RF_CHECK(error.id().starts_with("C01") && !error.message().empty());
  }
}

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

std::string Changed(std::string text, Numbers& numbers) {
  constexpr std::string_view kBytes =
      "{}[]:,-?&*!|>'\"#%@`$\\\n\t \x00\xff"
      "0aé~";
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
