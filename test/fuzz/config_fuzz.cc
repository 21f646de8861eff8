// No text makes the configuration reader crash or hang, and what it reads can be shown and read
// again.

#include <string>
#include <string_view>

#include "base/check.h"
#include "changed_text.h"
#include "config/key_check.h"
#include "config/key_table.h"
#include "config/problems.h"
#include "config/project_reader.h"
#include "config/show_config.h"
#include "config/variables.h"
#include "config/yaml_reader.h"

namespace retrofill {
void CheckText(std::string_view text) {
  const Result<YamlNode> root = ReadYaml(text, {.name = "retrofill.yml", .folder = "nowhere"});
  if (!root.ok()) {
    RF_CHECK(root.error().id() == "C0101");
    return;
  }
  Problems problems;
  CheckKeys(ProjectKeys(), *root, problems);
  CheckReferences(*root, problems);
  if (root->is_map()) {
    CheckRequired(ProjectKeys(), *root, problems);
    const VariableReader none = [](std::string_view) { return std::optional<std::string>(); };
    const ProjectPlace place{
        .folder = "nowhere", .config_file = "nowhere/retrofill.yml", .environment = none};
    (void)ReadProject(*root, place, problems);
    const Result<YamlNode> shown = ReadYaml(ConfigText(*root), {.name = "shown"});
    RF_CHECK(shown.ok());
  }
  for (const Error& error : problems.TakeErrors()) {
    RF_CHECK(error.id().starts_with("C01") && !error.message().empty());
  }
}

}  // namespace retrofill
