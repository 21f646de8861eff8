#include "script.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace retrofill::scenario {
namespace {

const std::set<std::string, std::less<>> kVerbs = {
    "project", "file",   "edit",      "remove",    "damage",     "database", "cd",       "clock",
    "env",     "as",     "retrofill", "exit",      "error",      "warning",  "stdout",   "stderr",
    "json",    "start",  "await",     "signal",    "wait",       "kill",     "fail",     "restart",
    "execute", "query",  "snapshot",  "unchanged", "secret",     "hold",     "let",      "exists",
    "absent",  "matrix", "reached",   "files",     "kept",       "output",   "terminal", "type",
    "press",   "see",    "leave",     "mode",      "file_limit", "seal",     "grow",     "input"};

Error Wrong(int line, std::string_view why) {
  return Fail(ErrorCode::kInvalid, "C0103", "line {}: {}", line, why);
}

// Takes the lines up to one that is `end`, which it skips. Returns false if there is none.
bool TakeFileText(const std::vector<std::string>& lines, size_t& next, Line& line) {
  for (; next < lines.size(); ++next) {
    if (lines[next] == "end") return ++next, true;
    line.block.push_back(lines[next]);
  }
  return false;
}

// Takes the lines up to an empty one.
void TakeSql(const std::vector<std::string>& lines, size_t& next, Line& line) {
  bool in_rows = false;
  for (; next < lines.size() && !Trim(lines[next]).empty(); ++next) {
    if (lines[next] == "----") {
      in_rows = true;
      continue;
    }
    (in_rows ? line.rows : line.block).push_back(lines[next]);
  }
}

void ReadComment(std::string_view text, Script& script) {
  const std::string_view body = Trim(text.substr(1));
  if (body.starts_with("name:")) script.name = std::string(Trim(body.substr(5)));
  if (!body.starts_with("cases:")) return;
  for (const std::string& id : Split(Trim(body.substr(6)), ' ')) {
    if (!id.empty()) script.cases.push_back(id);
  }
}

Result<Loop> ReadLoop(const Line& line, size_t begin) {
  if (line.words.size() != 3 || line.words[0] != "point" || line.words[1] != "in") {
    return Wrong(line.number, "expected `foreach point in MODULE`");
  }
  return Loop{.prefix = line.words[2], .begin = begin, .end = begin};
}

}  // namespace

Result<std::vector<std::string>> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < text.size() &&
                         (quote == 0 || text[i + 1] == '"' || text[i + 1] == '\\');
    if (escapes) {
      word += text[++i];
      open = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      open = true;
    } else if (c == ' ' || c == '\t') {
      if (open) words.push_back(std::exchange(word, {}));
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (quote != 0) return Fail(ErrorCode::kInvalid, "C0103", "a quote does not end: {}", text);
  if (open) words.push_back(word);
  return words;
}

std::string Substitute(std::string_view text, const std::map<std::string, std::string>& variables) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const std::pair<const std::string, std::string>* best = nullptr;
    if (text[i] == '$') {
      for (const auto& variable : variables) {
        if (text.substr(i + 1).starts_with(variable.first) &&
            (best == nullptr || variable.first.size() > best->first.size())) {
          best = &variable;
        }
      }
    }
    if (best == nullptr) {
      out += text[i++];
    } else {
      out += best->second;
      i += 1 + best->first.size();
    }
  }
  return out;
}

Result<std::vector<std::map<std::string, std::string>>> ReadMatrix(std::string_view text) {
  std::vector<std::map<std::string, std::string>> combinations{{}};
  for (const std::string& line : Lines(text)) {
    if (!line.starts_with("matrix ")) continue;
    RF_ASSIGN(const std::vector<std::string> words, SplitWords(line.substr(7)));
    for (const std::string& word : words) {
      const size_t equals = word.find('=');
      if (equals == std::string::npos) {
        return Fail(ErrorCode::kInvalid, "C0103", "`matrix {}` has no `=`", word);
      }
      std::vector<std::map<std::string, std::string>> more;
      for (const std::string& value : Split(word.substr(equals + 1), ',')) {
        for (std::map<std::string, std::string> combination : combinations) {
          combination[word.substr(0, equals)] = value;
          more.push_back(std::move(combination));
        }
      }
      combinations = std::move(more);
    }
  }
  return combinations;
}

Result<Script> ParseScript(std::string_view text) {
  Script script;
  const std::vector<std::string> lines = Lines(text);
  bool in_loop = false;
  for (size_t next = 0; next < lines.size();) {
    Line line;
    const std::string_view trimmed = Trim(lines[next]);
    line.number = static_cast<int>(++next);
    if (trimmed.starts_with('#')) ReadComment(trimmed, script);
    if (trimmed.empty() || trimmed.starts_with('#')) continue;
    const size_t blank = trimmed.find(' ');
    line.verb = std::string(trimmed.substr(0, blank));
    if (blank != std::string_view::npos) line.rest = std::string(Trim(trimmed.substr(blank)));
    Result<std::vector<std::string>> words = SplitWords(line.rest);
    if (!words.ok()) return Wrong(line.number, words.error().message());
    line.words = std::move(words).value();
    if (line.verb == "foreach") {
      if (script.loop.has_value()) return Wrong(line.number, "a second `foreach`");
      RF_ASSIGN(script.loop, ReadLoop(line, script.lines.size()));
      in_loop = true;
      continue;
    }
    if (line.verb == "end" && in_loop) {
      script.loop->end = script.lines.size();
      in_loop = false;
      continue;
    }
    if (!kVerbs.contains(line.verb)) return Wrong(line.number, "unknown word: " + line.verb);
    if (line.verb == "file" && !TakeFileText(lines, next, line)) {
      return Wrong(line.number, "`file` without `end`");
    }
    if (line.verb == "execute" || line.verb == "query") TakeSql(lines, next, line);
    if (in_loop && line.rest.find("$nth") != std::string::npos) script.loop->each_hit = true;
    if (line.verb != "matrix") script.lines.push_back(std::move(line));
  }
  if (in_loop) return Fail(ErrorCode::kInvalid, "C0103", "`foreach` without `end`");
  if (script.name.empty()) return Fail(ErrorCode::kInvalid, "C0103", "no `# name:` line");
  return script;
}

}  // namespace retrofill::scenario
