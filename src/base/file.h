#pragma once

// Files and folders. Errors name the path and the system's reason:
//   C0111 kInvalid     a file to read is missing, a folder, or unreadable
//   W0109 kUnavailable no space, no right to write, or a read-only place
//   X0199 kInternal    anything else the system says
// Any thread.

#include <absl/time/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace retrofill {

// The whole file. C0111.
Result<std::string> ReadFile(const std::string& path);

// Replaces the file by the contents so that a crash leaves the old or the new bytes, never a mix:
// writes a temporary file beside it, syncs, renames, syncs the folder. W0109.
Status WriteFileAtomically(const std::string& path, std::string_view contents);

// Adds to the end of the file, made if absent; not synced. W0109.
Status AppendToFile(const std::string& path, std::string_view contents);

// Makes the folder and those above it; fine if it is there. W0109.
Status MakeFolders(const std::string& path);

// Names (without folder) in the folder, sorted by bytes, hidden ones included. C0111.
Result<std::vector<std::string>> ListFolder(const std::string& path);

// Copies a file with its permissions, replacing the destination. C0111, W0109.
Status CopyFile(const std::string& from, const std::string& to);

// Removes a file; fine if it is not there. W0109.
Status RemoveFile(const std::string& path);
// Removes a folder with all that is in it; fine if it is not there. W0109.
Status RemoveFolder(const std::string& path);

bool FileExists(const std::string& path);    // anything of that name but a folder
bool FolderExists(const std::string& path);  // a folder, or a link to one

struct FileFacts {
  int64_t size = 0;
  absl::Time modified;
};
// Size and time, or nothing if there is no such file.
std::optional<FileFacts> FactsOfFile(const std::string& path);

// Fails with W0109 unless a file can be made in the folder. Leaves nothing behind.
Status CheckWritable(const std::string& folder);

// Absolute, without `.`, `..` and doubled slashes; does not follow links, need not exist.
std::string AbsolutePath(std::string_view path);
// The path as seen from the folder if it lies below it, else as it is.
std::string RelativePath(std::string_view path, std::string_view folder);
// `folder/name`; an absolute name stays as it is.
std::string JoinPath(std::string_view folder, std::string_view name);
// The folder a path lies in: `a` of `a/b`, `.` of `b`.
std::string FolderOf(std::string_view path);
std::string CurrentFolder();

// The error for a failed write to a path, from errno: W0109 where the place is full, read-only or
// forbidden, else X0199. For drivers that do their own writing.
Error WriteError(std::string_view doing, const std::string& path, int reason);

}  // namespace retrofill
