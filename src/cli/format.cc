#include "cli/format.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"

namespace retrofill {

Result<Format> ChooseFormat(std::string_view verb, std::string_view offered,
                            std::string_view asked) {
  const std::vector<std::string> names = Split(offered, ' ');
  const std::string name(asked.empty() ? std::string_view(names.front()) : asked);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    return Fail(ErrorCode::kInvalid, "C0206", "`retrofill {}` cannot answer as `{}`", verb, name)
        .Help("it can give " + Join(names, ", "));
  }
  if (name == "json") return Format::kJson;
  if (name == "jsonl") return Format::kJsonLines;
  return Format::kText;
}

}  // namespace retrofill
