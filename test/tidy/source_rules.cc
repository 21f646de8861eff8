#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "tidy/rules.h"

namespace retrofill {

namespace {

struct Ban {
  std::string_view word;
  std::vector<std::string_view> allowed;  // patterns of paths
  std::string_view instead;
};

const std::vector<Ban>& Bans() {
  static const auto* bans = new std::vector<Ban>{
      {"system_clock::now", {"src/base/*"}, "base/clock.h"},
      {"steady_clock::now", {"src/base/*", "bench/*"}, "base/clock.h"},
      {"high_resolution_clock", {}, "base/clock.h"},
      {"absl::Now", {"src/base/*"}, "base/clock.h"},
      {"sleep_for", {}, "a wait for an event, with a limit"},
      {"sleep_until", {}, "a wait for an event, with a limit"},
      {"SleepFor", {}, "a wait for an event, with a limit"},
      {"usleep", {}, "a wait for an event, with a limit"},
      {"rand(", {}, "base/random.h"},
      {"random_device", {"src/base/*"}, "base/random.h"},
      {"getenv", {"src/base/*"}, "base/environment.h"},
      {"environ", {"src/base/*", "bench/*"}, "base/environment.h"},
      {"fork(", {}, "base/child_process.h"},
      {"system(", {}, "base/child_process.h"},
      {"popen", {}, "base/child_process.h"},
      {"catch (...)", {}, "the exceptions that the library documents"},
      {"std::regex", {}, "a small parser"},
      {"std::cout", {}, "fmt or the answer"},
      {"std::cerr", {}, "fmt or the answer"},
      {"using namespace", {"bench/*"}, "the names themselves"},
  };
  return *bans;
}

constexpr std::array<std::string_view, 4> kUnordered = {"unordered_map", "unordered_set",
                                                        "unordered_multimap", "std::hash"};

bool IsAllowed(std::string_view path, const std::vector<std::string_view>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](std::string_view pattern) { return Matches(path, pattern); });
}

size_t Indent(std::string_view line) {
  const size_t first = line.find_first_not_of(' ');
  return first == std::string_view::npos ? line.size() : first;
}

// Where the statement starts whose last line ends with `{`: going up while parentheses are open.
size_t StartOfStatement(const std::vector<std::string>& lines, size_t last) {
  int depth = 0;
  for (size_t at = last;; --at) {
    for (const char c : lines[at]) depth += c == ')' ? 1 : c == '(' ? -1 : 0;
    if (depth <= 0 || at == 0) return at;
  }
}

}  // namespace

Violations CheckCalls(const Tree& tree) {
  Violations found;
  for (const auto& [path, source] : tree) {
    if (!IsCpp(path)) continue;
    const std::string code = WithoutComments(source, /*keep_texts=*/false);
    for (const Ban& ban : Bans()) {
      if (IsAllowed(path, ban.allowed)) continue;
      for (const size_t at : FindWord(code, ban.word)) {
        found.push_back(
            {"banned", path, LineOf(code, at), fmt::format("`{}`: use {}", ban.word, ban.instead)});
      }
    }
    const std::string module = ModuleOf(path);
    if (module != "model" && module != "engine") continue;
    for (const std::string_view word : kUnordered) {
      for (const size_t at : FindWord(code, word)) {
        found.push_back(
            {"order", path, LineOf(code, at), fmt::format("`{}` has no order that repeats", word)});
      }
    }
  }
  return found;
}

