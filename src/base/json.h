#pragma once

// JSON values, and the three ways they are printed. Nothing else in the tree parses or prints JSON.

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"

namespace retrofill {

// What to say about a text that is not JSON, or a member that is not what its reader needs.
struct JsonSource {
  std::string name = "<json>";           // as the user would name the file
  std::string id = "C0103";              // diagnostic id of every error
  ErrorCode code = ErrorCode::kInvalid;  // kCorrupt for what we wrote ourselves
  size_t max_depth = 64;                 // arrays and objects in one another
};

// One JSON value: null, bool, integer, number, text, array or object. A plain value: copied, moved
// and compared like a string. Members of an object are sorted by the bytes of their keys. Integers
// lie strictly between -2^53 and 2^53 (checked by RF_CHECK): larger ones are written as text.
//
//   Json row = Json::Object({{"key", "2026-01-17/eu"}, {"rows", 212}});
//   row["checks"].Append("unique");
//   RF_ASSIGN(std::string key, row.Text("key"));
class Json {
 public:
  using Items = std::vector<Json>;
  using Members = std::map<std::string, Json, std::less<>>;

  Json() = default;  // null
  Json(std::nullptr_t) {}
  template <std::same_as<bool> T>
  Json(T value) : value_(value) {}
  template <std::integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, char>)
  Json(T value) : value_(CheckedInteger(value)) {}
  Json(double value);  // finite
  Json(const char* text) : value_(std::string(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(std::string text) : value_(std::move(text)) {}
  Json(Items items) : value_(std::move(items)) {}
  Json(Members members) : value_(std::move(members)) {}

  static Json Object() { return Json(Members()); }
  static Json Object(std::initializer_list<std::pair<const std::string, Json>> members) {
    return Json(Members(members));
  }
  static Json Array() { return Json(Items()); }
  static Json Array(std::initializer_list<Json> items) { return Json(Items(items)); }

  // Reads a text: RFC 8259, UTF-8, at most 64 levels deep unless the source says more, no key twice
  // in one object, integers below 2^53. The error names line and column. A number with a fraction
  // or an exponent is a number, others are integers.
  static Result<Json> Parse(std::string_view text, const JsonSource& source = {});

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_integer() const { return std::holds_alternative<int64_t>(value_); }
  bool is_number() const { return is_integer() || std::holds_alternative<double>(value_); }
  bool is_text() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Items>(value_); }
  bool is_object() const { return std::holds_alternative<Members>(value_); }

  // The value as what the caller knows it to be; RF_CHECK fails if it is something else.
  bool bool_value() const;
  int64_t integer_value() const;
  double number_value() const;  // of an integer too
  const std::string& text_value() const;
  const Items& items() const;
  Items& items();
  const Members& members() const;
  Members& members();

  // Items of an array, members of an object, else 0.
  size_t size() const;
  bool empty() const { return size() == 0; }

  // The member, made (null) if absent. Null becomes an object first; RF_CHECK fails on others.
  Json& operator[](std::string_view key);
  // Adds to an array. Null becomes an array first; RF_CHECK fails on others.
  void Append(Json item);
  // Removes the member if it is there. On an object.
  void Remove(std::string_view key);

  // The member, or null pointer if absent or if this is no object. Valid until this changes.
  const Json* Find(std::string_view key) const;
  bool Has(std::string_view key) const { return Find(key) != nullptr; }
  // The value at a path such as `data.backfills[0].counts.published`, or null pointer.
  const Json* FindPath(std::string_view path) const;

  // Members that must be there and of that kind; the error says which member is not, with the
  // source's code and id.
  Result<std::string> Text(std::string_view key, const JsonSource& source = {}) const;
  Result<int64_t> Integer(std::string_view key, const JsonSource& source = {}) const;
  Result<double> Number(std::string_view key, const JsonSource& source = {}) const;
  Result<bool> Bool(std::string_view key, const JsonSource& source = {}) const;
  // Copies; use Find for a view of a large value.
  Result<Items> ArrayAt(std::string_view key, const JsonSource& source = {}) const;
  Result<Members> ObjectAt(std::string_view key, const JsonSource& source = {}) const;
  Result<std::vector<std::string>> Texts(std::string_view key, const JsonSource& source = {}) const;

  // Members that may be absent; null counts as absent. Of another kind: absent too.
  std::optional<std::string> FindText(std::string_view key) const;
  std::optional<int64_t> FindInteger(std::string_view key) const;
  std::optional<bool> FindBool(std::string_view key) const;

  // Prints without spaces, keys sorted by bytes: one line. Invalid UTF-8 prints as U+FFFD.
  std::string Compact() const;
  // Prints indented by two, keys sorted by bytes, ending in a newline: what is kept on disk.
  std::string Indented() const;
  // Prints the form of RFC 8785 (JSON Canonicalization Scheme): what is hashed.
  std::string Canonical() const;

  bool operator==(const Json&) const = default;

 private:
  template <std::integral T>
  static int64_t CheckedInteger(T value) {
    if constexpr (std::unsigned_integral<T>) {
      return CheckRange(value > static_cast<uint64_t>(INT64_MAX) ? INT64_MAX
                                                                 : static_cast<int64_t>(value));
    } else {
      return CheckRange(static_cast<int64_t>(value));
    }
  }
  static int64_t CheckRange(int64_t value);

  std::variant<std::monostate, bool, int64_t, double, std::string, Items, Members> value_;
};

// The range of an integer that every reader of JSON agrees on: -kMaxJsonInteger..kMaxJsonInteger.
inline constexpr int64_t kMaxJsonInteger = (int64_t{1} << 53) - 1;

// Prints a finite number as ECMAScript does (RFC 8785, 3.2.2.3): `1e+21`, `4.5`, `-0` as `0`.
std::string JsonNumber(double value);

// Prints a text with its quotes, escaping what RFC 8785 (3.2.2.2) escapes and nothing else.
std::string JsonText(std::string_view text);

}  // namespace retrofill
