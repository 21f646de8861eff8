#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace retrofill {

void CheckFailed(const char* file, int line, const char* condition, std::string_view detail) {
  std::fprintf(stderr, "%s:%d: %s %.*s\n", file, line, condition, static_cast<int>(detail.size()),
               detail.data());
  std::_Exit(70);
}

void SetCheckReportFolder(std::string) {}

}  // namespace retrofill
