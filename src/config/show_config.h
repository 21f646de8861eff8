#pragma once

#include <string>
#include <vector>

#include "config/yaml_reader.h"

namespace retrofill {

struct ShowOptions {
  bool origin = false;  // ends each line that holds a value with `# file:line`
};

// The merged document as YAML that reads back to the same values, keys in merged order. References
// stay as they are written; a secret that is written out is shown as `***`.
std::string ConfigText(const YamlNode& merged, const ShowOptions& options = {});

// One value of the merged document.
struct ConfigValue {
  std::string path;   // `tables.daily.lookback`, list items by number from 1
  std::string value;  // as ConfigText shows it
  std::string file;
  int line = 0;
};

// Every scalar, null and empty list or map, in merged order.
std::vector<ConfigValue> ConfigValues(const YamlNode& merged);

}  // namespace retrofill
