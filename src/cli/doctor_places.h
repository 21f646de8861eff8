#pragma once

// What `doctor` finds out about files and folders. Nothing is made or changed.

#include <string>
#include <vector>

namespace retrofill {

struct Finding {
  std::string level;  // "ok", "warn", "FAIL"
  std::string about;  // "connection warehouse"
  std::string text;
  std::vector<std::string> fixes;
};

Finding Good(std::string about, std::string text);

// Whether this user may write in the folder, or in the nearest one above it that exists, and how
// much space is left there.
Finding CheckFolder(const std::string& about, const std::string& folder);

// Whether this user may write every one of these files that exists. FAIL W0109 names those that
// cannot be written.
Finding CheckFiles(const std::string& about, const std::vector<std::string>& files);

}  // namespace retrofill
