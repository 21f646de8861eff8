#pragma once

// Scratch files of proofs whose process was killed. A process that lives holds a lock on its file,
// so what can be locked belongs to nobody: no id of a process is trusted, which another machine on
// the same folder, or a later process, could have as well.

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"

namespace retrofill {

struct ScratchFile {
  std::string path;
  int64_t bytes = 0;
  bool is_held = false;  // by a process that lives
};

// The scratch files of the folder, by name; none if there is no folder. Not for a process that has
// a scratch of its own open: looking at a lock drops those of the process. C0111.
Result<std::vector<ScratchFile>> ListScratchFiles(const std::string& folder);

// Removes the file and its log unless a process holds it by now; whether it did. W0109.
Result<bool> RemoveScratchFile(const std::string& path);

}  // namespace retrofill
