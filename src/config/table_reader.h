#pragma once

#include "config/problems.h"
#include "config/project_reader.h"
#include "config/yaml_reader.h"
#include "model/project.h"

namespace retrofill {

// Adds the tables of the document to a project that has its connections, pools and sources, and
// the pool `default@CONNECTION` where a table needs it. Adds C0103, C0109 and C0111.
void ReadTables(const YamlNode& root, const ProjectPlace& place, Project& project,
                Problems& problems);

}  // namespace retrofill
