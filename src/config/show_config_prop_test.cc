#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "config/show_config.h"

namespace retrofill {
namespace {

// Texts of the characters that mean something in YAML, words that it takes for other types, and
// letters beyond ASCII.
rc::Gen<std::string> AnyText() {
  const auto character =
      rc::gen::elementOf(std::string("abn0159 \t\n:-#,[]{}&*!|>'\"%@`~?=.$\\/_"));
  return rc::gen::oneOf(
      rc::gen::container<std::string>(character),
      rc::gen::element<std::string>("null", "~", "no", "08", "1e3", "é", "日本 語", "--- a", "...",
                                    "<<", "a\n\nb\n", "\x7f", "\xC2\x85", "\xE2\x80\xA8"));
}

YamlNode AnyNode(int depth) {
  YamlNode node;
  const int kind = *rc::gen::inRange(0, depth == 0 ? 2 : 4);
  node.kind = static_cast<YamlNode::Kind>(kind);
  if (node.is_scalar()) {
    node.text = *AnyText();
    node.quoted = *rc::gen::arbitrary<bool>();
  }
  const int count = *rc::gen::inRange(0, 4);
  std::set<std::string> keys;
  for (int i = 0; i < count; ++i) {
    if (node.is_list()) node.items.push_back(AnyNode(depth - 1));
    if (!node.is_map()) continue;
    const std::string key = *AnyText();
    if (keys.insert(key).second) {
      node.entries.push_back({.key = key, .key_place = {}, .value = AnyNode(depth - 1)});
    }
  }
  return node;
}

bool SameValues(const YamlNode& a, const YamlNode& b) {
  if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size() ||
      a.entries.size() != b.entries.size()) {
    return false;
  }
  for (size_t i = 0; i < a.items.size(); ++i) {
    if (!SameValues(a.items[i], b.items[i])) return false;
  }
  for (size_t i = 0; i < a.entries.size(); ++i) {
    if (a.entries[i].key != b.entries[i].key ||
        !SameValues(a.entries[i].value, b.entries[i].value)) {
      return false;
    }
  }
  return true;
}

RC_GTEST_PROP(ShowConfig, AnyDocumentReadsBackToTheSameValues, ()) {
  YamlNode document;
  document.kind = YamlNode::Kind::kMap;
  document.entries.push_back({.key = "first", .key_place = {}, .value = AnyNode(3)});
  document.entries.push_back({.key = *AnyText() + "2", .key_place = {}, .value = AnyNode(2)});
  const std::string text = ConfigText(document);
  const Result<YamlNode> read = ReadYaml(text, {.name = "shown"});
  RC_LOG() << text;
  RC_ASSERT(read.ok());
  RC_ASSERT(SameValues(*read, document));
}

}  // namespace
}  // namespace retrofill
