#include "tidy/tree.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"

namespace retrofill {

namespace {

namespace fs = std::filesystem;

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// End of the comment, text or character literal that starts at `at`; `at` itself if none does.
size_t EndOfQuoted(std::string_view source, size_t at, bool& is_text) {
  const std::string_view rest = source.substr(at);
  is_text = false;
  const auto past = [&](std::string_view mark, size_t from) {
    const size_t found = source.find(mark, from);
    return found == std::string_view::npos ? source.size() : found + mark.size();
  };
  if (rest.starts_with("//")) return std::min(source.find('\n', at), source.size());
  if (rest.starts_with("/*")) return past("*/", at + 2);
  if (rest.starts_with("R\"") && (at == 0 || !IsNameCharacter(source[at - 1]))) {
    is_text = true;
    const size_t open = source.find('(', at);
    if (open == std::string_view::npos) return source.size();
    return past(")" + std::string(source.substr(at + 2, open - at - 2)) + "\"", open);
  }
  const char quote = rest.front();
  // A quote between digits only separates them.
  const bool is_separator = quote == '\'' && at > 0 && IsNameCharacter(source[at - 1]);
  if ((quote != '"' && quote != '\'') || is_separator) return at;
  is_text = true;
  for (size_t end = at + 1; end < source.size(); ++end) {
    if (source[end] == '\\') {
      ++end;
    } else if (source[end] == quote) {
      return end + 1;
    }
  }
  return source.size();
}

bool IsLeftOut(const fs::path& path) {
  const std::string name = path.filename().string();
  constexpr std::array<std::string_view, 6> kFolders = {".git",       ".deps",  "build",
                                                        ".retrofill", ".cache", "node_modules"};
  return std::find(kFolders.begin(), kFolders.end(), name) != kFolders.end();
}

}  // namespace

Tree ReadTree(const std::string& folder) {
  Tree tree;
  fs::recursive_directory_iterator entry(folder), end;
  for (; entry != end; ++entry) {
    if (entry->is_directory()) {
      if (IsLeftOut(entry->path())) entry.disable_recursion_pending();
      continue;
    }
    Result<std::string> contents = ReadFile(entry->path().string());
    if (contents.ok() && IsUtf8(*contents)) {
      tree[RelativePath(entry->path().string(), folder)] = std::move(*contents);
    }
  }
  return tree;
}

std::string WithoutComments(std::string_view source, bool keep_texts) {
  std::string stripped(source);
  size_t at = 0;
  while (at < source.size()) {
    bool is_text = false;
    const size_t end = EndOfQuoted(source, at, is_text);
    if (end == at) {
      ++at;
      continue;
    }
    if (!is_text || !keep_texts) {
      for (size_t i = at; i < end; ++i) {
        if (stripped[i] != '\n' && !(is_text && (i == at || i + 1 == end))) stripped[i] = ' ';
      }
    }
    at = end;
  }
  return stripped;
}

std::vector<size_t> FindWord(std::string_view text, std::string_view word) {
  std::vector<size_t> found;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool starts = !IsNameCharacter(word.front()) || at == 0 || !IsNameCharacter(text[at - 1]);
    const bool ends =
        !IsNameCharacter(word.back()) || end == text.size() || !IsNameCharacter(text[end]);
    if (starts && ends) found.push_back(at);
  }
  return found;
}

int LineOf(std::string_view text, size_t offset) {
  return static_cast<int>(std::count(text.begin(), text.begin() + offset, '\n')) + 1;
}

bool IsHeader(std::string_view path) { return path.ends_with(".h"); }
bool IsCpp(std::string_view path) { return IsHeader(path) || path.ends_with(".cc"); }
bool IsTest(std::string_view path) {
  return path.ends_with("_test.cc") || path.ends_with("_test.h") || path.starts_with("test/") ||
         path.starts_with("bench/");
}

std::string ModuleOf(std::string_view path) {
  if (!path.starts_with("src/")) return "";
  path.remove_prefix(4);
  if (path.starts_with("base/db/")) return "base_db";
  return std::string(path.substr(0, path.find('/')));
}

bool Matches(std::string_view path, std::string_view pattern) {
  return fnmatch(std::string(pattern).c_str(), std::string(path).c_str(), 0) == 0;
}

std::vector<Include> IncludesOf(std::string_view source) {
  std::vector<Include> includes;
  int number = 0;
  for (const std::string& text : Lines(WithoutComments(source, /*keep_texts=*/true))) {
    ++number;
    std::string_view line = Trim(text);
    if (!line.starts_with("#include")) continue;
    line = Trim(line.substr(8));
    if (line.size() < 2) continue;
    includes.push_back({.name = std::string(line.substr(1, line.size() - 2)),
                        .is_ours = line.front() == '"',
                        .line = number});
  }
  return includes;
}

}  // namespace retrofill
