#include "config/load_config.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "config/config_values.h"
#include "config/key_check.h"
#include "config/key_table.h"
#include "config/merge_tree.h"
#include "config/problems.h"
#include "config/project_reader.h"

namespace retrofill {
namespace {

constexpr std::string_view kDefaultInclude = "retrofill.d/*.yml";
constexpr std::string_view kSystemSettings = "/etc/xdg/retrofill/config.yml";
constexpr int kMaxFiles = 1000;

// Matches `*` and `?` in one file name.
bool MatchesPattern(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*') {
    return MatchesPattern(name, pattern.substr(1)) ||
           (!name.empty() && MatchesPattern(name.substr(1), pattern));
  }
  if (name.empty()) return false;
  return (pattern.front() == '?' || pattern.front() == name.front()) &&
         MatchesPattern(name.substr(1), pattern.substr(1));
}

// Reads a file with all that it includes.
class FileLoader {
 public:
  FileLoader(std::string project_folder, Problems& problems)
      : project_folder_(std::move(project_folder)), problems_(problems) {}

  // False where a file could not be read: what others say about it cannot be judged.
  bool complete() const { return complete_; }

  // A null node where the file cannot be read; that was reported at the place.
  YamlNode Load(const std::string& path, const Place& place) {
    if (std::ranges::find(open_, path) != open_.end()) {
      problems_.Add(Fail(ErrorCode::kInvalid, "C0103", "`{}` includes itself",
                         RelativePath(path, project_folder_))
                        .Help("remove the include that leads back"),
                    place);
      return {};
    }
    if (++files_ > kMaxFiles) {
      problems_.Add(Fail(ErrorCode::kInvalid, "C0103", "more than 1 000 files are included")
                        .Help("include fewer"),
                    place);
      return {};
    }
    const std::string name = RelativePath(path, project_folder_);
    Result<std::string> text = ReadFile(path);
    if (!text.ok()) {
      complete_ = false;
      problems_.Add(std::move(text).error(), place);
      return {};
    }
    Result<YamlNode> read =
        ReadYaml(*text, {.name = name, .folder = FolderOf(path), .order = files_});
    if (!read.ok()) {
      complete_ = false;
      const auto file = std::make_shared<SourceFile>(SourceFile{.name = name, .order = files_});
      const std::optional<Origin> origin = read.error().diagnostic().origin;
      Place broken{.file = file};
      if (origin) broken.line = origin->line;
      problems_.AddPlaced(std::move(read).error(), broken);
      return {};
    }
    YamlNode own = std::move(read).value();
    CheckKeys(ProjectKeys(), own, problems_);
    CheckReferences(own, problems_);
    if (!own.is_map()) return {};
    open_.push_back(path);
    YamlNode below = LoadIncludes(own, FolderOf(path));
    open_.pop_back();
    return MergeTrees(std::move(below), std::move(own));
  }

 private:
  YamlNode LoadIncludes(const YamlNode& own, const std::string& folder) {
    YamlNode merged;
    const YamlNode* list = ListAt(own, "include");
    if (list == nullptr) {
      if (ValueAt(own, "include") == nullptr) {
        IncludePattern(JoinPath(folder, kDefaultInclude), own.place, merged);
      }
      return merged;
    }
    for (const YamlNode& item : list->items) {
      if (!item.is_scalar() || item.text.empty()) continue;
      const std::string path = AbsolutePath(JoinPath(folder, item.text));
      if (path.find_first_of("*?") != std::string::npos) {
        IncludePattern(path, item.place, merged);
      } else {
        merged = MergeTrees(std::move(merged), Load(path, item.place));
      }
    }
    return merged;
  }

  void IncludePattern(const std::string& pattern, const Place& place, YamlNode& merged) {
    const std::string folder = FolderOf(pattern);
    const std::string name_pattern = pattern.substr(folder.size() + 1);
    if (folder.find_first_of("*?") != std::string::npos) {
      problems_.Add(Fail(ErrorCode::kInvalid, "C0103", "`{}` has `*` in the name of a folder",
                         RelativePath(pattern, project_folder_))
                        .Help("write `*` in the file name alone"),
                    place);
      return;
    }
    if (!FolderExists(folder)) return;
    Result<std::vector<std::string>> names = ListFolder(folder);
    if (!names.ok()) {
      problems_.Add(std::move(names).error(), place);
      return;
    }
    for (const std::string& name : *names) {
      const std::string path = JoinPath(folder, name);
      if (name.starts_with(".") || !MatchesPattern(name, name_pattern)) continue;
      if (FileExists(path)) merged = MergeTrees(std::move(merged), Load(path, place));
    }
  }

