#pragma once

// The words of a selection as typed, sorted by what they are; nothing is looked up yet (product
// document, 4.2). The arguments outlive what is read from them.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/key_lexer.h"
#include "model/space.h"

namespace retrofill {

// One entry of a list.
struct SelectionItem {
  std::string_view word;  // the argument it stands in
  size_t begin = 0;       // its bytes there, without `!`
  size_t end = 0;
  bool negated = false;
  bool range = false;             // `left..right`, either side may be absent
  std::optional<KeyToken> left;   // of a range
  std::optional<KeyToken> right;  // of a range
  std::vector<KeyToken> key;      // of anything else
  std::string text() const { return Shown(word.substr(begin, end - begin)); }  // for messages
  bool all() const {
    return !range && key.size() == 1 && key[0].kind == KeyToken::Kind::kBare &&
           key[0].text == "all";
  }
};

struct SelectionFilter {
  std::string_view word;
  KeyToken name;
  bool negated = false;
  std::vector<KeyToken> values;
};

struct SelectionStates {
  std::string_view word;
  bool negated = false;
  std::vector<std::string> states;
};

struct SelectionWords {
  std::vector<SelectionItem> items;
  std::vector<SelectionFilter> filters;
  std::vector<SelectionStates> states;
};

// kInvalid P0109 with a caret for a word that fits none of the forms. `space` is asked for names
// that a help may give, nothing else.
Status AddSelectionWord(std::string_view word, const PartitionSpace& space, SelectionWords& words);

}  // namespace retrofill
