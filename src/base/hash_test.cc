#include "base/hash.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "base/file.h"

namespace retrofill {
namespace {

// FIPS 180-2, appendix B.
TEST(Sha256, VectorsOfTheStandard) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesGiveTheSameAsTheWhole) {
  Sha256 hash;
  hash.Add("a");
  hash.Add("");
  hash.Add("bc");
  Sha256 moved = std::move(hash);
  EXPECT_EQ(moved.Hex(), Sha256Hex("abc"));
}

TEST(Sha256, FileIsReadInPieces) {
  const std::string path =
      JoinPath(testing::TempDir(), "hash_test_" + std::to_string(getpid()) + ".bin");
  const std::string contents(700'000, 'x');
  ASSERT_TRUE(WriteFileAtomically(path, contents).ok());
  EXPECT_EQ(*Sha256HexOfFile(path), Sha256Hex(contents));
  ASSERT_TRUE(RemoveFile(path).ok());
  EXPECT_EQ(Sha256HexOfFile(path).error().id(), "C0111");
  EXPECT_EQ(Sha256HexOfFile(testing::TempDir()).error().id(), "C0111");
}

TEST(HexText, HasTwoDigitsPerByte) {
  EXPECT_EQ(HexText(std::string_view("\x00\x0f\xff", 3)), "000fff");
}

}  // namespace
}  // namespace retrofill
