#include "config/show_config.h"

#include <algorithm>
#include <string_view>

#include "base/json.h"
#include "base/text.h"
#include "config/value_form.h"
#include "config/variables.h"

namespace retrofill {
namespace {

constexpr std::string_view kHidden = "\"***\"";

bool IsPlain(std::string_view text) {
  if (text.empty() || Lower(text) == "null" || text == "~") return false;
  const std::string_view first = "-?:,[]{}#&*!|>'\"%@` ";
  if (first.find(text.front()) != std::string_view::npos || text.back() == ' ' ||
      text.back() == ':') {
    return false;
  }
  if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos) {
    return false;
  }
  return std::ranges::none_of(text, [](unsigned char c) {
    return c < 0x20 || c >= 0x7F || c == ',' || c == '[' || c == ']' || c == '{' || c == '}';
  });
}

// A text in YAML. What JSON escapes in quotes, YAML reads in the same way.
std::string Scalar(std::string_view text, bool quoted) {
  if (IsPlain(text) && !quoted) return std::string(text);
  if (IsPlain(text) && !YamlTypeOf(text)) return std::string(text);
  return JsonText(text);
}

std::string ValueText(std::string_view key, const YamlNode& node) {
  if (node.is_null()) return "null";
  if (node.is_list()) return "[]";
  if (node.is_map()) return "{}";
  if (IsSecretKey(key) && !HasReference(node.text)) return std::string(kHidden);
  return Scalar(node.text, node.quoted);
}

bool IsLeaf(const YamlNode& node) { return node.items.empty() && node.entries.empty(); }

bool IsListOfLeaves(const YamlNode& node) {
  return node.is_list() && std::ranges::all_of(node.items, IsLeaf);
}

class Printer {
 public:
  explicit Printer(const ShowOptions& options) : options_(options) {}

  std::string Print(const YamlNode& root) {
    if (root.is_map()) Map(root, "", "");
    return std::move(text_);
  }

 private:
  void Line(std::string line, const Place& place) {
    text_ += line;
    if (options_.origin && place.file != nullptr) {
      text_ += fmt::format("  # {}:{}", place.file->name, place.line);
    }
    text_ += '\n';
  }

  // `first` stands before the first line, `indent` before the others: an item of a list begins
  // with a dash.
  void Map(const YamlNode& map, std::string first, const std::string& indent) {
    for (const YamlEntry& entry : map.entries) {
      const std::string head = first + Scalar(entry.key, false) + ":";
      first = indent;
      Value(entry.key, entry.value, head, indent);
    }
  }

  void Value(std::string_view key, const YamlNode& value, const std::string& head,
             const std::string& indent) {
    if (IsLeaf(value)) {
      Line(head + " " + ValueText(key, value), value.place);
    } else if (IsListOfLeaves(value)) {
      std::vector<std::string> items;
      for (const YamlNode& item : value.items) items.push_back(ValueText(key, item));
      Line(head + " [" + Join(items, ", ") + "]", value.place);
    } else {
      text_ += head + "\n";
      const std::string deeper = indent + "  ";
      if (value.is_map()) Map(value, deeper, deeper);
      if (value.is_list()) List(key, value, deeper);
    }
  }

  void List(std::string_view key, const YamlNode& list, const std::string& indent) {
    for (const YamlNode& item : list.items) {
      if (item.is_map() && !IsLeaf(item)) {
        Map(item, indent + "- ", indent + "  ");
      } else if (item.is_list() && !IsListOfLeaves(item)) {
        text_ += indent + "-\n";
        List(key, item, indent + "  ");
      } else {
        Value(key, item, indent + "-", indent);
      }
    }
  }

  const ShowOptions& options_;
  std::string text_;
};

void Collect(const YamlNode& node, std::string_view key, const std::string& path,
             std::vector<ConfigValue>& values) {
  if (IsLeaf(node)) {
    values.push_back({.path = path,
                      .value = ValueText(key, node),
                      .file = node.place.file ? node.place.file->name : "",
                      .line = node.place.line});
    return;
  }
  const std::string before = path.empty() ? "" : path + ".";
  for (size_t i = 0; i < node.items.size(); ++i) {
    Collect(node.items[i], key, fmt::format("{}{}", before, i + 1), values);
  }
  for (const YamlEntry& entry : node.entries) {
    Collect(entry.value, entry.key, before + entry.key, values);
  }
}

}  // namespace

std::string ConfigText(const YamlNode& merged, const ShowOptions& options) {
  return Printer(options).Print(merged);
}

std::vector<ConfigValue> ConfigValues(const YamlNode& merged) {
  std::vector<ConfigValue> values;
  if (merged.is_map()) Collect(merged, "", "", values);
  return values;
}

}  // namespace retrofill
