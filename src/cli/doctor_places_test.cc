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

// Runs the check as a user whom permissions bind; 0 if it held, 1 if not, 2 if there is no such
// user. Of a process of its own: rights that are given up do not come back.
int AsUnprivileged(const std::function<bool()>& check) {
  const pid_t child = fork();
  if (child == 0) {
    const bool is_root = geteuid() == 0;
    if (is_root && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) _exit(2);
    _exit(check() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
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

TEST(DoctorPlaces, AFileThatCannotBeWrittenFails) {
  const std::string file = FolderWith("file", 0444, 0777) + "/shop.duckdb";
  const int held = AsUnprivileged([&] {
    const Finding finding = CheckFiles("data of warehouse", {file, file + ".wal"});
    return finding.level == "FAIL" && finding.text == "W0109 no right to write " + file &&
           finding.fixes.size() == 1;
  });
  if (held == 2) GTEST_SKIP() << "no unprivileged user";
  EXPECT_EQ(held, 0);
}

TEST(DoctorPlaces, AFolderThatCannotBeWrittenFails) {
  const std::string folder = FolderWith("folder", 0666, 0555);
  const int held = AsUnprivileged([&] { return CheckFolder("data", folder).level == "FAIL"; });
  if (held == 2) GTEST_SKIP() << "no unprivileged user";
  EXPECT_EQ(held, 0);
}

TEST(DoctorPlaces, WhatCanBeWrittenOrIsNotThereIsFine) {
  const std::string folder = FolderWith("fine", 0666, 0777);
  EXPECT_EQ(CheckFiles("data", {folder + "/shop.duckdb", folder + "/none"}).level, "ok");
  EXPECT_NE(CheckFolder("data", folder + "/not/yet").level, "FAIL");
}

}  // namespace
}  // namespace retrofill
