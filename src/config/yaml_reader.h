#pragma once

// YAML text to a tree that knows where everything stands. The only reader of YAML.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace retrofill {

// A configuration file as it was read. Shared by all places that point into it, which outlive the
// reading.
struct SourceFile {
  std::string name{};    // as diagnostics show it: relative to the project folder
  std::string folder{};  // absolute path of the folder that its relative paths start from
  int order = 0;         // files are reported in this order
  std::vector<std::string> lines{};
};

// Where a key or value stands. Without a file: a value that nobody wrote.
struct Place {
  std::shared_ptr<const SourceFile> file{};
  int line = 0;    // from 1
  int column = 0;  // from 1, in characters
  int length = 1;  // characters, on that line
};

// The place as diagnostics draw it, with its line.
Origin OriginOf(const Place& place, std::string label = {});

struct YamlEntry;

// One value. A scalar keeps its text as written, without any guess at a type.
struct YamlNode {
  enum class Kind { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  std::string text{};             // kScalar
  bool quoted = false;            // kScalar: with quotes or as a block, so no YAML 1.1 type applies
  std::vector<YamlNode> items{};  // kList
  std::vector<YamlEntry> entries{};  // kMap, in written order; no key twice
  Place place{};

  bool is_null() const { return kind == Kind::kNull; }
  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_map() const { return kind == Kind::kMap; }
  // The entry of a map, or null.
  const YamlEntry* Find(std::string_view key) const;
  YamlEntry* Find(std::string_view key);
};

struct YamlEntry {
  std::string key{};
  Place key_place{};
  YamlNode value{};
};

struct YamlSource {
  std::string name{};    // SourceFile::name
  std::string folder{};  // SourceFile::folder
  int order = 0;         // SourceFile::order
};

// Reads one document; an empty text is a null node. Aliases are replaced by copies of what they
// name. kInvalid C0101, with the place: no YAML, a key twice in one map, a key that is no text, a
// second document, nesting or aliases beyond all use, text that is not UTF-8.
Result<YamlNode> ReadYaml(std::string_view text, const YamlSource& source);

}  // namespace retrofill
