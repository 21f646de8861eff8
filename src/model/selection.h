#pragma once

// The selection grammar of the product document, 4: words to a set of partitions, and the two lines
// that say what was understood.

#include <absl/time/time.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/partition_set.h"
#include "model/space.h"

namespace retrofill {

// All words of a selection together, keys from standard input among them.
inline constexpr size_t kMaxSelectionBytes = size_t{4} << 20U;

enum class Align { kNone, kIn, kOut };

// What the user typed, before anything is looked up.
struct SelectionArguments {
  std::vector<std::string> words =
      {};  // one shell argument each; `-` is replaced by the caller with the keys it read
  std::optional<std::string> start = {};  // --start
  std::optional<std::string> end = {};    // --end
  std::vector<std::string> except = {};   // --except
  Align align = Align::kNone;
  bool empty() const { return words.empty() && !start && !end; }
};

struct SelectionContext {
  const PartitionSpace* space = nullptr;  // not null
  std::string table = {};                 // for messages
  absl::Time as_of;
  absl::Time watermark;  // open ends stop here
  // Resolves `missing`, `stale`, `changed`, `failed`, `unknown`, `blocked` within a set. May be
  // empty: then a state word is refused with P0109.
  std::function<Result<PartitionSet>(std::string_view state, const PartitionSet& within)> state =
      {};
};

struct Selection {
  PartitionSet set;
  bool uses_state = false;           // an empty set is then "nothing to do", not P0102
  std::vector<Diagnostic> warnings;  // e.g. an exclusion outside the range
  std::vector<std::string> cut;      // key texts that --align in left out
};

// kInvalid with P0101 to P0110 or C0203, as in the table of 4.4, with a caret in the word where
// there is one; kRefused P0212 for more than kMaxSelectionBytes. Never widens, narrows or drops
// silently.
Result<Selection> ResolveSelection(const SelectionArguments& arguments,
                                   const SelectionContext& context);

// What is said of a selection that is too long.
Error SelectionTooLong();

// The lines `Range     ...` and `Interval  ...` of 4.2, without a newline at the end; the second is
// absent without a time axis.
std::vector<std::string> EchoLines(const PartitionSet& set, const PartitionSpace& space);

// Compact text of a set for people and for plan JSON: `2025-11-02..2025-12-24` pieces joined by ",
// ", cells named when they are not all; at most `max_pieces` pieces, then `... n more`.
std::string SetText(const PartitionSet& set, const PartitionSpace& space, int max_pieces);

}  // namespace retrofill
