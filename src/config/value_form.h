#pragma once

// What values must look like, and what they say. The key check calls CheckForm once for every
// value; readers then call the parsers, which cannot fail any more.

#include <absl/time/time.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "config/key_table.h"
#include "config/yaml_reader.h"
#include "model/decimal.h"
#include "model/project.h"
#include "model/rule.h"

namespace retrofill {

// The form in words, as the end of "write ...".
std::string FormOf(const Key& key);

// kInvalid C0103 (C0104 for a dimension value that YAML 1.1 takes for a boolean or number) where
// the scalar, list or map is not of the key's form. Maps with keys of their own are not looked
// into.
struct FormProblem {
  Error error;
  Place place;
  std::string label{};
};
std::vector<FormProblem> CheckForm(const Key& key, std::string_view path, const YamlNode& node);

struct DurationRange {
  absl::Duration min;
  absl::Duration max;
};
std::optional<bool> ParseBoolean(std::string_view text);
std::optional<DurationRange> ParseDurationRange(std::string_view text);
std::optional<int> ParseWholeDays(std::string_view text);              // `100d`
std::optional<FailureLimit> ParseFailureLimit(std::string_view text);  // `5%`, `3`
std::optional<Decimal> ParseDecimalShare(std::string_view text);       // `8%` as 0.08
std::optional<Tolerance> ParseTolerance(const YamlNode& node);
bool IsMemoryText(std::string_view text);

// What YAML 1.1 or 1.2 makes of a plain scalar: "false", "true", "a number", or nothing if it is a
// text.
std::optional<std::string_view> YamlTypeOf(std::string_view text);

// Letters, digits, `_`, `-`, `.`; the first a letter, digit or `_`; at most 128.
bool IsName(std::string_view text);

}  // namespace retrofill
