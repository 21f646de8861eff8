#include "warehouse/scratch_leftover.h"

#include <fcntl.h>
#include <unistd.h>

#include <set>
#include <string_view>

#include "base/file.h"

namespace retrofill {
namespace {

constexpr std::string_view kPrefix = "scratch-";
constexpr std::string_view kSuffix = ".duckdb";
constexpr std::string_view kLog = ".wal";

// An open file that is locked for writing as long as this lives, if nobody else had it.
class Lock {
 public:
  explicit Lock(const std::string& path) : file_(open(path.c_str(), O_RDWR | O_CLOEXEC)) {
    struct flock whole{};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    is_ours_ = file_ >= 0 && fcntl(file_, F_SETLK, &whole) == 0;
  }
  ~Lock() {
    if (file_ >= 0) close(file_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  bool is_ours() const { return is_ours_; }

 private:
  int file_;
  bool is_ours_ = false;
};

}  // namespace

Result<std::vector<ScratchFile>> ListScratchFiles(const std::string& folder) {
  std::vector<ScratchFile> files;
  if (!FolderExists(folder)) return files;
  RF_ASSIGN(const std::vector<std::string> names, ListFolder(folder));
  // A file whose process died between removing the two is known by its log alone.
  std::set<std::string> databases;
  for (std::string name : names) {
    if (name.ends_with(kLog)) name.resize(name.size() - kLog.size());
    if (name.starts_with(kPrefix) && name.ends_with(kSuffix)) databases.insert(name);
  }
  for (const std::string& name : databases) {
    ScratchFile file{.path = JoinPath(folder, name)};
    for (const std::string& part : {file.path, file.path + std::string(kLog)}) {
      if (const auto facts = FactsOfFile(part)) file.bytes += facts->size;
    }
    file.is_held = FileExists(file.path) && !Lock(file.path).is_ours();
    files.push_back(std::move(file));
  }
  return files;
}

Result<bool> RemoveScratchFile(const std::string& path) {
  const bool has_database = FileExists(path);
  const Lock lock(path);
  if (has_database && !lock.is_ours()) return false;
  RF_TRY(RemoveFile(path + std::string(kLog)));
  RF_TRY(RemoveFile(path));
  return true;
}

}  // namespace retrofill
