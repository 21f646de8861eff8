#pragma once

#include "config/yaml_reader.h"

namespace retrofill {

// Lays a file over what it includes: maps are merged key by key, everything else is replaced. Each
// value keeps its own place. An own map without entries changes nothing.
YamlNode MergeTrees(YamlNode included, YamlNode own);

}  // namespace retrofill
