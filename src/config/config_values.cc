#include "config/config_values.h"

#include "base/text.h"
#include "config/value_form.h"

namespace retrofill {

const YamlNode* ValueAt(const YamlNode& map, std::string_view key) {
  const YamlEntry* entry = map.Find(key);
  return entry == nullptr || entry->value.is_null() ? nullptr : &entry->value;
}

const YamlNode* MapAt(const YamlNode& map, std::string_view key) {
  const YamlNode* value = ValueAt(map, key);
  return value != nullptr && value->is_map() ? value : nullptr;
}

const YamlNode* ListAt(const YamlNode& map, std::string_view key) {
  const YamlNode* value = ValueAt(map, key);
  return value != nullptr && value->is_list() ? value : nullptr;
}

std::optional<std::string> TextAt(const YamlNode& map, std::string_view key) {
  const YamlNode* value = ValueAt(map, key);
  if (value == nullptr || !value->is_scalar()) return std::nullopt;
  return value->text;
}

std::optional<int64_t> IntegerAt(const YamlNode& map, std::string_view key) {
  const std::optional<std::string> text = TextAt(map, key);
  return text ? ParseInteger(*text) : std::nullopt;
}

std::optional<bool> BooleanAt(const YamlNode& map, std::string_view key) {
  const std::optional<std::string> text = TextAt(map, key);
  return text ? ParseBoolean(*text) : std::nullopt;
}

std::optional<absl::Duration> DurationAt(const YamlNode& map, std::string_view key) {
  const std::optional<std::string> text = TextAt(map, key);
  if (!text) return std::nullopt;
  const Result<absl::Duration> duration = ParseDuration(*text);
  if (!duration.ok()) return std::nullopt;
  return *duration;
}

std::optional<Span> SpanAt(const YamlNode& map, std::string_view key) {
  const std::optional<std::string> text = TextAt(map, key);
  if (!text) return std::nullopt;
  const Result<Span> span = ParseSpan(*text);
  if (!span.ok()) return std::nullopt;
  return *span;
}

std::vector<std::string> TextsAt(const YamlNode& map, std::string_view key) {
  std::vector<std::string> texts;
  const YamlNode* list = ListAt(map, key);
  if (list == nullptr) return texts;
  for (const YamlNode& item : list->items) {
    if (item.is_scalar()) texts.push_back(item.text);
  }
  return texts;
}

}  // namespace retrofill
