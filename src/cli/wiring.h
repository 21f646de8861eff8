#pragma once

// Which driver stands behind which seam. The one place that names them.

#include <memory>
#include <string>

#include "engine/engine_context.h"
#include "journal/journal.h"
#include "model/project.h"

namespace retrofill {

enum class JournalUse { kRead, kWrite };

// The journal of a project. Read: a missing file reads as empty and is not made.
std::unique_ptr<Journal> OpenJournal(const std::string& path, JournalUse use);

// Opens databases with the settings of the project's pools; without a project with the engine's
// own. The project outlives it.
WarehouseOpener MakeOpener(const Project* project);

struct LibraryVersions {
  std::string duckdb;
  std::string sqlite;
};
// Asked of the libraries themselves, which may be others than at build time.
Result<LibraryVersions> AskVersions();

}  // namespace retrofill
