#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace retrofill {

namespace {

namespace fs = std::filesystem;

Error ReadError(const std::string& path, int reason) {
  return Fail(ErrorCode::kInvalid, "C0111", "cannot read `{}`: {}", path, std::strerror(reason));
}

// Closes its descriptor on every way out.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  // The result of close(), which may be the first to report that the disk is full.
  int Close() { return close(std::exchange(number_, -1)); }

 private:
  int number_;
};

// 0, or the errno.
int WriteAll(int file, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t count = write(file, contents.data(), contents.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    contents.remove_prefix(static_cast<size_t>(count));
  }
  return 0;
}

// A name nobody else uses: the process id and a count within the process.
std::string TemporaryBeside(const std::string& path) {
  static std::atomic<int> count = 0;
  return fmt::format("{}.{}-{}.tmp", path, getpid(), count.fetch_add(1));
}

Status SyncFolder(const std::string& folder) {
  const Descriptor file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!file.is_open() || fsync(file.number()) != 0) return WriteError("sync", folder, errno);
  return Ok();
}

}  // namespace

Error WriteError(std::string_view doing, const std::string& path, int reason) {
  const char* text = std::strerror(reason);
  switch (reason) {
    case ENOSPC:
    case EDQUOT:
      return Fail(ErrorCode::kUnavailable, "W0109", "cannot {} `{}`: {}", doing, path, text)
          .Help("make room on that disk, then run the same command again");
    case EACCES:
    case EPERM:
    case EROFS:
      return Fail(ErrorCode::kUnavailable, "W0109", "cannot {} `{}`: {}", doing, path, text)
          .Help("give this user the right to write there, then run the same command again");
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
      return Fail(ErrorCode::kUnavailable, "W0109", "cannot {} `{}`: {}", doing, path, text)
          .Help("name a file in a folder that exists");
    default:
      return Fail(ErrorCode::kInternal, "X0199", "cannot {} `{}`: {}", doing, path, text);
  }
}

Result<std::string> ReadFile(const std::string& path) {
  // A pipe that nobody writes to would keep the open waiting for ever; it is empty.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return ReadError(path, errno);
  fcntl(file.number(), F_SETFL, 0);
  std::string contents;
  char buffer[1 << 16];
  while (true) {
    const ssize_t count = read(file.number(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return ReadError(path, errno);
    if (count == 0) return contents;
    contents.append(buffer, static_cast<size_t>(count));
  }
}

Status WriteFileAtomically(const std::string& path, std::string_view contents) {
  struct stat there{};
  if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode)) {
    return AppendToFile(path, contents);  // a device or pipe is written to, never replaced
  }
  const std::string temporary = TemporaryBeside(path);
  Descriptor file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.is_open()) return WriteError("write", path, errno);
  int reason = WriteAll(file.number(), contents);
  if (reason == 0 && fsync(file.number()) != 0) reason = errno;
  if (file.Close() != 0 && reason == 0) reason = errno;
  if (reason == 0 && rename(temporary.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) {
    unlink(temporary.c_str());
    return WriteError("write", path, reason);
  }
  return SyncFolder(FolderOf(path));
}

Status AppendToFile(const std::string& path, std::string_view contents) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file.is_open()) return WriteError("write", path, errno);
  int reason = WriteAll(file.number(), contents);
  if (file.Close() != 0 && reason == 0) reason = errno;
  if (reason != 0) return WriteError("write", path, reason);
  return Ok();
}

Status MakeFolders(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return WriteError("make the folder", path, error.value());
  return Ok();
}

Result<std::vector<std::string>> ListFolder(const std::string& path) {
  std::error_code error;
  std::vector<std::string> names;
  fs::directory_iterator entry(path, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error) return ReadError(path, error.value());
  std::sort(names.begin(), names.end());
  return names;
}

Status CopyFile(const std::string& from, const std::string& to) {
  if (!FileExists(from)) return ReadError(from, FolderExists(from) ? EISDIR : ENOENT);
  std::error_code error;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  if (error) return WriteError("write", to, error.value());
  return Ok();
}

Status RemoveFile(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) return WriteError("remove", path, errno);
  return Ok();
}

Status RemoveFolder(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) return WriteError("remove", path, error.value());
  return Ok();
}

bool FileExists(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_directory(status);
}

bool FolderExists(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::optional<FileFacts> FactsOfFile(const std::string& path) {
  struct stat facts;
  if (stat(path.c_str(), &facts) != 0 || S_ISDIR(facts.st_mode)) return std::nullopt;
  return FileFacts{.size = facts.st_size, .modified = absl::TimeFromTimespec(facts.st_mtim)};
}

Status CheckWritable(const std::string& folder) {
  const std::string path = TemporaryBeside(JoinPath(folder, "write-check"));
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.is_open()) return WriteError("write in", folder, errno);
  unlink(path.c_str());
  return Ok();
}

std::string AbsolutePath(std::string_view path) {
  std::string absolute = fs::path(JoinPath(CurrentFolder(), path)).lexically_normal().string();
  if (absolute.size() > 1 && absolute.ends_with('/')) absolute.pop_back();
  return absolute;
}

std::string RelativePath(std::string_view path, std::string_view folder) {
  const std::string below = AbsolutePath(folder);
  const std::string absolute = AbsolutePath(path);
  if (absolute == below) return ".";
  const std::string start = below == "/" ? below : below + "/";
  if (!absolute.starts_with(start)) return std::string(path);
  return absolute.substr(start.size());
}

std::string JoinPath(std::string_view folder, std::string_view name) {
  if (folder.empty() || name.starts_with('/')) return std::string(name);
  return fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", name);
}

std::string FolderOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? "/" : std::string(path.substr(0, slash));
}

std::string CurrentFolder() {
  std::error_code error;
  return fs::current_path(error).string();
}

}  // namespace retrofill
