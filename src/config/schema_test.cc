#include "config/schema.h"

#include <gtest/gtest.h>
#include <regex.h>

#include "base/text.h"
#include "config/complete_config_test.h"
#include "config/config_folder_test.h"
#include "config/key_table.h"
#include "config/value_form.h"

namespace retrofill {
namespace {

// What a reader of YAML 1.1 hands to a validator of JSON Schema.
Json JsonOf(const YamlNode& node) {
  if (node.is_null()) return {};
  if (node.is_list()) {
    Json list = Json::Array();
    for (const YamlNode& item : node.items) list.Append(JsonOf(item));
    return list;
  }
  if (node.is_map()) {
    Json map = Json::Object();
    for (const YamlEntry& entry : node.entries) map[entry.key] = JsonOf(entry.value);
    return map;
  }
  if (node.quoted) return node.text;
  const auto type = YamlTypeOf(node.text);
  if (type == "true") return true;
  if (type == "false") return false;
  if (type == "a number") {
    if (const auto integer = ParseInteger(node.text)) return *integer;
    return std::stod(node.text);
  }
  return node.text;
}

bool Matches(const std::string& pattern, const std::string& text) {
  regex_t compiled;
  EXPECT_EQ(regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB), 0) << pattern;
  const bool matches = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return matches;
}

bool HasType(const std::string& type, const Json& value) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.is_bool();
  if (type == "integer") return value.is_integer();
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_text();
  if (type == "array") return value.is_array();
  return type == "object" && value.is_object();
}

// The words of draft-07 that the schema uses. False for a word that it does not know.
bool Accepts(const Json& schema, const Json& value);

bool AcceptsMembers(const Json& schema, const Json& value) {
  if (const Json* required = schema.Find("required")) {
    for (const Json& name : required->items()) {
      if (!value.Has(name.text_value())) return false;
    }
  }
  if (const Json* least = schema.Find("minProperties")) {
    if (static_cast<int64_t>(value.size()) < least->integer_value()) return false;
  }
  if (const Json* most = schema.Find("maxProperties")) {
    if (static_cast<int64_t>(value.size()) > most->integer_value()) return false;
  }
  const Json* properties = schema.Find("properties");
  const Json* others = schema.Find("additionalProperties");
  const Json* names = schema.Find("propertyNames");
  for (const auto& [name, member] : value.members()) {
    if (names != nullptr && !Accepts(*names, name)) return false;
    const Json* own = properties == nullptr ? nullptr : properties->Find(name);
    if (own == nullptr) own = others;
    if (own == nullptr) continue;
    if (own->is_bool() ? !own->bool_value() : !Accepts(*own, member)) return false;
  }
  return true;
}

bool AcceptsType(const Json& type, const Json& value) {
  if (type.is_text()) return HasType(type.text_value(), value);
  for (const Json& one : type.items()) {
    if (HasType(one.text_value(), value)) return true;
  }
  return false;
}

bool Accepts(const Json& schema, const Json& value) {
  if (const Json* type = schema.Find("type"); type && !AcceptsType(*type, value)) return false;
  if (const Json* choices = schema.Find("enum")) {
    if (std::ranges::count(choices->items(), value) == 0) return false;
  }
  if (const Json* any = schema.Find("anyOf")) {
    bool one = false;
    for (const Json& choice : any->items()) one = one || Accepts(choice, value);
    if (!one) return false;
  }
  if (value.is_text()) {
    if (const Json* pattern = schema.Find("pattern")) {
      if (!Matches(pattern->text_value(), value.text_value())) return false;
    }
    if (const Json* least = schema.Find("minLength")) {
      const auto length = static_cast<int64_t>(CharacterCount(value.text_value()));
      if (length < least->integer_value()) return false;
    }
  }
  if (const Json* least = schema.Find("minimum"); least && value.is_number()) {
    if (value.number_value() < least->number_value()) return false;
  }
  if (value.is_array()) {
    if (const Json* least = schema.Find("minItems")) {
      if (static_cast<int64_t>(value.size()) < least->integer_value()) return false;
    }
    if (const Json* each = schema.Find("items")) {
      for (const Json& item : value.items()) {
        if (!Accepts(*each, item)) return false;
      }
    }
  }
  return !value.is_object() || AcceptsMembers(schema, value);
}

bool SchemaAccepts(std::string_view text) {
  const Result<YamlNode> node = ReadYaml(text, {.name = "retrofill.yml"});
  EXPECT_TRUE(node.ok());
  return node.ok() && Accepts(ConfigSchema(), JsonOf(*node));
}

