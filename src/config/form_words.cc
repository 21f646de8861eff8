// What a value must look like, in words.

#include "base/text.h"
#include "config/value_form.h"

namespace retrofill {
namespace {

std::string ChoiceList(std::string_view choices) {
  std::string list;
  const std::vector<std::string> words = Split(choices, '|');
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) list += i + 1 == words.size() ? " or " : ", ";
    list += fmt::format("`{}`", words[i]);
  }
  return list;
}

}  // namespace

std::string FormOf(const Key& key) {
  switch (key.kind) {
    case KeyKind::kMap:
      return "a map of keys and values";
    case KeyKind::kNamed:
      return "a map from names to what they mean";
    case KeyKind::kList:
      return "a list";
    case KeyKind::kText:
      return "a text";
    case KeyKind::kName:
      return "a name of letters, digits, `_`, `-` and `.`";
    case KeyKind::kTexts:
      return "a list of texts: `[a, b]`";
    case KeyKind::kTextMap:
      return "a map from names to texts: `{name: text}`";
    case KeyKind::kInteger:
      return "a whole number, 0 or more";
    case KeyKind::kPositive:
      return "a whole number, 1 or more";
    case KeyKind::kNumber:
      return "a number";
    case KeyKind::kBoolean:
      return "`true` or `false`";
    case KeyKind::kDuration:
      return "a length of time: `90s`, `15min`, `2h` or `7d`";
    case KeyKind::kDurationRange:
      return "two lengths of time, the shorter first: `30s..10min`";
    case KeyKind::kDays:
      return "whole days: `100d`";
    case KeyKind::kSpan:
      return "a calendar length: `0`, `30min`, `2h`, `7d`, `2w`, `3mo`, `1q` or `1y`";
    case KeyKind::kSize:
      return "a size: `16MiB`, `400GiB`";
    case KeyKind::kMemory:
      return "a size: `512MB`, `4GB`, `2GiB`";
    case KeyKind::kShareOrCount:
      return "a share such as `5%`, or a whole number";
    case KeyKind::kTolerance:
      return "a number such as `0.01`, a share such as `8%`, or both: `{abs: 0.01, rel: 0.001%}`";
    case KeyKind::kInstant:
      return "an instant: `2026-02-10T09:14:05Z`";
    case KeyKind::kTime:
      return "the name of a partition: `2025-01-01`, `2025-01`, `2025`";
    case KeyKind::kZone:
      return "an IANA zone: `UTC`, `Europe/Berlin`";
    case KeyKind::kGrain:
      return "`day`, `hour`, `week`, `month`, `quarter`, `year`, or a part of a day: `15m`, `6h`";
    case KeyKind::kChoice:
      return ChoiceList(key.choices);
    case KeyKind::kBatch:
      return "`auto` or a whole number, 1 or more";
    case KeyKind::kReason:
      return "a reason of 8 characters or more";
    case KeyKind::kDimension:
      return "a list of its values: `[eu, us]`";
    case KeyKind::kSecret:
      return "a reference: `${VARIABLE}` or `${file:/path}`";
    case KeyKind::kAny:
      return "a value";
  }
  return "a value";
}

}  // namespace retrofill
