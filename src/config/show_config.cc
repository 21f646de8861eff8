#include "config/show_config.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "config/value_form.h"
#include "config/variables.h"

namespace retrofill {
namespace {

constexpr std::string_view kHidden = "\"***\"";
constexpr size_t kOriginColumn = 60;  // where origins begin, behind lines that are no longer

// Whether the text may stand without quotes anywhere; rather too seldom than once too often.
bool IsPlain(std::string_view text) {
  if (text.empty() || Lower(text) == "null") return false;
  const auto letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (!letter_or_digit(text.front()) && text.front() != '/') return false;
  if (text.back() == ' ' || text.back() == ':') return false;
  if (text.find(": ") != std::string_view::npos) return false;
  return std::ranges::all_of(text, [&](char c) {
    return letter_or_digit(c) ||
           std::string_view("./:+-=()<>*@% ").find(c) != std::string_view::npos;
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
      text_.append(line.size() < kOriginColumn ? kOriginColumn - line.size() : 0, ' ');
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

}  // namespace

std::string ConfigText(const YamlNode& merged, const ShowOptions& options) {
  return Printer(options).Print(merged);
}

}  // namespace retrofill
