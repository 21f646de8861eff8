// No text makes the reader of keys crash, and the printed form of a key that it reads is read as
// the same partition.

#include <string>
#include <string_view>

#include "base/check.h"
#include "changed_text.h"
#include "fuzz_spaces.h"

namespace retrofill {
namespace {

void CheckKey(std::string_view text) {
  for (const PartitionSpace& space : FuzzSpaces()) {
    const Result<Partition> read = space.ParseKey(text);
    if (!read.ok()) {
      RF_CHECK(read.error().id().starts_with("P01") && !read.error().message().empty());
      continue;
    }
    const std::string printed = space.KeyText(*read);
    const Result<Partition> again = space.ParseKey(printed);
    RF_CHECK(again.ok() && *again == *read && space.KeyText(*again) == printed);
    const std::optional<Partition> identified = space.ParseIdentity(space.IdentityText(*read));
    RF_CHECK(identified && *identified == *read);
  }
}

}  // namespace

// Each line is a key.
void CheckText(std::string_view text) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    CheckKey(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

}  // namespace retrofill
