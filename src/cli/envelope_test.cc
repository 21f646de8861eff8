#include "cli/envelope.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

Json Parsed(const Answer& answer) {
  const std::string text = EnvelopeText(answer, absl::UnixEpoch());
  EXPECT_EQ(text.back(), '\n');
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  Result<Json> json = Json::Parse(text);
  EXPECT_TRUE(json.ok());
  return json.ok() ? *json : Json();
}

TEST(Envelope, HoldsTheAnswer) {
  Answer answer;
  answer.type = "canary.result";
  answer.seq = 48211;
  answer.plan = "9f3c1ad2";
  answer.data["rows"] = 212;
  answer.next.push_back({{"retrofill", "run", "fin-812"}, "the canary passed", false});
  const Json json = Parsed(answer);
  EXPECT_EQ(json.FindInteger("v"), 1);
  EXPECT_EQ(json.FindText("ts"), "1970-01-01T00:00:00Z");
  EXPECT_EQ(json.FindText("type"), "canary.result");
  EXPECT_EQ(json.FindBool("ok"), true);
  EXPECT_EQ(json.FindInteger("exit"), 0);
  EXPECT_EQ(json.FindInteger("seq"), 48211);
  EXPECT_EQ(json.FindText("plan"), "9f3c1ad2");
  EXPECT_EQ(json.FindPath("data.rows")->integer_value(), 212);
  EXPECT_EQ(json.FindPath("next[0].argv[1]")->text_value(), "run");
  EXPECT_FALSE(json.FindPath("next[0].human_only")->bool_value());
  EXPECT_TRUE(json.FindPath("error")->is_null());
}

TEST(Envelope, AnErrorIsAProblemObject) {
  const Json json =
      Parsed(AnswerOf(Fail(ErrorCode::kRefused, "P0304", "taken").Help("shrink the range")));
  EXPECT_EQ(json.FindBool("ok"), false);
  EXPECT_EQ(json.FindInteger("exit"), 3);
  EXPECT_EQ(json.FindPath("error.code")->text_value(), "P0304");
  EXPECT_EQ(json.FindPath("error.exit")->integer_value(), 3);
  EXPECT_EQ(json.FindPath("error.help[0]")->text_value(), "shrink the range");
  EXPECT_FALSE(json.Has("seq"));
}

TEST(Envelope, CommandLinesAreQuotedForAShell) {
  EXPECT_EQ(CommandLine({"retrofill", "run", "a b", "it's", "2026-01-31/eu", ""}),
            "retrofill run 'a b' 'it'\\''s' 2026-01-31/eu ''");
}

}  // namespace
}  // namespace retrofill
