#pragma once

// From files to a checked configuration (product document, 10.3 to 10.5).

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/variables.h"
#include "config/yaml_reader.h"
#include "model/project.h"

namespace retrofill {

inline constexpr std::string_view kConfigFileName = "retrofill.yml";

// What the user's and the system's files say; flags and variables come before.
struct CliSettings {
  std::optional<std::string> color;   // auto, always, never
  std::optional<std::string> format;  // as --format takes it
  std::optional<bool> progress;
};

struct Configuration {
  Project project;
  YamlNode merged;  // the document after includes, for `config show`
  CliSettings cli;
};

struct LoadOptions {
  std::string config_file;  // absolute
  VariableReader environment;
  // Absolute paths, the strongest first; those that do not exist are passed over.
  std::vector<std::string> setting_files{};
};

// The nearest `retrofill.yml` in the folder and those above it, as an absolute path. kInvalid C0111
// if there is none.
Result<std::string> FindConfigFile(const std::string& folder);

// `$XDG_CONFIG_HOME/retrofill/config.yml` (default `$HOME/.config`), then the system's.
std::vector<std::string> SettingFiles(const VariableReader& environment);

// Reads, merges and checks everything. All problems are reported, by file, line and column; the
// value is of use only without any. C0101 to C0111; C0107 is a warning.
Checked<Configuration> LoadConfiguration(const LoadOptions& options);

// The project alone.
Checked<Project> LoadProject(const LoadOptions& options);

// Reads the settings alone: for commands that need no project. Wrong files are reported.
Checked<CliSettings> LoadSettings(const std::vector<std::string>& setting_files);

}  // namespace retrofill