TEST(ConfigSchema, AcceptsTheMinimalExample) { EXPECT_TRUE(SchemaAccepts(kMinimalConfig)); }

TEST(ConfigSchema, AcceptsTheCompleteExample) { EXPECT_TRUE(SchemaAccepts(kCompleteConfig)); }

TEST(ConfigSchema, NamesItsDraft) {
  EXPECT_EQ(ConfigSchema().FindText("$schema"), "http://json-schema.org/draft-07/schema#");
}

TEST(ConfigSchema, RefusesUnknownKeysAtEveryLevel) {
  EXPECT_TRUE(SchemaAccepts("version: 1\ndefaults: {attempts: {max: 3}}\n"));
  EXPECT_FALSE(SchemaAccepts("version: 1\nprojct: a\n"));
  EXPECT_FALSE(SchemaAccepts("version: 1\ndefaults: {oder: oldest_first}\n"));
  EXPECT_FALSE(SchemaAccepts("version: 1\ndefaults: {attempts: {maks: 3}}\n"));
  EXPECT_FALSE(SchemaAccepts("version: 1\ntables: {daily: {looback: 3}}\n"));
}

TEST(ConfigSchema, RefusesValuesOfAnotherForm) {
  EXPECT_FALSE(SchemaAccepts("version: 2\n"));
  EXPECT_FALSE(SchemaAccepts("project: shop\n"));
  EXPECT_FALSE(SchemaAccepts("version: 1\ndefaults: {order: newest}\n"));
  EXPECT_FALSE(SchemaAccepts("version: 1\ndefaults: {max_failed: 150%}\n"));
  EXPECT_FALSE(SchemaAccepts("version: 1\ndefaults: {attempts: {max: 0}}\n"));
  EXPECT_FALSE(SchemaAccepts("version: 1\ndefaults: {keep: {undo: 5m}}\n"));
  EXPECT_FALSE(SchemaAccepts("version: 1\ntables: {daily: {unreconciled: short}}\n"));
  EXPECT_FALSE(SchemaAccepts("version: 1\ntables: {daily: {grain: order_date}}\n"));
  EXPECT_FALSE(SchemaAccepts("version: 1\ntables: {\"a b\": {}}\n"));
  EXPECT_FALSE(SchemaAccepts("version: 1\ntables: {daily: {reconcile: [{}]}}\n"));
}

TEST(ConfigSchema, RefusesYamlBooleansAndNumbersAsDimensionValues) {
  const auto with = [](std::string_view values) {
    return SchemaAccepts(fmt::format(
        "version: 1\ntables: {{daily: {{partition: {{dimensions: {{region: {}}}}}}}}}\n", values));
  };
  EXPECT_TRUE(with("[eu, \"no\", null]"));
  EXPECT_FALSE(with("[eu, no, se]"));
  EXPECT_FALSE(with("[eu, 1e3]"));
}

TEST(ConfigSchema, RefusesKeysOfOtherFilesAndWrittenSecrets) {
  EXPECT_FALSE(SchemaAccepts("version: 1\ncli: {color: never}\n"));
  EXPECT_FALSE(
      SchemaAccepts("version: 1\nconnections: {db: {type: postgres, password: hunter2}}\n"));
  EXPECT_TRUE(
      SchemaAccepts("version: 1\nconnections: {db: {type: postgres, password: \"${P}\"}}\n"));
}

TEST(ConfigSchema, DescribesWhatIsNotAvailable) {
  const Json schema = ConfigSchema();
  const Json* serve = schema.FindPath("properties.serve.description");
  ASSERT_NE(serve, nullptr);
  EXPECT_EQ(serve->text_value(), "the web server; not available in this version");
}

void CheckHelp(const Key& key, const std::string& path, int depth) {
  for (const Key& child : key.children()) {
    const std::string at = path + "." + std::string(child.name);
    if (child.name != "*") {
      EXPECT_FALSE(child.help.empty()) << at;
    }
    if (child.kind == KeyKind::kChoice) {
      EXPECT_FALSE(child.choices.empty()) << at;
    }
    EXPECT_FALSE(child.required && !child.available) << at;
    if (depth < 12) CheckHelp(child, at, depth + 1);
  }
}

TEST(KeyTable, EveryKeySaysWhatItMeans) { CheckHelp(ProjectKeys(), "", 0); }

}  // namespace
}  // namespace retrofill
