#pragma once

// The one table of configuration keys (product document, 10.3): names, forms, defaults, what they
// mean and whether this version can act on them. Checking, the JSON Schema and the reference of the
// manual come from here.

#include <cstdint>
#include <span>
#include <string_view>

namespace retrofill {

// What a value must look like. FormOf (config/value_form.h) says it in words.
enum class KeyKind : uint8_t {
  kMap,    // the keys in `keys`
  kNamed,  // any name, each with the form of the single key in `keys`
  kList,   // items of the form of the single key in `keys`
  kText,   // one scalar, not empty
  kName,   // letters, digits, `_`, `-`, `.`
  kTexts,  // list of texts
  kTextMap,
  kInteger,        // 0 or more
  kPositive,       // 1 or more
  kNumber,         // a decimal number
  kBoolean,        // true, false
  kDuration,       // 90s 15min 2h 7d
  kDurationRange,  // 30s..10min
  kDays,           // 100d
  kSpan,           // 0 1h 27d 3mo
  kSize,           // 16MiB
  kMemory,         // 4GB, as DuckDB reads it
  kShareOrCount,   // 5% or 3
  kTolerance,      // 0.01, 8% or {abs, rel}
  kInstant,        // 2026-02-10T09:14:05Z
  kTime,           // a partition's name: 2025-01-01, 2025-01
  kZone,           // IANA
  kGrain,          // day, 6h, 15m
  kChoice,         // one of `choices`
  kBatch,          // auto or a number
  kReason,         // text of 8 characters or more
  kDimension,      // list of values, or a map with the keys in `keys`
  kSecret,         // a text that may only be given by reference
  kAny,
};

struct Key {
  std::string_view name{};
  KeyKind kind = KeyKind::kText;
  std::string_view fallback{};  // the default as one would write it; empty = none
  std::string_view help{};
  std::string_view choices{};  // kChoice: separated by `|`
  std::string_view later{};    // kChoice: values that this version cannot act on
  // False: the capability does not exist in this version, and the key is C0103.
  bool available = true;
  // Keys beside this one, separated by `|`: where one of them is refused as not available, this key
  // belongs to it and is not reported as well.
  std::string_view with{};
  bool required = false;
  // The keys of a map; the form of the entries or items of kNamed and kList. kText with keys may
  // also be a map of them.
  std::span<const Key> (*keys)() = nullptr;

  std::span<const Key> children() const {
    return keys == nullptr ? std::span<const Key>() : keys();
  }
};

// The document of `retrofill.yml`, a map.
const Key& ProjectKeys();
// The document of the user's and the system's settings: `cli` and `serve`.
const Key& SettingKeys();

// The child of that name; null if there is none. A kNamed key has one for every name.
const Key* FindKey(const Key& parent, std::string_view name);

// Parts of the table, each in its own file.
std::span<const Key> DefaultsKeys();
std::span<const Key> ConnectionKeys();
std::span<const Key> PoolKeys();
std::span<const Key> ScheduleKeys();
std::span<const Key> SourceKeys();
std::span<const Key> TableKeys();
std::span<const Key> RuleKeys();

}  // namespace retrofill
