#pragma once

#include "config/problems.h"
#include "config/yaml_reader.h"
#include "model/project.h"

namespace retrofill {

// Adds C0110 for each cycle of `inputs` over tables, and for a table that reads its own partition
// or later ones (intervals document, 10); C0103 for two tables that write one relation. The root
// gives the places.
void CheckTableGraph(const Project& project, const YamlNode& root, Problems& problems);

}  // namespace retrofill
