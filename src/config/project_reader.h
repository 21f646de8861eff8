#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/problems.h"
#include "config/variables.h"
#include "config/yaml_reader.h"
#include "model/project.h"

namespace retrofill {

struct ProjectPlace {
  std::string folder;       // absolute, of the configuration file
  std::string config_file;  // absolute
  VariableReader environment;
};

// Makes the project of a merged document whose keys were checked. Adds what only the whole shows:
// C0103 values that do not go together, C0108 and C0111 of references, C0109 unknown names, C0110
// cycles, C0111 SQL files that are missing, empty or unreadable.
Project ReadProject(const YamlNode& root, const ProjectPlace& place, Problems& problems);

// Adds C0109 unless the name is one of the known ones. `kind` is the word for messages.
void CheckName(const YamlNode& name, std::string_view kind, const std::vector<std::string>& known,
               Problems& problems);

// The names of the entries of a map of the document.
std::vector<std::string> NamesOf(const YamlNode& root, std::string_view key);

// The connection that an entry names; without one the only one there is, else adds C0103 at the
// holder. Empty where there is none.
std::string ConnectionOf(const YamlNode& entry, const Place& holder, std::string_view what,
                         const std::vector<std::string>& connections, Problems& problems);

}  // namespace retrofill
