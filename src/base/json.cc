#include "base/json.h"

#include <charconv>
#include <cmath>

#include "base/check.h"

namespace retrofill {

namespace {

Error WrongMember(std::string_view key, std::string_view kind, const Json* found,
                  const JsonSource& source) {
  if (found == nullptr) {
    return Fail(source.code, source.id, "`{}` is missing in {}", key, source.name);
  }
  return Fail(source.code, source.id, "`{}` is not {} in {}", key, kind, source.name);
}

}  // namespace

Json::Json(double value) : value_(value) { RF_CHECK(std::isfinite(value)); }

int64_t Json::CheckRange(int64_t value) {
  RF_CHECK(value >= -kMaxJsonInteger && value <= kMaxJsonInteger, "{}", value);
  return value;
}

bool Json::bool_value() const {
  RF_CHECK(is_bool());
  return std::get<bool>(value_);
}

int64_t Json::integer_value() const {
  RF_CHECK(is_integer());
  return std::get<int64_t>(value_);
}

double Json::number_value() const {
  RF_CHECK(is_number());
  return is_integer() ? static_cast<double>(std::get<int64_t>(value_)) : std::get<double>(value_);
}

const std::string& Json::text_value() const {
  RF_CHECK(is_text());
  return std::get<std::string>(value_);
}

const Json::Items& Json::items() const {
  RF_CHECK(is_array());
  return std::get<Items>(value_);
}

Json::Items& Json::items() {
  RF_CHECK(is_array());
  return std::get<Items>(value_);
}

const Json::Members& Json::members() const {
  RF_CHECK(is_object());
  return std::get<Members>(value_);
}

Json::Members& Json::members() {
  RF_CHECK(is_object());
  return std::get<Members>(value_);
}

size_t Json::size() const {
  if (is_array()) return items().size();
  return is_object() ? members().size() : 0;
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Members();
  Members& all = members();
  auto found = all.find(key);
  if (found == all.end()) found = all.emplace(std::string(key), Json()).first;
  return found->second;
}

void Json::Append(Json item) {
  if (is_null()) value_ = Items();
  items().push_back(std::move(item));
}

void Json::Remove(std::string_view key) {
  Members& all = members();
  auto found = all.find(key);
  if (found != all.end()) all.erase(found);
}

const Json* Json::Find(std::string_view key) const {
  if (!is_object()) return nullptr;
  auto found = members().find(key);
  return found == members().end() ? nullptr : &found->second;
}

const Json* Json::FindPath(std::string_view path) const {
  const Json* at = this;
  if (path.starts_with('.')) path.remove_prefix(1);
  while (at != nullptr && !path.empty()) {
    if (path.front() == '[') {
      size_t index = 0;
      const auto [end, error] = std::from_chars(path.data() + 1, path.data() + path.size(), index);
      if (error != std::errc() || end == path.data() + path.size() || *end != ']') return nullptr;
      path.remove_prefix(static_cast<size_t>(end - path.data()) + 1);
      at = at->is_array() && index < at->size() ? &at->items()[index] : nullptr;
    } else {
      const size_t end = path.find_first_of(".[");
      at = at->Find(path.substr(0, end));
      path = end == std::string_view::npos ? "" : path.substr(end);
    }
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  return at;
}

Result<std::string> Json::Text(std::string_view key, const JsonSource& source) const {
  const Json* found = Find(key);
  if (found == nullptr || !found->is_text()) return WrongMember(key, "a text", found, source);
  return found->text_value();
}

Result<int64_t> Json::Integer(std::string_view key, const JsonSource& source) const {
  const Json* found = Find(key);
  if (found == nullptr || !found->is_integer()) {
    return WrongMember(key, "an integer", found, source);
  }
  return found->integer_value();
}

Result<double> Json::Number(std::string_view key, const JsonSource& source) const {
  const Json* found = Find(key);
  if (found == nullptr || !found->is_number()) return WrongMember(key, "a number", found, source);
  return found->number_value();
}

Result<bool> Json::Bool(std::string_view key, const JsonSource& source) const {
  const Json* found = Find(key);
  if (found == nullptr || !found->is_bool()) {
    return WrongMember(key, "true or false", found, source);
  }
  return found->bool_value();
}

Result<Json::Items> Json::ArrayAt(std::string_view key, const JsonSource& source) const {
  const Json* found = Find(key);
  if (found == nullptr || !found->is_array()) return WrongMember(key, "a list", found, source);
  return found->items();
}

Result<Json::Members> Json::ObjectAt(std::string_view key, const JsonSource& source) const {
  const Json* found = Find(key);
  if (found == nullptr || !found->is_object()) return WrongMember(key, "an object", found, source);
  return found->members();
}

Result<std::vector<std::string>> Json::Texts(std::string_view key, const JsonSource& source) const {
  const Json* found = Find(key);
  if (found == nullptr || !found->is_array()) {
    return WrongMember(key, "a list of texts", found, source);
  }
  std::vector<std::string> texts;
  for (const Json& item : found->items()) {
    if (!item.is_text()) return WrongMember(key, "a list of texts", found, source);
    texts.push_back(item.text_value());
  }
  return texts;
}

std::optional<std::string> Json::FindText(std::string_view key) const {
  const Json* found = Find(key);
  if (found == nullptr || !found->is_text()) return std::nullopt;
  return found->text_value();
}

std::optional<int64_t> Json::FindInteger(std::string_view key) const {
  const Json* found = Find(key);
  if (found == nullptr || !found->is_integer()) return std::nullopt;
  return found->integer_value();
}

std::optional<bool> Json::FindBool(std::string_view key) const {
  const Json* found = Find(key);
  if (found == nullptr || !found->is_bool()) return std::nullopt;
  return found->bool_value();
}

}  // namespace retrofill
