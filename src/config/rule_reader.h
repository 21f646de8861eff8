#pragma once

#include <vector>

#include "config/problems.h"
#include "config/yaml_reader.h"
#include "model/rule.h"

namespace retrofill {

// Reads `tables.N.reconcile`. A rule without name gets one from what it says, different from all
// others. Adds C0103 for an entry that is not one rule, and for options that do not go together.
std::vector<Rule> ReadRules(const YamlNode& list, Problems& problems);

}  // namespace retrofill
