#include "base/error.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

TEST(Error, MoreCanBeSaidAboutOneThatIsKept) {
  Error error = Fail(ErrorCode::kInvalid, "C0102", "unknown key `{}`", "a");
  error = std::move(error).Note("a note");
  error = std::move(error).Help("a help").At({.file = "retrofill.yml", .line = 3});
  error = std::move(error).While("reading");
  EXPECT_EQ(error.message(), "unknown key `a`");
  EXPECT_EQ(error.id(), "C0102");
  EXPECT_EQ(error.diagnostic().notes, std::vector<std::string>{"a note"});
  EXPECT_EQ(error.diagnostic().helps, std::vector<std::string>{"a help"});
  EXPECT_EQ(error.diagnostic().origin->line, 3);
  EXPECT_EQ(error.context(), std::vector<std::string>{"reading"});
}

}  // namespace
}  // namespace retrofill
