#pragma once

// A scenario file as lines with their blocks, and the runs it stands for. The language is described
// in test/scenario/README.md.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace retrofill::scenario {

struct Line {
  int number = 0;  // in the file, from 1
  std::string verb;
  std::string rest;                // the line after the verb, trimmed
  std::vector<std::string> words;  // the same, split like a shell does
  std::vector<std::string> block;  // lines that belong to it: SQL, or a file's text
  std::vector<std::string> rows;   // of `query`: what stands after `----`
};

// `foreach point in PREFIX ... end`: places of the loop in Script::lines.
struct Loop {
  std::string prefix;     // module of the points: `journal` stands for `journal.*`
  size_t begin = 0;       // first line of the body
  size_t end = 0;         // one past the last
  bool each_hit = false;  // the body uses $nth: once for every time a point is reached
};

struct Script {
  std::string name;
  std::vector<std::string> cases;  // ids of the corpus
  std::vector<Line> lines;         // the loop's body in place, without `foreach` and its `end`
  std::optional<Loop> loop;
};

// Splits like a shell: blanks, '...', "..." with \" and \\, and backslash. kInvalid C0103 for a
// quote that does not end.
Result<std::vector<std::string>> SplitWords(std::string_view text);

// The values of `matrix` lines: one map of variables per combination, at least one (empty) map.
Result<std::vector<std::map<std::string, std::string>>> ReadMatrix(std::string_view text);

// Replaces each `$name` that is a key of `variables`; longer names first.
std::string Substitute(std::string_view text, const std::map<std::string, std::string>& variables);

// Reads a whole file. kInvalid C0103 names the line.
Result<Script> ParseScript(std::string_view text);

}  // namespace retrofill::scenario
