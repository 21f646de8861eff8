#include "config/schema.h"

#include <string>
#include <string_view>

#include "base/text.h"
#include "config/key_table.h"
#include "config/value_form.h"

namespace retrofill {
namespace {

constexpr std::string_view kDuration = "[0-9]+(ms|s|min|h|d)";
constexpr std::string_view kDecimal = "[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?";
constexpr std::string_view kNamePattern = "^[A-Za-z0-9_][A-Za-z0-9_.-]*$";

Json SchemaOf(const Key& key);

Json Pattern(std::string_view pattern) {
  return Json::Object({{"type", "string"}, {"pattern", fmt::format("^({})$", pattern)}});
}

Json AnyOf(Json::Items choices) { return Json::Object({{"anyOf", Json(std::move(choices))}}); }

Json WholeNumber(int64_t least) { return Json::Object({{"type", "integer"}, {"minimum", least}}); }

// A scalar that is read as text, whatever YAML makes of it without quotes.
Json Text() {
  return AnyOf(
      {Json::Object({{"type", "string"}, {"minLength", 1}}), Json::Object({{"type", "number"}})});
}

Json Choice(const Key& key) {
  if (key.later == "*") return Text();
  Json values = Json::Array();
  std::vector<std::string> words = Split(key.choices, '|');
  if (!key.later.empty()) {
    for (std::string& word : Split(key.later, '|')) words.push_back(std::move(word));
  }
  for (const std::string& word : words) {
    values.Append(word);
    if (const auto number = ParseInteger(word)) values.Append(*number);
    // Without quotes these are booleans to a reader of YAML 1.1.
    if (word == "on") values.Append(true);
    if (word == "off") values.Append(false);
  }
  return Json::Object({{"enum", values}});
}

Json MapSchema(const Key& key) {
  Json properties = Json::Object();
  Json required = Json::Array();
  for (const Key& child : key.children()) {
    properties[child.name] = SchemaOf(child);
    if (child.required) required.Append(child.name);
  }
  Json schema = Json::Object({{"type", Json::Array({"object", "null"})},
                              {"properties", properties},
                              {"additionalProperties", false}});
  if (!required.empty()) schema["required"] = required;
  if (key.keys == RuleKeys) {
    schema["minProperties"] = 1;
    schema["maxProperties"] = 1;
  }
  return schema;
}

Json NamedSchema(const Key& key) {
  Json schema = Json::Object({{"type", Json::Array({"object", "null"})},
                              {"additionalProperties", SchemaOf(key.children().front())}});
  if (key.children().front().kind == KeyKind::kMap) {
    schema["propertyNames"] = Json::Object({{"pattern", kNamePattern}});
  }
  return schema;
}

Json ToleranceSchema() {
  Json share = Pattern(std::string(kDecimal) + "%");
  Json number = AnyOf({Json::Object({{"type", "number"}, {"minimum", 0}}), Pattern(kDecimal)});
  Json both = Json::Object({{"type", "object"},
                            {"properties", Json::Object({{"abs", number}, {"rel", share}})},
                            {"additionalProperties", false},
                            {"minProperties", 1}});
  return AnyOf({number, share, both});
}

Json DimensionSchema(const Key& key) {
  Json values =
      Json::Object({{"type", "array"},
                    {"minItems", 1},
                    {"uniqueItems", true},
                    {"items", Json::Object({{"type", Json::Array({"string", "null"})}})}});
  return AnyOf({values, MapSchema(key)});
}

Json FormSchema(const Key& key) {
  switch (key.kind) {
    case KeyKind::kMap:
      return MapSchema(key);
    case KeyKind::kNamed:
      return NamedSchema(key);
    case KeyKind::kList:
      return Json::Object(
          {{"type", Json::Array({"array", "null"})}, {"items", SchemaOf(key.children().front())}});
    case KeyKind::kText:
      return key.keys == nullptr ? Text() : AnyOf({Text(), MapSchema(key)});
    case KeyKind::kName:
      return AnyOf({Json::Object({{"type", "string"}, {"pattern", kNamePattern}}),
                    Json::Object({{"type", "integer"}})});
    case KeyKind::kTexts:
      return Json::Object({{"type", "array"}, {"items", Text()}});
    case KeyKind::kTextMap:
      return Json::Object(
          {{"type", Json::Array({"object", "null"})}, {"additionalProperties", Text()}});
    case KeyKind::kInteger:
      return WholeNumber(0);
    case KeyKind::kPositive:
      return WholeNumber(1);
    case KeyKind::kNumber:
      return Json::Object({{"type", "number"}});
    case KeyKind::kBoolean:
      return Json::Object({{"type", "boolean"}});
    case KeyKind::kDuration:
      return Pattern(kDuration);
    case KeyKind::kDurationRange:
      return Pattern(fmt::format("{0}\\.\\.{0}", kDuration));
    case KeyKind::kDays:
      return Pattern("[1-9][0-9]*d");
    case KeyKind::kSpan:
      return AnyOf(
          {Json::Object({{"enum", Json::Array({0})}}), Pattern("0|[0-9]+(min|h|d|w|mo|q|y)")});
    case KeyKind::kSize:
      return AnyOf({WholeNumber(0), Pattern("[0-9]+(B|KiB|MiB|GiB|TiB)?")});
    case KeyKind::kMemory:
      return Pattern("[0-9]+(\\.[0-9]+)? ?[KMGTkmgt][Ii]?[Bb]");
    case KeyKind::kShareOrCount:
      return AnyOf({WholeNumber(0), Pattern("[0-9]+|(100|[0-9]{1,2})(\\.[0-9]+)?%")});
    case KeyKind::kTolerance:
      return ToleranceSchema();
    case KeyKind::kInstant:
      return Pattern("[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]+(Z|[-+][0-9:]+)?)?");
    case KeyKind::kTime:
      return AnyOf({WholeNumber(1), Pattern("[0-9][-0-9+:TWQ]*")});
    case KeyKind::kZone:
      return Pattern("[A-Za-z][A-Za-z0-9_+/-]*");
    case KeyKind::kGrain:
      return Pattern("hour|day|week|month|quarter|year|[1-9][0-9]*[mh]");
    case KeyKind::kChoice:
      return Choice(key);
    case KeyKind::kBatch:
      return AnyOf({Json::Object({{"enum", Json::Array({"auto"})}}), WholeNumber(1)});
    case KeyKind::kReason:
      return Json::Object({{"type", "string"}, {"minLength", 8}});
    case KeyKind::kDimension:
      return DimensionSchema(key);
    case KeyKind::kSecret:
      return Json::Object({{"type", "string"}, {"pattern", "[$][{]"}});
    case KeyKind::kAny:
      return Json::Object();
  }
  return Json::Object();
}

Json SchemaOf(const Key& key) {
  Json schema = FormSchema(key);
  std::string description(key.help);
  if (!key.fallback.empty()) description += fmt::format("; default: `{}`", key.fallback);
  if (!key.available) description += "; not available in this version";
  if (key.available && !key.later.empty() && key.later != "*") {
    description +=
        fmt::format("; not available in this version: {}", Join(Split(key.later, '|'), ", "));
  }
  if (!description.empty()) schema["description"] = description;
  return schema;
}

}  // namespace

Json ConfigSchema() {
  Json schema = SchemaOf(ProjectKeys());
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["title"] = "retrofill.yml";
  schema["type"] = "object";
  return schema;
}

}  // namespace retrofill
