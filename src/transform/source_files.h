#pragma once

// Sources that are files, and what it means when they cannot be read.

#include "base/error.h"
#include "model/project.h"

namespace retrofill {

// What was read of a source. Rows may need temporary files, so there a missing right can be one to
// write.
enum class SourceRead { kColumns, kRows };

// The failure of a statement that read nothing but the source. Where the source is files and one of
// them is missing, unreadable or broken: kInvalid C0111 naming the source and the file; any other
// error as it is.
Error OfSource(const Source& source, SourceRead read, Error error);

}  // namespace retrofill
