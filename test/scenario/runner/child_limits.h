#pragma once

// What the operating system refuses the programs of a scenario, without a file system of their own.

#include <cstdint>
#include <optional>

#include "base/error.h"

namespace retrofill::scenario {

// Makes the modes of files and folders bind every program started from now on, also when the runner
// is root; the runner itself keeps its rights. kRefused W0102 where even that cannot be had.
Status LetModesBindChildren();

// While it lives, no file of a program started now grows past so many bytes: its write fails, as on
// a full disk. Nothing is limited without a number.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::optional<int64_t> bytes);
  ~FileSizeLimit();
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  std::optional<uint64_t> earlier_;
};

}  // namespace retrofill::scenario