  std::string project_folder_;
  Problems& problems_;
  std::vector<std::string> open_;
  int files_ = 0;
  bool complete_ = true;
};

void ReadSettings(const std::vector<std::string>& files, CliSettings& settings,
                  Problems& problems) {
  // After the files of the project.
  int order = kMaxFiles;
  for (const std::string& path : files) {
    ++order;
    if (!FileExists(path)) continue;
    const Place whole{.file = std::make_shared<SourceFile>(
                          SourceFile{.name = path, .folder = FolderOf(path), .order = order})};
    Result<std::string> text = ReadFile(path);
    if (!text.ok()) {
      problems.Add(std::move(text).error(), whole);
      continue;
    }
    Result<YamlNode> read =
        ReadYaml(*text, {.name = path, .folder = FolderOf(path), .order = order});
    if (!read.ok()) {
      problems.AddPlaced(std::move(read).error(), whole);
      continue;
    }
    CheckKeys(SettingKeys(), *read, problems);
    const YamlNode* cli = MapAt(*read, "cli");
    if (cli == nullptr) continue;
    if (!settings.color) settings.color = TextAt(*cli, "color");
    if (!settings.format) settings.format = TextAt(*cli, "format");
    if (!settings.progress) settings.progress = BooleanAt(*cli, "progress");
  }
}

}  // namespace

Result<std::string> FindConfigFile(const std::string& folder) {
  std::string at = AbsolutePath(folder);
  while (true) {
    const std::string path = JoinPath(at, kConfigFileName);
    if (FileExists(path)) return path;
    const std::string above = FolderOf(at);
    if (above == at) break;
    at = above;
  }
  return Fail(ErrorCode::kInvalid, "C0111", "there is no `{}` in `{}` or above it", kConfigFileName,
              AbsolutePath(folder))
      .Help("`retrofill init` writes one; -C names another folder, -c another file");
}

std::vector<std::string> SettingFiles(const VariableReader& environment) {
  std::vector<std::string> files;
  const std::optional<std::string> home = environment("HOME");
  std::optional<std::string> folder = environment("XDG_CONFIG_HOME");
  // The XDG specification: relative paths count as not set.
  if (!folder || !folder->starts_with('/')) folder.reset();
  if (!folder && home && home->starts_with('/')) folder = JoinPath(*home, ".config");
  if (folder) files.push_back(JoinPath(*folder, "retrofill/config.yml"));
  files.emplace_back(kSystemSettings);
  return files;
}

Checked<Configuration> LoadConfiguration(const LoadOptions& options) {
  Checked<Configuration> checked;
  Problems problems;
  const std::string folder = FolderOf(options.config_file);
  FileLoader loader(folder, problems);
  const Place whole{.file = std::make_shared<SourceFile>(
                        SourceFile{.name = RelativePath(options.config_file, folder)})};
  checked.value.merged = loader.Load(options.config_file, whole);
  const bool readable = checked.value.merged.is_map();
  if (!readable && problems.empty()) {
    problems.Add(Fail(ErrorCode::kInvalid, "C0103", "`{}` says nothing",
                      RelativePath(options.config_file, folder))
                     .Help("`retrofill init` writes a first one"),
                 whole);
  }
  if (readable && loader.complete()) {
    CheckRequired(ProjectKeys(), checked.value.merged, problems);
    checked.value.project = ReadProject(
        checked.value.merged,
        {.folder = folder, .config_file = options.config_file, .environment = options.environment},
        problems);
  }
  ReadSettings(options.setting_files, checked.value.cli, problems);
  checked.errors = problems.TakeErrors();
  checked.warnings = problems.TakeWarnings();
  return checked;
}

Checked<Project> LoadProject(const LoadOptions& options) {
  Checked<Configuration> loaded = LoadConfiguration(options);
  return {.value = std::move(loaded.value.project),
          .errors = std::move(loaded.errors),
          .warnings = std::move(loaded.warnings)};
}

Checked<CliSettings> LoadSettings(const std::vector<std::string>& setting_files) {
  Checked<CliSettings> checked;
  Problems problems;
  ReadSettings(setting_files, checked.value, problems);
  checked.errors = problems.TakeErrors();
  checked.warnings = problems.TakeWarnings();
  return checked;
}

}  // namespace retrofill
