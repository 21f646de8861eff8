#include "cli/exit_status.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

struct Row {
  ErrorCode code;
  const char* id;
  int status;
};

TEST(ExitStatus, FollowsTheListOfCodes) {
  const Row rows[] = {{ErrorCode::kInvalid, "C0102", 2},       {ErrorCode::kRefused, "C0204", 3},
                      {ErrorCode::kInvalid, "P0101", 2},       {ErrorCode::kInvalid, "P0204", 3},
                      {ErrorCode::kRefused, "P0301", 3},       {ErrorCode::kConflict, "P0302", 3},
                      {ErrorCode::kFailed, "P0302", 1},        {ErrorCode::kFailed, "X0101", 1},
                      {ErrorCode::kFailed, "X0206", 2},        {ErrorCode::kInvalid, "X0206", 2},
                      {ErrorCode::kIndeterminate, "X0303", 4}, {ErrorCode::kRefused, "X0304", 3},
                      {ErrorCode::kFailed, "X0304", 1},        {ErrorCode::kRefused, "R0101", 3},
                      {ErrorCode::kFailed, "R0301", 1},        {ErrorCode::kFailed, "I0101", 1},
                      {ErrorCode::kUnavailable, "W0104", 4},   {ErrorCode::kCorrupt, "W0108", 4},
                      {ErrorCode::kCorrupt, "W0201", 4},       {ErrorCode::kCorrupt, "W0202", 1},
                      {ErrorCode::kRefused, "W0105", 3},       {ErrorCode::kInternal, "X0199", 70},
                      {ErrorCode::kRefused, "S0301", 3},       {ErrorCode::kRefused, "A0104", 3}};
  for (const Row& row : rows) {
    EXPECT_EQ(ExitStatusOf(Fail(row.code, row.id, "m")), row.status) << row.id;
  }
}

TEST(ExitStatus, CancelledIsStoppedEarlyWhateverItsId) {
  EXPECT_EQ(ExitStatusOf(Fail(ErrorCode::kCancelled, "W0101", "m")), 5);
}

TEST(ExitStatus, EachErrorCodeHasOneOfItsOwn) {
  const Row rows[] = {{ErrorCode::kInvalid, "Z", 2},     {ErrorCode::kRefused, "Z", 3},
                      {ErrorCode::kFailed, "Z", 1},      {ErrorCode::kConflict, "Z", 3},
                      {ErrorCode::kUnavailable, "Z", 4}, {ErrorCode::kIndeterminate, "Z", 4},
                      {ErrorCode::kCancelled, "Z", 5},   {ErrorCode::kCorrupt, "Z", 70},
                      {ErrorCode::kInternal, "Z", 70}};
  for (const Row& row : rows) EXPECT_EQ(ExitStatusOf(Fail(row.code, row.id, "m")), row.status);
}

TEST(ExitStatus, TheWorstOfSeveralWins) {
  EXPECT_EQ(WorstExitStatus({0, 5, 1}), 1);
  EXPECT_EQ(WorstExitStatus({3, 1}), 1);
  EXPECT_EQ(WorstExitStatus({1, 4}), 4);
  EXPECT_EQ(WorstExitStatus({4, 70}), 70);
  EXPECT_EQ(WorstExitStatus({5, 3}), 3);
  EXPECT_EQ(WorstExitStatus({0, 0}), 0);
}

}  // namespace
}  // namespace retrofill
