#pragma once

#include <vector>

#include "base/error.h"
#include "model/project.h"
#include "model/table_cycles.h"

namespace retrofill {

// What each table reads, by name: tables of `inputs` and of the `{{ ref(...) }}` of its SQL. SQL
// that cannot be read is left to whoever needs it.
TableReads FindReferences(const Project& project);

// C0110 for each cycle of tables that `inputs` and the `{{ ref(...) }}` of their SQL close
// together.
std::vector<Error> FindReferenceCycles(const Project& project);

}  // namespace retrofill
