#include <algorithm>
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "tidy/rules.h"

namespace retrofill {

namespace {

// A capital letter and four digits: C0102.
bool IsDiagnosticId(std::string_view text) {
  return text.size() == 5 && text.front() >= 'A' && text.front() <= 'Z' && IsDigits(text.substr(1));
}

bool IsNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// All ids that stand in the text as whole words, with the offset of the first of each.
template <typename IsId>
std::map<std::string, size_t> IdsIn(std::string_view text, size_t length, const IsId& is_id) {
  std::map<std::string, size_t> ids;
  for (size_t at = 0; at + length <= text.size(); ++at) {
    if (at > 0 && IsNamePart(text[at - 1])) continue;
    if (at + length < text.size() && IsNamePart(text[at + length])) continue;
    if (is_id(text.substr(at, length))) ids.emplace(text.substr(at, length), at);
  }
  return ids;
}

std::map<std::string, size_t> DiagnosticsIn(std::string_view text) {
  return IdsIn(text, 5, IsDiagnosticId);
}

// Whether ids in the file say what it tests: sources of tests and scenario files, but not those
// that talk about ids themselves.
bool IsEvidence(std::string_view path) {
  return IsTest(path) && !path.starts_with("test/cases/") && !path.starts_with("test/tidy") &&
         !path.starts_with("test/scenario/runner/");
}

bool NamesCase(std::string_view text, std::string_view id) {
  const std::vector<size_t> found = FindWord(text, id);
  // `2024-W01` is a week and no case.
  return std::any_of(found.begin(), found.end(),
                     [&](size_t at) { return at == 0 || text[at - 1] != '-'; });
}

}  // namespace

Violations CheckDiagnostics(const Tree& tree) {
  std::set<std::string> tested;
  for (const auto& [path, text] : tree) {
    if (!IsEvidence(path)) continue;
    for (const auto& [id, at] : DiagnosticsIn(text)) tested.insert(id);
  }
  Violations found;
  std::set<std::string> seen;
  for (const auto& [path, source] : tree) {
    if (ModuleOf(path).empty() || !IsCpp(path) || IsTest(path)) continue;
    const std::string code = WithoutComments(source, /*keep_texts=*/true);
    for (const auto& [id, at] : DiagnosticsIn(code)) {
      if (at == 0 || code[at - 1] != '"' || !seen.insert(id).second) continue;
      const int line = LineOf(code, at);
      if (!tree.contains("docs/errors/" + id + ".md")) {
        found.push_back({"diagnostic page", path, line, fmt::format("{} has none", id)});
      }
      if (!tested.contains(id)) {
        found.push_back({"diagnostic test", path, line, fmt::format("{} has none", id)});
      }
    }
  }
  return found;
}

Violations CheckCases(const Tree& tree) {
  const auto cases = tree.find("test/cases/cases.jsonl");
  if (cases == tree.end()) return {};
  const auto text_of = [&](const std::string& path) {
    const auto file = tree.find(path);
    return file == tree.end() ? std::string() : file->second;
  };
  const std::string readme = text_of("test/cases/README.md");
  const std::string pending = text_of("test/cases/pending.txt");
  Violations found;
  int line = 0;
  for (const std::string& text : Lines(cases->second)) {
    ++line;
    const Result<Json> json = Json::Parse(text);
    const std::optional<std::string> id = json.ok() ? json->FindText("id") : std::nullopt;
    if (!id.has_value()) {
      found.push_back({"case", cases->first, line, "is no case"});
      continue;
    }
    const bool is_pending = NamesCase(pending, *id);
    const auto tester = std::find_if(tree.begin(), tree.end(), [&](const auto& file) {
      return IsEvidence(file.first) && NamesCase(file.second, *id);
    });
    if (tester != tree.end() && is_pending) {
      found.push_back({"case", "test/cases/pending.txt", 1,
                       fmt::format("{} is tested by {}: take it out", *id, tester->first)});
    }
    if (tester == tree.end() && !is_pending && !NamesCase(readme, *id)) {
      found.push_back({"case", cases->first, line, fmt::format("{} is named nowhere", *id)});
    }
  }
  return found;
}

Violations CheckMachinePaths(const Tree& tree) {
  // Put together here, so that this file does not break its own rule.
  const std::string slash = "/";
  const std::vector<std::string> banned = {slash + "home/",
                                           slash + "root/",
                                           slash + "tmp/",
                                           slash + "Users/",
                                           slash + "work/",
                                           "registry.npm"
                                           "js.org",
                                           "py"
                                           "pi.org",
                                           "deb.debian"
                                           ".org",
                                           "proxy.golang"
                                           ".org",
                                           "crates"
                                           ".io"};
  Violations found;
  for (const auto& [path, text] : tree) {
    if (path == "test/cases/cases.jsonl") continue;  // quotes what people met elsewhere
    for (const std::string& word : banned) {
      for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        // `.retrofill/tmp/` is a folder of the product, not a place of a machine.
        if (word.front() == '/' && at > 0 && (IsNamePart(text[at - 1]) || text[at - 1] == '}')) {
          continue;
        }
        found.push_back({"machine path", path, LineOf(text, at), fmt::format("`{}`", word)});
      }
    }
  }
  return found;
}

Violations CheckTree(const Tree& tree) {
  Violations all;
  for (const auto check : {CheckModules, CheckHeavyHeaders, CheckHeaders, CheckCalls, CheckLengths,
                           CheckNames, CheckDiagnostics, CheckCases, CheckMachinePaths}) {
    const Violations found = check(tree);
    all.insert(all.end(), found.begin(), found.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace retrofill
