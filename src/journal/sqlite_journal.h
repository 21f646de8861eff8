#pragma once

// The journal of a project in one SQLite file (docs/formats/journal.md). Several processes may have
// it open and write.

#include <memory>
#include <string>

#include "journal/journal.h"

namespace retrofill {

enum class JournalAccess {
  kReadOnly,   // never makes or changes the file; a missing one reads as empty
  kReadWrite,  // makes folder and file on the first write; until then a missing one reads as empty
};

// Names the file; opens it with the first call that needs it, so this cannot fail. The result
// belongs to the caller; one thread at a time. A write through a read-only journal is a bug.
std::unique_ptr<Journal> OpenSqliteJournal(std::string path, JournalAccess access);

}  // namespace retrofill
