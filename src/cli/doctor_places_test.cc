#include "cli/doctor_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "base/file.h"

namespace retrofill {
namespace {

constexpr uid_t kNobody = 65534;

constexpr int kHeld = 0;
constexpr int kNoSuchUser = 2;  // this process may not become anybody else

// Ends the process with what the check found as a user whom permissions bind.
[[noreturn]] void EndAsUnprivileged(const std::function<bool()>& check) {
  const bool is_root = geteuid() == 0;
  if (is_root && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) _exit(kNoSuchUser);
  _exit(check() ? kHeld : 1);
}

bool HeldWherePossible(int status) {
  return WIFEXITED(status) && (WEXITSTATUS(status) == kHeld || WEXITSTATUS(status) == kNoSuchUser);
}

std::string FolderWith(const std::string& name, mode_t file_mode, mode_t folder_mode) {
  const std::string folder = testing::TempDir() + "doctor_places_" + name;
  EXPECT_TRUE(RemoveFolder(folder).ok());
  EXPECT_TRUE(MakeFolders(folder).ok());
  EXPECT_TRUE(WriteFileAtomically(folder + "/shop.duckdb", "rows").ok());
  EXPECT_EQ(chmod((folder + "/shop.duckdb").c_str(), file_mode), 0);
  EXPECT_EQ(chmod(folder.c_str(), folder_mode), 0);
  return folder;
}

TEST(DoctorPlacesDeathTest, AFileThatCannotBeWrittenFails) {
  const std::string file = FolderWith("file", 0444, 0777) + "/shop.duckdb";
  const auto check = [&] {
    const Finding finding = CheckFiles("data of warehouse", {file, file + ".wal"});
    return finding.level == "FAIL" && finding.text == "W0109 no right to write " + file &&
           finding.fixes.size() == 1;
  };
  EXPECT_EXIT(EndAsUnprivileged(check), HeldWherePossible, "");
}

TEST(DoctorPlacesDeathTest, AFolderThatCannotBeWrittenFails) {
  const std::string folder = FolderWith("folder", 0666, 0555);
  const auto check = [&] { return CheckFolder("data", folder).level == "FAIL"; };
  EXPECT_EXIT(EndAsUnprivileged(check), HeldWherePossible, "");
}

TEST(DoctorPlaces, WhatCanBeWrittenOrIsNotThereIsFine) {
  const std::string folder = FolderWith("fine", 0666, 0777);
  EXPECT_EQ(CheckFiles("data", {folder + "/shop.duckdb", folder + "/none"}).level, "ok");
  EXPECT_NE(CheckFolder("data", folder + "/not/yet").level, "FAIL");
}

}  // namespace
}  // namespace retrofill
