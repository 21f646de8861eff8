#include "config/variables.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "base/file.h"
#include "base/text.h"

namespace retrofill {
namespace {

constexpr std::array<std::string_view, 6> kPlaces = {"connections", "schedules", "sources",
                                                     "notify",      "lineage",   "serve"};

bool IsVariableName(std::string_view name) {
  return !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_';
         });
}

bool OthersCanRead(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  using std::filesystem::perms;
  return !error && (status.permissions() & (perms::group_read | perms::others_read)) != perms::none;
}

Result<Expansion> FromFile(const std::string& name, const std::string& folder) {
  const std::string path = JoinPath(folder, name);
  Result<std::string> text = ReadFile(path);
  if (!text.ok()) return std::move(text).error();
  Expansion expansion{.text = std::move(text).value()};
  while (expansion.text.ends_with('\n') || expansion.text.ends_with('\r')) {
    expansion.text.pop_back();
  }
  if (expansion.text.empty()) {
    return Fail(ErrorCode::kInvalid, "C0111", "the file `{}` is empty", name);
  }
  if (OthersCanRead(path)) {
    Diagnostic warning = Warn("C0107", "the secret file `{}` can be read by others", name);
    warning.helps.push_back(fmt::format("chmod 600 {}", name));
    expansion.warnings.push_back(std::move(warning));
  }
  return expansion;
}

// What stands between `${` and `}`.
Result<Expansion> Resolve(std::string_view inside, const VariableReader& environment,
                          const std::string& folder) {
  if (inside.starts_with("file:")) return FromFile(std::string(inside.substr(5)), folder);
  const size_t colon = inside.find(':');
  const std::string name(inside.substr(0, colon));
  const std::string_view rest =
      colon == std::string_view::npos ? std::string_view() : inside.substr(colon);
  const bool has_default = rest.starts_with(":-");
  if (!IsVariableName(name) || (!rest.empty() && !has_default && !rest.starts_with(":?"))) {
    return Fail(ErrorCode::kInvalid, "C0103", "`${{{}}}` is no reference", inside)
        .Help(
            "write `${VAR}`, `${VAR:-default}`, `${VAR:?why}`, `${file:/path}`; `$$` is a "
            "dollar");
  }
  const std::optional<std::string> value = environment(name);
  if (value && (rest.empty() || !value->empty())) return Expansion{.text = *value};
  if (has_default) return Expansion{.text = std::string(rest.substr(2))};
  Error error =
      Fail(ErrorCode::kInvalid, "C0108", "the environment variable `{}` is not set", name);
  if (rest.size() > 2) error = std::move(error).Note(std::string(rest.substr(2)));
  return std::move(error).Help(
      fmt::format("set {}, or give a default: ${{{}:-VALUE}}", name, name));
}

class ReferenceCheck {
 public:
  explicit ReferenceCheck(Problems& problems) : problems_(problems) {}

  void Node(const YamlNode& node) {
    if (node.is_scalar()) Scalar(node);
    for (const YamlNode& item : node.items) Node(item);
    for (const YamlEntry& entry : node.entries) {
      path_.push_back(entry.key);
      Node(entry.value);
      path_.pop_back();
    }
  }

 private:
  bool Allowed() const {
    if (path_.empty()) return false;
    if (std::ranges::find(kPlaces, path_.front()) != kPlaces.end()) return true;
    return path_.size() >= 5 && path_[0] == "tables" && path_[2] == "transform" &&
           path_[3] == "env";
  }

  void Scalar(const YamlNode& node) {
    const bool reference = HasReference(node.text);
    if (reference && !Allowed()) {
      problems_.Add(Fail(ErrorCode::kInvalid, "C0103",
                         "`{}` may hold no reference such as `${{VAR}}`", PathText(path_))
                        .Help("references are allowed under `connections`, `schedules`, `sources`, "
                              "`notify`, `lineage`, `serve` and `transform.env`"),
                    node.place);
    } else if (!reference && Allowed() && IsSecretKey(path_.back()) && !node.text.empty()) {
      // The window would print the secret, so it is left out.
      Place place = node.place;
      Error error =
          Fail(ErrorCode::kInvalid, "C0106", "`{}` is written in the file", PathText(path_))
              .Help(fmt::format("write {0}: ${{VARIABLE}} or {0}: ${{file:/path}}", path_.back()));
      Origin origin = OriginOf(place);
      origin.lines.clear();
      problems_.AddPlaced(std::move(error).At(std::move(origin)), place);
    }
  }

  Problems& problems_;
  std::vector<std::string> path_;
};

}  // namespace

bool HasReference(std::string_view text) {
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '$') continue;
    if (text[i + 1] == '{') return true;
    if (text[i + 1] == '$') ++i;
  }
  return false;
}

Result<Expansion> ExpandReferences(std::string_view text, const VariableReader& environment,
                                   const std::string& folder) {
  Expansion expansion;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$' || i + 1 == text.size()) {
      expansion.text += text[i];
    } else if (text[i + 1] == '$') {
      expansion.text += '$';
      ++i;
    } else if (text[i + 1] != '{') {
      expansion.text += '$';
    } else {
      const size_t end = text.find('}', i);
      if (end == std::string_view::npos) {
        return Fail(ErrorCode::kInvalid, "C0103", "`${{` without `}}` in a value")
            .Help("close it, or write `$$` for a dollar");
      }
      RF_ASSIGN(Expansion part, Resolve(text.substr(i + 2, end - i - 2), environment, folder));
      expansion.text += part.text;
      for (Diagnostic& warning : part.warnings) expansion.warnings.push_back(std::move(warning));
      i = end;
    }
  }
  return expansion;
}

void CheckReferences(const YamlNode& root, Problems& problems) {
  ReferenceCheck(problems).Node(root);
}

bool IsSecretKey(std::string_view key) {
  const std::string word = Lower(key.substr(key.rfind('.') + 1));
  return word == "password" || word == "token" || word == "secret";
}

}  // namespace retrofill
