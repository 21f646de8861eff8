#pragma once

// Reads values of maps that the key check has passed. A value that is absent, null or of another
// form (then it was reported) gives nothing.

#include <absl/time/time.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/yaml_reader.h"
#include "model/span.h"

namespace retrofill {

// The value, or null pointer where it is absent or null.
const YamlNode* ValueAt(const YamlNode& map, std::string_view key);
const YamlNode* MapAt(const YamlNode& map, std::string_view key);
const YamlNode* ListAt(const YamlNode& map, std::string_view key);

std::optional<std::string> TextAt(const YamlNode& map, std::string_view key);
std::optional<int64_t> IntegerAt(const YamlNode& map, std::string_view key);
std::optional<bool> BooleanAt(const YamlNode& map, std::string_view key);
std::optional<absl::Duration> DurationAt(const YamlNode& map, std::string_view key);
std::optional<Span> SpanAt(const YamlNode& map, std::string_view key);
std::vector<std::string> TextsAt(const YamlNode& map, std::string_view key);

// One of the words as what it stands for.
template <typename T, size_t N>
std::optional<T> ChoiceAt(const YamlNode& map, std::string_view key,
                          const std::array<std::pair<std::string_view, T>, N>& words) {
  const std::optional<std::string> text = TextAt(map, key);
  if (!text) return std::nullopt;
  for (const auto& [word, value] : words) {
    if (word == *text) return value;
  }
  return std::nullopt;
}

// Sets the target where the value is there.
template <typename T, typename U>
void Assign(T& target, std::optional<U> value) {
  if (value) target = static_cast<T>(std::move(*value));
}

}  // namespace retrofill
