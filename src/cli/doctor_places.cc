#include "cli/doctor_places.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "base/file.h"
#include "base/text.h"

namespace retrofill {
namespace {

constexpr int64_t kLittleSpace = int64_t{1} << 30;  // bytes: warn below

// As the system judges it for this user: modes, access lists and mounts that are read-only.
bool MayWrite(const std::string& path) { return access(path.c_str(), W_OK) == 0; }

}  // namespace

Finding Good(std::string about, std::string text) {
  return {"ok", std::move(about), std::move(text), {}};
}

Finding CheckFolder(const std::string& about, const std::string& folder) {
  std::string existing = folder;
  while (!FolderExists(existing) && existing != FolderOf(existing)) existing = FolderOf(existing);
  if (!MayWrite(existing)) {
    return {"FAIL",
            about,
            "W0109 no right to write in " + existing,
            {"give this user the right to write there"}};
  }
  struct statvfs space{};
  if (statvfs(existing.c_str(), &space) != 0) return Good(about, existing);
  const auto free = static_cast<int64_t>(space.f_bavail) * static_cast<int64_t>(space.f_frsize);
  if (free < kLittleSpace) {
    return {"warn",
            about,
            fmt::format("{}: only {} free", existing, ByteSizeText(free)),
            {"make space: stages and previous rows lie beside the data"}};
  }
  return Good(about, fmt::format("{}, {} free", existing, ByteSizeText(free)));
}

Finding CheckFiles(const std::string& about, const std::vector<std::string>& files) {
  std::vector<std::string> closed;
  for (const std::string& file : files) {
    if (FileExists(file) && !MayWrite(file)) closed.push_back(file);
  }
  if (closed.empty()) return Good(about, Join(files, ", "));
  return {"FAIL",
          about,
          "W0109 no right to write " + Join(closed, ", "),
          {"chmod u+w " + Join(closed, " ") + ", or give this user the right to write it"}};
}

}  // namespace retrofill
