#include "config/key_check.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "config/value_form.h"

namespace retrofill {
namespace {

constexpr std::string_view kNotAvailable = "is not available in this version";
constexpr std::string_view kRemove = "remove it: this version could only ignore it";

bool HasChoice(std::string_view choices, std::string_view value) {
  return std::ranges::count(Split(choices, '|'), value) > 0;
}

// Names of the keys that were refused in one map, and whether a key belongs to one of them.
using Refused = std::set<std::string, std::less<>>;
bool BelongsTo(const Key& key, const Refused& refused) {
  if (key.with.empty()) return false;
  return std::ranges::any_of(Split(key.with, '|'),
                             [&](const std::string& name) { return refused.contains(name); });
}

class KeyCheck {
 public:
  KeyCheck(const Key& document, Problems& problems) : document_(document), problems_(problems) {}

  void Document(const YamlNode& root) { Value(document_, root, false); }

 private:
  bool project() const { return &document_ == &ProjectKeys(); }

  // `quiet`: the map around it was refused as not available, so that is not said again.
  void Value(const Key& key, const YamlNode& node, bool quiet) {
    const std::string path = path_.empty() ? std::string("the file") : PathText(path_);
    std::vector<FormProblem> wrong;
    const bool open_map = node.is_map() && key.kind == KeyKind::kText && key.keys != nullptr;
    if (!open_map) wrong = CheckForm(key, path, node);
    for (FormProblem& problem : wrong) {
      problems_.Add(std::move(problem.error), problem.place, std::move(problem.label));
    }
    if (key.kind == KeyKind::kNamed) CheckNames(node);
    if (node.is_map() && key.keys != nullptr && key.kind != KeyKind::kList) {
      Map(key, node, quiet);
    } else if (node.is_list() && key.kind == KeyKind::kList) {
      for (size_t i = 0; i < node.items.size(); ++i) {
        path_.push_back(fmt::format("{}", i + 1));
        Value(key.children().front(), node.items[i], quiet);
        path_.pop_back();
      }
    }
  }

  void Map(const Key& key, const YamlNode& node, bool quiet) {
    Refused refused;
    for (const YamlEntry& entry : node.entries) {
      const Key* child = FindKey(key, entry.key);
      if (child != nullptr && !IsAvailable(*child, entry.value)) refused.insert(entry.key);
    }
    for (const YamlEntry& entry : node.entries) {
      const Key* child = FindKey(key, entry.key);
      if (child == nullptr) {
        Unknown(key, entry);
        continue;
      }
      path_.push_back(entry.key);
      if (!refused.contains(entry.key)) {
        Value(*child, entry.value, quiet || BelongsTo(*child, refused));
      } else if (!quiet && !BelongsTo(*child, refused)) {
        NotAvailable(*child, entry);
      }
      path_.pop_back();
    }
  }

  void NotAvailable(const Key& key, const YamlEntry& entry) {
    if (!key.available) {
      problems_.Add(Fail(ErrorCode::kInvalid, "C0103", "key `{}` {}", entry.key, kNotAvailable)
                        .Help(std::string(kRemove)),
                    entry.key_place);
      return;
    }
    problems_.Add(Fail(ErrorCode::kInvalid, "C0103", "`{}: {}` {}", entry.key, entry.value.text,
                       kNotAvailable)
                      .Help(fmt::format("write {}", FormOf(key))),
                  entry.value.place);
  }

  void Unknown(const Key& parent, const YamlEntry& entry) {
    if (path_.empty() && BelongsElsewhere(entry)) return;
    std::vector<std::string> names;
    for (const Key& key : parent.children()) names.emplace_back(key.name);
    Error error = Fail(ErrorCode::kInvalid, "C0102", "unknown key `{}`", entry.key);
    std::string label;
    if (const auto near = Nearest(entry.key, names)) {
      label = fmt::format("did you mean `{}`?", *near);
    } else {
      std::vector<std::string> known;
      for (const Key& key : parent.children()) {
        if (key.available) known.push_back(fmt::format("`{}`", key.name));
      }
      error = std::move(error).Help(fmt::format(
          "the keys {} are {}", path_.empty() ? "of the file" : "of `" + PathText(path_) + "`",
          Join(known, ", ")));
    }
    problems_.Add(std::move(error), entry.key_place, std::move(label));
  }

