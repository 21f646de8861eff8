#include "base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

namespace retrofill {
namespace {

class FileTest : public testing::Test {
 protected:
  FileTest() { EXPECT_TRUE(MakeFolders(folder_).ok()); }
  ~FileTest() override { EXPECT_TRUE(RemoveFolder(folder_).ok()); }

  std::string In(std::string_view name) const { return JoinPath(folder_, name); }

  const std::string folder_ =
      JoinPath(testing::TempDir(), "file_test_" + std::to_string(getpid())) + "/a/b";
};

TEST_F(FileTest, WrittenFileReadsBack) {
  const std::string contents("one\0two\n", 8);
  ASSERT_TRUE(WriteFileAtomically(In("f"), contents).ok());
  EXPECT_EQ(*ReadFile(In("f")), contents);
  ASSERT_TRUE(WriteFileAtomically(In("f"), "new").ok());
  EXPECT_EQ(*ReadFile(In("f")), "new");
}

TEST_F(FileTest, AtomicWriteLeavesNoTemporaryFile) {
  ASSERT_TRUE(WriteFileAtomically(In("f"), "x").ok());
  EXPECT_FALSE(WriteFileAtomically(In("absent/f"), "x").ok());
  ASSERT_TRUE(MakeFolders(In("folder")).ok());
  EXPECT_FALSE(WriteFileAtomically(In("folder"), "x").ok());
  EXPECT_EQ(*ListFolder(folder_), (std::vector<std::string>{"f", "folder"}));
}

TEST_F(FileTest, MissingFileIsC0111AndNamesThePath) {
  const Error error = ReadFile(In("absent.sql")).error();
  EXPECT_EQ(error.id(), "C0111");
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_NE(error.message().find("absent.sql"), std::string::npos);
  EXPECT_NE(error.message().find("No such file"), std::string::npos);
  EXPECT_EQ(ReadFile(folder_).error().id(), "C0111");
  EXPECT_EQ(ListFolder(In("absent")).error().id(), "C0111");
}

TEST_F(FileTest, FullDiskAndReadOnlyPlaceAreW0109) {
  for (const int reason : {ENOSPC, EDQUOT, EACCES, EPERM, EROFS}) {
    const Error error = WriteError("write", "x.db", reason);
    EXPECT_EQ(error.id(), "W0109");
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
    EXPECT_NE(error.message().find("`x.db`"), std::string::npos);
    EXPECT_EQ(error.diagnostic().helps.size(), 1u);
  }
  EXPECT_EQ(WriteError("write", "x.db", EIO).id(), "X0199");
  EXPECT_EQ(AppendToFile("/dev/full", "x").error().id(), "W0109");
  EXPECT_EQ(WriteFileAtomically(In("absent/x"), "x").error().id(), "W0109");
}

TEST_F(FileTest, ADeviceIsWrittenToAndNeverReplaced) {
  EXPECT_TRUE(WriteFileAtomically("/dev/null", "x").ok());
  EXPECT_EQ(WriteFileAtomically("/dev/full", "x").error().id(), "W0109");
  EXPECT_EQ(AppendToFile("/dev/full", "x").error().id(), "W0109");
}

TEST_F(FileTest, ReadOnlyFolderIsNotWritable) {
  EXPECT_TRUE(CheckWritable(folder_).ok());
  EXPECT_TRUE(ListFolder(folder_)->empty());
  if (geteuid() == 0) {
    // Root may write anywhere but in the kernel's own folders.
    EXPECT_FALSE(CheckWritable("/proc").ok());
    return;
  }
  chmod(folder_.c_str(), 0555);
  EXPECT_EQ(CheckWritable(folder_).error().id(), "W0109");
  EXPECT_EQ(WriteFileAtomically(In("f"), "x").error().id(), "W0109");
  chmod(folder_.c_str(), 0755);
}

TEST_F(FileTest, AppendingAddsToTheEnd) {
  ASSERT_TRUE(AppendToFile(In("f"), "a\n").ok());
  ASSERT_TRUE(AppendToFile(In("f"), "b\n").ok());
  EXPECT_EQ(*ReadFile(In("f")), "a\nb\n");
}

TEST_F(FileTest, CopyReplacesTheDestination) {
  ASSERT_TRUE(WriteFileAtomically(In("f"), "new").ok());
  ASSERT_TRUE(WriteFileAtomically(In("g"), "old").ok());
  ASSERT_TRUE(CopyFile(In("f"), In("g")).ok());
  EXPECT_EQ(*ReadFile(In("g")), "new");
  EXPECT_EQ(CopyFile(In("absent"), In("g")).error().id(), "C0111");
  EXPECT_EQ(*ReadFile(In("g")), "new");
}

TEST_F(FileTest, RemovingWhatIsNotThereIsFine) {
  EXPECT_TRUE(RemoveFile(In("absent")).ok());
  EXPECT_TRUE(RemoveFolder(In("absent")).ok());
  ASSERT_TRUE(AppendToFile(In("f"), "a").ok());
  ASSERT_TRUE(RemoveFile(In("f")).ok());
  EXPECT_FALSE(FileExists(In("f")));
}

TEST_F(FileTest, APipeThatNobodyWritesToIsEmptyAndKeepsNobodyWaiting) {
  ASSERT_EQ(mkfifo(In("pipe").c_str(), 0600), 0);
  EXPECT_EQ(ReadFile(In("pipe")).value(), "");
}

TEST_F(FileTest, FactsTellFilesFromFolders) {
  ASSERT_TRUE(AppendToFile(In("f"), "abc").ok());
  EXPECT_TRUE(FileExists(In("f")));
  EXPECT_FALSE(FileExists(folder_));
  EXPECT_TRUE(FolderExists(folder_));
  EXPECT_EQ(FactsOfFile(In("f"))->size, 3);
  EXPECT_GT(FactsOfFile(In("f"))->modified, absl::UnixEpoch());
  EXPECT_FALSE(FactsOfFile(In("absent")).has_value());
}

TEST(Path, AbsoluteHasNoDots) {
  EXPECT_EQ(AbsolutePath("/a/./b//../c/"), "/a/c");
  EXPECT_EQ(AbsolutePath("/"), "/");
  EXPECT_EQ(AbsolutePath("x"), CurrentFolder() + "/x");
}

TEST(Path, RelativeOnlyBelowTheFolder) {
  EXPECT_EQ(RelativePath("/p/sql/a.sql", "/p"), "sql/a.sql");
  EXPECT_EQ(RelativePath("/p", "/p/"), ".");
  EXPECT_EQ(RelativePath("/pp/a.sql", "/p"), "/pp/a.sql");
  EXPECT_EQ(RelativePath("/etc/x", "/"), "etc/x");
}

TEST(Path, IsJoinedAndTakenApart) {
  EXPECT_EQ(JoinPath("a", "b"), "a/b");
  EXPECT_EQ(JoinPath("a/", "b"), "a/b");
  EXPECT_EQ(JoinPath("a", "/b"), "/b");
  EXPECT_EQ(JoinPath("", "b"), "b");
  EXPECT_EQ(FolderOf("a/b"), "a");
  EXPECT_EQ(FolderOf("b"), ".");
  EXPECT_EQ(FolderOf("/b"), "/");
}

}  // namespace
}  // namespace retrofill
