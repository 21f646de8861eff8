#pragma once

// The files of the tree as texts, and what the rules of tidy_test say about them.

#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace retrofill {

// Path from the root of the tree to contents.
using Tree = std::map<std::string, std::string>;

struct Violation {
  std::string rule;
  std::string path;
  int line = 0;
  std::string detail;

  auto operator<=>(const Violation&) const = default;
};

using Violations = std::vector<Violation>;

// Reads all text files below the folder that belong to the tree: not .git, .deps, build.
Tree ReadTree(const std::string& folder);

// Source with the contents of comments, and of texts too unless they are kept, turned to blanks.
// Lines and columns stay.
std::string WithoutComments(std::string_view source, bool keep_texts);

// Offsets at which the word stands, not as part of a longer name.
std::vector<size_t> FindWord(std::string_view text, std::string_view word);
int LineOf(std::string_view text, size_t offset);

bool IsCpp(std::string_view path);     // .h or .cc
bool IsHeader(std::string_view path);  // .h
bool IsTest(std::string_view path);    // *_test.cc, *_test.h, below test/ or bench/
// Module of a file below src: `warehouse`; `base_db` for src/base/db. Else empty.
std::string ModuleOf(std::string_view path);
// Matches with `*` (also across slashes).
bool Matches(std::string_view path, std::string_view pattern);

struct Include {
  std::string name;  // "base/json.h" or nlohmann/json.hpp
  bool is_ours = false;
  int line = 0;
};
std::vector<Include> IncludesOf(std::string_view source);

}  // namespace retrofill
