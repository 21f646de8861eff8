// No words make the reader of selections crash or hang; what it takes is never empty and can be
// shown.

#include <absl/time/time.h>

#include <string>
#include <string_view>

#include "base/check.h"
#include "base/text.h"
#include "changed_text.h"
#include "fuzz_spaces.h"
#include "model/selection.h"

namespace retrofill {
namespace {

// `--start X`, `--end X` and `--except X` as on the command line; everything else is a word.
SelectionArguments ArgumentsOf(std::string_view line) {
  SelectionArguments arguments;
  std::vector<std::string> words = Split(line, ' ');
  for (size_t i = 0; i < words.size(); ++i) {
    const bool has_value = i + 1 < words.size();
    if (words[i] == "--start" && has_value) {
      arguments.start = words[++i];
    } else if (words[i] == "--end" && has_value) {
      arguments.end = words[++i];
    } else if (words[i] == "--except" && has_value) {
      arguments.except.push_back(words[++i]);
    } else if (words[i] == "--in" || words[i] == "--out") {
      arguments.align = words[i] == "--in" ? Align::kIn : Align::kOut;
    } else {
      arguments.words.push_back(words[i]);
    }
  }
  return arguments;
}

void CheckSelection(const SelectionArguments& arguments, const PartitionSpace& space) {
  const absl::Time as_of = *ParseInstant("2026-02-10T09:14:05Z");
  const Result<Selection> chosen = ResolveSelection(
      arguments, {.space = &space,
                  .table = "t",
                  .as_of = as_of,
                  .watermark = *ParseInstant("2026-02-10T00:00:00Z"),
                  .state = [](std::string_view, const PartitionSet& within) { return within; }});
  if (!chosen.ok()) {
    const std::string& id = chosen.error().id();
    RF_CHECK(id.starts_with("P01") || id == "P0204" || id == "C0203");
    return;
  }
  RF_CHECK(chosen->uses_state || !chosen->set.empty());
  if (chosen->set.empty()) return;
  RF_CHECK(chosen->set.Count(space) > 0);
  RF_CHECK(!EchoLines(chosen->set, space).empty() && !SetText(chosen->set, space, 5).empty());
}

}  // namespace

// Each line is a selection.
void CheckText(std::string_view text) {
  for (const std::string& line : Lines(text)) {
    const SelectionArguments arguments = ArgumentsOf(line);
    for (const PartitionSpace& space : FuzzSpaces()) CheckSelection(arguments, space);
  }
}

}  // namespace retrofill
