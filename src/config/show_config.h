#pragma once

#include <string>

#include "config/yaml_reader.h"

namespace retrofill {

struct ShowOptions {
  bool origin = false;  // ends each line that holds a value with `# file:line`
};

// The merged document as YAML that reads back to the same values, keys in merged order. References
// stay as they are written; a secret that is written out is shown as `***`.
std::string ConfigText(const YamlNode& merged, const ShowOptions& options = {});

}  // namespace retrofill
