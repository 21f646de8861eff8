#include "base/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

namespace retrofill {
namespace {

Json Parsed(std::string_view text) {
  Result<Json> json = Json::Parse(text);
  EXPECT_TRUE(json.ok()) << text << ": " << json.error().message();
  return json.ok() ? *json : Json("not parsed");
}

Error Refused(std::string_view text) {
  Result<Json> json = Json::Parse(text);
  EXPECT_FALSE(json.ok()) << text;
  return json.ok() ? Fail(ErrorCode::kInternal, "X0199", "parsed") : json.error();
}

TEST(Json, ObjectIsBuiltByKey) {
  Json row;
  row["rows"] = 212;
  row["key"] = "2026-01-17/eu";
  row["checks"].Append("unique");
  row["is_final"] = true;
  row["cost"] = 1.5;
  row["note"] = nullptr;
  EXPECT_EQ(row.Compact(),
            R"({"checks":["unique"],"cost":1.5,"is_final":true,"key":"2026-01-17/eu",)"
            R"("note":null,"rows":212})");
}

TEST(Json, ObjectIsBuiltFromAList) {
  const Json row = Json::Object({{"b", Json::Array({1, "two", Json()})}, {"a", Json::Object()}});
  EXPECT_EQ(row.Compact(), R"({"a":{},"b":[1,"two",null]})");
}

TEST(Json, PointerDoesNotBecomeABool) {
  const std::string_view view = "text";
  EXPECT_TRUE(Json("text").is_text());
  EXPECT_TRUE(Json(view).is_text());
  EXPECT_TRUE(Json(true).is_bool());
  EXPECT_TRUE(Json(size_t{7}).is_integer());
}

TEST(Json, RemovedMemberIsGone) {
  Json json = Parsed(R"({"a":1,"hash":"x"})");
  json.Remove("hash");
  json.Remove("absent");
  EXPECT_EQ(json.Compact(), R"({"a":1})");
}

TEST(Json, MemberOfTheRightKindIsRead) {
  const Json json = Parsed(R"({"t":"x","i":-3,"n":2.5,"b":false,"l":["p","q"],"o":{"k":1}})");
  EXPECT_EQ(*json.Text("t"), "x");
  EXPECT_EQ(*json.Integer("i"), -3);
  EXPECT_EQ(*json.Number("n"), 2.5);
  EXPECT_EQ(*json.Number("i"), -3);
  EXPECT_EQ(*json.Bool("b"), false);
  EXPECT_EQ(*json.Texts("l"), (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(json.ArrayAt("l")->size(), 2u);
  EXPECT_EQ(json.ObjectAt("o")->at("k"), Json(1));
  EXPECT_EQ(json.FindText("t"), "x");
  EXPECT_EQ(json.FindInteger("i"), -3);
  EXPECT_EQ(json.FindBool("b"), false);
}

TEST(Json, MissingMemberIsAnErrorThatNamesIt) {
  const JsonSource source = {.name = "p.json", .id = "P0308", .code = ErrorCode::kCorrupt};
  const Error error = Json::Object().Text("table", source).error();
  EXPECT_EQ(error.id(), "P0308");
  EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
  EXPECT_EQ(error.message(), "`table` is missing in p.json");
}

TEST(Json, MemberOfAnotherKindIsAnError) {
  const Json json = Parsed(R"({"t":"x","l":["p",1]})");
  EXPECT_EQ(json.Integer("t").error().message(), "`t` is not an integer in <json>");
  EXPECT_FALSE(json.Texts("l").ok());
  EXPECT_FALSE(json.ArrayAt("t").ok());
  EXPECT_FALSE(json.ObjectAt("l").ok());
  EXPECT_EQ(json.FindInteger("t"), std::nullopt);
  EXPECT_EQ(Json(3).Find("t"), nullptr);
}

TEST(Json, PathReachesIntoObjectsAndArrays) {
  const Json json = Parsed(R"({"data":{"backfills":[{"n":31}],"m":[[1,2]]}})");
  EXPECT_EQ(*json.FindPath("data.backfills[0].n"), Json(31));
  EXPECT_EQ(*json.FindPath(".data.m[0][1]"), Json(2));
  EXPECT_EQ(*json.FindPath(""), json);
  EXPECT_EQ(json.FindPath("data.backfills[1].n"), nullptr);
  EXPECT_EQ(json.FindPath("data.backfills[x]"), nullptr);
  EXPECT_EQ(json.FindPath("data.backfills[0"), nullptr);
  EXPECT_EQ(json.FindPath("nothing.here"), nullptr);
}

TEST(Json, IndentedFormHasSortedKeysAndTwoSpaces) {
  const Json json = Parsed(R"({"b":[1,{}],"a":{"x":[]}})");
  EXPECT_EQ(json.Indented(),
            "{\n  \"a\": {\n    \"x\": []\n  },\n  \"b\": [\n    1,\n    {}\n  ]\n}\n");
  EXPECT_EQ(Parsed(json.Indented()), json);
}

TEST(Json, InvalidUtf8IsPrintedAsReplacement) {
  EXPECT_EQ(Json("a\xFF").Compact(), "\"a\xEF\xBF\xBD\"");
}

TEST(JsonDeathTest, IntegerAtTwoToThe53IsABug) {
  EXPECT_EQ(Json(kMaxJsonInteger).integer_value(), 9007199254740991);
  EXPECT_DEATH(Json(kMaxJsonInteger + 1), "9007199254740992");
  EXPECT_DEATH(Json(UINT64_MAX), "");
  EXPECT_DEATH((void)Json("x").integer_value(), "is_integer");
}

TEST(JsonParse, KeyThatStandsTwiceIsRefused) {
  const Error error = Refused("{\"a\": 1,\n \"a\": 2}");
  EXPECT_NE(error.message().find("the key `a` stands twice"), std::string::npos);
  ASSERT_TRUE(error.diagnostic().origin.has_value());
  EXPECT_EQ(error.diagnostic().origin->line, 2);
}

TEST(JsonParse, SameKeyInTwoObjectsIsFine) { Parsed(R"({"a":{"a":1},"b":{"a":2}})"); }

TEST(JsonParse, DepthOf64IsTheLimit) {
  EXPECT_TRUE(Json::Parse(std::string(64, '[') + std::string(64, ']')).ok());
  EXPECT_NE(Refused(std::string(65, '[') + std::string(65, ']')).message().find("64 levels"),
            std::string::npos);
  EXPECT_FALSE(Json::Parse(std::string(1'000'000, '[')).ok());
}

TEST(JsonParse, ErrorNamesLineAndColumn) {
  const Error error = Json::Parse("{\n  \"ü\": tru}", {.name = "p.json", .id = "P0308"}).error();
  ASSERT_TRUE(error.diagnostic().origin.has_value());
  EXPECT_EQ(error.id(), "P0308");
  EXPECT_EQ(error.diagnostic().origin->file, "p.json");
  EXPECT_EQ(error.diagnostic().origin->line, 2);
  EXPECT_EQ(error.diagnostic().origin->column, 11);
  EXPECT_EQ(error.diagnostic().origin->lines, std::vector<std::string>{"  \"ü\": tru}"});
}

TEST(JsonParse, InvalidUtf8IsRefused) {
  EXPECT_FALSE(Json::Parse("\"\xFF\"").ok());
  EXPECT_FALSE(Json::Parse("\"\xC0\xAF\"").ok());
  EXPECT_FALSE(Json::Parse("\"\xED\xA0\x80\"").ok());
  EXPECT_FALSE(Json::Parse(R"("\ud800")").ok());
}

TEST(JsonParse, WhatIsNoJsonIsRefused) {
  for (const char* text : {"", " ", "{", "[1,]", "{\"a\":1,}", "01", "NaN", "1e400", "'a'", "1 2",
                           "// c\n1", "[1]x", "\"\n\"", "+1"}) {
    EXPECT_FALSE(Json::Parse(text).ok());
  }
}

TEST(JsonParse, IntegersOutOfTheCommonRangeAreRefused) {
  EXPECT_EQ(Parsed("9007199254740991").integer_value(), kMaxJsonInteger);
  EXPECT_EQ(Parsed("-9007199254740991").integer_value(), -kMaxJsonInteger);
  EXPECT_FALSE(Json::Parse("9007199254740992").ok());
  EXPECT_FALSE(Json::Parse("-9007199254740992").ok());
  EXPECT_FALSE(Json::Parse("123456789012345678901234567890").ok());
}

TEST(JsonParse, FractionOrExponentMakesANumber) {
  EXPECT_FALSE(Parsed("1.0").is_integer());
  EXPECT_FALSE(Parsed("1e3").is_integer());
  EXPECT_EQ(Parsed("1e3").number_value(), 1000);
  EXPECT_TRUE(Parsed("-0").is_integer());
}

// RFC 8785, 3.2.2: the sample that exercises strings, numbers and order at once.
TEST(JsonCanonical, SampleOfTheRfc) {
  const Json json = Parsed(R"({
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  })");
  EXPECT_EQ(json.Canonical(),
            "{\"literals\":[null,true,false],"
            "\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
            "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
}

// RFC 8785, 3.2.3: keys sort by UTF-16 code units, so U+1F600 (D83D DE00) is before U+FB33.
TEST(JsonCanonical, KeysSortByUtf16) {
  const Json json = Parsed(R"({
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis"
  })");
  EXPECT_EQ(
      json.Canonical(),
      "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xC2\x80\":\"Control\","
      "\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\","
      "\"😀\":\"Emoji: Grinning Face\",\"\xEF\xAC\xB3\":\"Hebrew Letter Dalet With Dagesh\"}");
}

// RFC 8785, appendix B: IEEE 754 bits and what they print as.
TEST(JsonCanonical, NumbersOfTheRfc) {
  const std::vector<std::pair<uint64_t, const char*>> vectors = {
      {0x0000000000000000, "0"},
      {0x8000000000000000, "0"},
      {0x0000000000000001, "5e-324"},
      {0x8000000000000001, "-5e-324"},
      {0x7fefffffffffffff, "1.7976931348623157e+308"},
      {0xffefffffffffffff, "-1.7976931348623157e+308"},
      {0x4340000000000000, "9007199254740992"},
      {0xc340000000000000, "-9007199254740992"},
      {0x4430000000000000, "295147905179352830000"},
      {0x44b52d02c7e14af5, "9.999999999999997e+22"},
      {0x44b52d02c7e14af6, "1e+23"},
      {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
      {0x444b1ae4d6e2ef4e, "999999999999999700000"},
      {0x444b1ae4d6e2ef4f, "999999999999999900000"},
      {0x444b1ae4d6e2ef50, "1e+21"},
      {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
      {0x3eb0c6f7a0b5ed8d, "0.000001"},
      {0x41b3de4355555553, "333333333.3333332"},
      {0x41b3de4355555554, "333333333.33333325"},
      {0x41b3de4355555555, "333333333.3333333"},
      {0x41b3de4355555556, "333333333.3333334"},
      {0x41b3de4355555557, "333333333.33333343"},
      {0xbecbf647612f3696, "-0.0000033333333333333333"},
      {0x43143ff3c1cb0959, "1424953923781206.2"},
  };
  for (const auto& [bits, text] : vectors) {
    EXPECT_EQ(JsonNumber(std::bit_cast<double>(bits)), text) << std::hex << bits;
  }
}

TEST(JsonCanonical, ControlCharactersAreEscapedInLowerCase) {
  EXPECT_EQ(JsonText(std::string_view("\0\x1f\x7f\b\t\n\f\r/", 9)),
            "\"\\u0000\\u001f\x7f\\b\\t\\n\\f\\r/\"");
}

TEST(JsonCanonical, WhatIsPrintedReadsBackAsTheSame) {
  const Json json = Parsed(R"({"a":[1,2.5,-1e-9,"ü\u0001",{"b":null}],"c":true})");
  EXPECT_EQ(Parsed(json.Canonical()), json);
  EXPECT_EQ(Parsed(json.Compact()), json);
}

}  // namespace
}  // namespace retrofill