  bool BelongsElsewhere(const YamlEntry& entry) {
    const bool setting = FindKey(SettingKeys(), entry.key) != nullptr;
    if (project() && !setting) return false;
    Error error =
        Fail(ErrorCode::kInvalid, "C0105", "key `{}` is not allowed in this file", entry.key);
    if (project()) {
      error = std::move(error).Help(
          "it says how output looks to one user: write it to `retrofill/config.yml` in the user's "
          "configuration folder");
    } else {
      error = Error(
          std::move(error)
              .Note("a plan must not depend on who makes it, so the files of a user or system "
                    "hold only `cli` and `serve`")
              .Help("write it to the project's `retrofill.yml`"));
    }
    problems_.Add(std::move(error), entry.key_place);
    return true;
  }

  // Names appear in commands, file names and messages.
  void CheckNames(const YamlNode& node) {
    const bool dimensions = !path_.empty() && path_.back() == "dimensions";
    for (const YamlEntry& entry : node.entries) {
      const bool fits = dimensions ? !entry.key.empty() &&
                                         entry.key.find_first_of("=!/,\"' \t") == std::string::npos
                                   : IsName(entry.key);
      if (fits) continue;
      problems_.Add(
          Fail(ErrorCode::kInvalid, "C0103", "`{}` is no name", entry.key)
              .Help(dimensions
                        ? "a dimension has the name of its column, without blanks, quotes "
                          "and the characters `= ! / ,`"
                        : "write letters, digits, `_`, `-` and `.`, a letter or digit first"),
          entry.key_place);
    }
  }

  const Key& document_;
  Problems& problems_;
  std::vector<std::string> path_;
};

void Required(const Key& key, const YamlNode& node, const Place& holder,
              std::vector<std::string>& path, Problems& problems) {
  if (!node.is_map() && !node.is_null()) {
    if (key.kind != KeyKind::kList || !node.is_list()) return;
    for (const YamlNode& item : node.items) {
      Required(key.children().front(), item, item.place, path, problems);
    }
    return;
  }
  if (key.kind == KeyKind::kMap) {
    for (const Key& child : key.children()) {
      const YamlEntry* entry = node.Find(child.name);
      if (!child.required || entry != nullptr) continue;
      problems.Add(Fail(ErrorCode::kInvalid, "C0103", "{} needs the key `{}`",
                        path.empty() ? "the file" : "`" + PathText(path) + "`", child.name)
                       .Help(fmt::format("write {}: {}", child.name,
                                         child.choices.empty() ? FormOf(child) : child.choices)),
                   holder);
    }
  }
  for (const YamlEntry& entry : node.entries) {
    const Key* child = FindKey(key, entry.key);
    if (child == nullptr || child->keys == nullptr || !IsAvailable(*child, entry.value)) continue;
    path.push_back(entry.key);
    Required(*child, entry.value, entry.key_place, path, problems);
    path.pop_back();
  }
}

}  // namespace

bool IsAvailable(const Key& key, const YamlNode& value) {
  if (!key.available) return false;
  if (key.kind != KeyKind::kChoice || key.later.empty() || !value.is_scalar()) return true;
  if (HasChoice(key.choices, value.text)) return true;
  return key.later != "*" && !HasChoice(key.later, value.text);
}

void CheckKeys(const Key& document, const YamlNode& root, Problems& problems) {
  KeyCheck(document, problems).Document(root);
}

void CheckRequired(const Key& document, const YamlNode& root, Problems& problems) {
  std::vector<std::string> path;
  Required(document, root, root.place, path, problems);
}

}  // namespace retrofill