Violations CheckLengths(const Tree& tree) {
  constexpr size_t kFunctionLines = 70;
  Violations found;
  for (const auto& [path, source] : tree) {
    if (!IsCpp(path)) continue;
    const std::vector<std::string> lines = Lines(WithoutComments(source, /*keep_texts=*/false));
    const size_t limit = IsTest(path) ? 1000 : 500;
    if (lines.size() > limit) {
      found.push_back({"file length", path, static_cast<int>(lines.size()),
                       fmt::format("{} lines, at most {}", lines.size(), limit)});
    }
    // With clang-format a function at the outer level, or in a class, ends with a brace in the
    // column where its statement starts.
    for (size_t last = 0; last < lines.size(); ++last) {
      const std::string_view line = Trim(lines[last]);
      if (!line.ends_with('{') || line.starts_with("namespace") || line.starts_with("class") ||
          line.starts_with("struct") || line.starts_with("enum")) {
        continue;
      }
      const size_t first = StartOfStatement(lines, last);
      const size_t indent = Indent(lines[first]);
      if (indent > 2 || lines[first].find('(') == std::string::npos) continue;
      size_t end = last + 1;
      while (end < lines.size() && !(Indent(lines[end]) == indent && lines[end][indent] == '}')) {
        ++end;
      }
      const size_t length = std::min(end, lines.size() - 1) - first + 1;
      // A table of examples in a test may be longer.
      if (length > kFunctionLines && !IsTest(path)) {
        found.push_back({"function length", path, static_cast<int>(first) + 1,
                         fmt::format("{} lines, at most {}", length, kFunctionLines)});
      }
    }
  }
  return found;
}

namespace {

constexpr std::array<std::string_view, 7> kEmptyNames = {"utils",  "util",    "common", "helpers",
                                                         "helper", "manager", "misc"};

bool IsEmptyName(std::string_view name) {
  return std::find(kEmptyNames.begin(), kEmptyNames.end(), name) != kEmptyNames.end();
}

// Words of a path: `src/base/text_utils.h` has src, base, text, utils, h.
std::vector<std::string> WordsOfPath(std::string_view path) {
  std::vector<std::string> words = {""};
  for (const char c : path) {
    if (c == '/' || c == '_' || c == '.' || c == '-') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

// The name after a word such as `class `, up to the first character that is no part of it.
std::string NameAfter(std::string_view code, size_t at) {
  at = std::min(code.find_first_not_of(' ', at), code.size());
  size_t end = at;
  while (end < code.size() && (std::isalnum(static_cast<unsigned char>(code[end])) != 0 ||
                               code[end] == '_' || code[end] == ':')) {
    ++end;
  }
  return std::string(code.substr(at, end - at));
}

std::string LastWord(std::string_view name) {
  size_t at = name.size();
  while (at > 0 && !(name[at - 1] >= 'A' && name[at - 1] <= 'Z')) --at;
  return Lower(name.substr(at == 0 ? 0 : at - 1));
}

}  // namespace

Violations CheckNames(const Tree& tree) {
  Violations found;
  for (const auto& [path, source] : tree) {
    for (const std::string& word : WordsOfPath(path)) {
      if (IsEmptyName(word)) found.push_back({"name", path, 1, fmt::format("`{}`", word)});
    }
    if (!IsCpp(path)) continue;
    const std::string code = WithoutComments(source, /*keep_texts=*/false);
    for (const std::string_view kind : {"class", "struct"}) {
      for (const size_t at : FindWord(code, kind)) {
        const std::string name = NameAfter(code, at + kind.size());
        if (!IsEmptyName(LastWord(name))) continue;
        found.push_back({"name", path, LineOf(code, at), fmt::format("`{}`", name)});
      }
    }
    for (const size_t at : FindWord(code, "namespace")) {
      const std::string name = NameAfter(code, at + 9);
      const bool is_alias =
          code.substr(at, code.find('\n', at) - at).find('=') != std::string::npos;
      if (name.empty() || name == "retrofill" || is_alias || IsTest(path)) continue;
      found.push_back({"namespace", path, LineOf(code, at), fmt::format("`{}`", name)});
    }
    for (const size_t at : FindWord(code, "#define")) {
      const std::string name = NameAfter(code, at + 7);
      if (name.starts_with("RF_")) continue;
      found.push_back({"macro", path, LineOf(code, at), fmt::format("`{}`", name)});
    }
  }
  return found;
}

}  // namespace retrofill
