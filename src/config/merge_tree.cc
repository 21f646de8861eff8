#include "config/merge_tree.h"

#include <utility>

namespace retrofill {

YamlNode MergeTrees(YamlNode included, YamlNode own) {
  if (included.is_map() && own.is_null()) return included;
  if (!included.is_map() || !own.is_map()) return own;
  for (YamlEntry& entry : own.entries) {
    YamlEntry* below = included.Find(entry.key);
    if (below == nullptr) {
      included.entries.push_back(std::move(entry));
      continue;
    }
    below->key_place = entry.key_place;
    below->value = MergeTrees(std::move(below->value), std::move(entry.value));
  }
  included.place = own.place;
  return included;
}

}  // namespace retrofill
