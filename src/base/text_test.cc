#include "base/text.h"

#include <gtest/gtest.h>

namespace retrofill {
namespace {

TEST(EditDistance, CountsChangesAndSwaps) {
  EXPECT_EQ(EditDistance("lookback", "lookback"), 0);
  EXPECT_EQ(EditDistance("looback", "lookback"), 1);
  EXPECT_EQ(EditDistance("verfiy", "verify"), 1);
  EXPECT_EQ(EditDistance("", "abc"), 3);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3);
}

TEST(Nearest, SuggestsAtDistanceTwoOrLess) {
  const std::vector<std::string> keys = {"lookback", "interval", "rules", "id"};
  EXPECT_EQ(Nearest("looback", keys), "lookback");
  EXPECT_EQ(Nearest("intrvl", keys), "interval");
  EXPECT_EQ(Nearest("lkbk", keys), std::nullopt);
}

TEST(Nearest, SuggestsNothingThatSharesNoLetter) {
  const std::vector<std::string> keys = {"id"};
  EXPECT_EQ(Nearest("xy", keys), std::nullopt);
  EXPECT_EQ(Nearest("x", keys), std::nullopt);
}

TEST(Nearest, TakesTheCloserOne) {
  const std::vector<std::string> keys = {"sloths", "slots"};
  EXPECT_EQ(Nearest("slts", keys), "slots");
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(Split("a,,b,", ','), (std::vector<std::string>{"a", "", "b", ""}));
  EXPECT_EQ(Split("", ','), std::vector<std::string>{""});
}

TEST(Lines, LastNewlineStartsNoLine) {
  EXPECT_EQ(Lines("a\r\n\nb\n"), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_TRUE(Lines("").empty());
}

TEST(Words, AreJoinedTrimmedAndLowered) {
  const std::vector<std::string> parts = {"a", "b"};
  EXPECT_EQ(Join(parts, ", "), "a, b");
  EXPECT_EQ(Trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(Trim(" \n"), "");
  EXPECT_EQ(Lower("Ab-Z"), "ab-z");
}

TEST(Utf8, ValidTextsAreValid) {
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_TRUE(IsUtf8("aü€😀"));
  EXPECT_TRUE(IsUtf8("\xF4\x8F\xBF\xBF"));
}

TEST(Utf8, OverlongSurrogateBeyondAndCutAreInvalid) {
  for (const char* text : {"\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF",
                           "a\xE2\x82", "\x80", "\xF0\x80\x80\x80"}) {
    EXPECT_FALSE(IsUtf8(text));
    EXPECT_TRUE(IsUtf8(ToUtf8(text)));
  }
}

TEST(Utf8, CharactersAreCounted) {
  EXPECT_EQ(CharacterCount("aü€😀"), 4u);
  EXPECT_EQ(CharacterCount("a\xFF"), 2u);
}

TEST(GroupDigits, GroupsByThreeWithASpace) {
  EXPECT_EQ(GroupDigits(0), "0");
  EXPECT_EQ(GroupDigits(999), "999");
  EXPECT_EQ(GroupDigits(57876), "57 876");
  EXPECT_EQ(GroupDigits(-1000), "-1 000");
  EXPECT_EQ(GroupDigits(-999), "-999");
  EXPECT_EQ(GroupDigits(2194856559), "2 194 856 559");
}

TEST(Plural, OneIsSingular) {
  EXPECT_EQ(Plural(1, "row", "rows"), "1 row");
  EXPECT_EQ(Plural(0, "row", "rows"), "0 rows");
  EXPECT_EQ(Plural(1000, "row", "rows"), "1 000 rows");
}

TEST(ParseInteger, TakesDigitsOnly) {
  EXPECT_EQ(ParseInteger("007"), 7);
  EXPECT_EQ(ParseInteger("9223372036854775807"), INT64_MAX);
  for (const char* text : {"", "-1", "+1", " 1", "1x", "9223372036854775808"}) {
    EXPECT_EQ(ParseInteger(text), std::nullopt) << text;
  }
}

TEST(Duration, SettingsAreRead) {
  EXPECT_EQ(*ParseDuration("90s"), absl::Seconds(90));
  EXPECT_EQ(*ParseDuration("15min"), absl::Minutes(15));
  EXPECT_EQ(*ParseDuration("2h"), absl::Hours(2));
  EXPECT_EQ(*ParseDuration("7d"), absl::Hours(168));
  EXPECT_EQ(*ParseDuration("500ms"), absl::Milliseconds(500));
}

TEST(Duration, LetterMIsNoUnit) {
  const Error error = ParseDuration("15m").error();
  EXPECT_EQ(error.id(), "C0103");
  EXPECT_EQ(error.diagnostic().helps, std::vector<std::string>{"write `15min`"});
}

TEST(Duration, WhatIsNoneIsRefused) {
  for (const char* text :
       {"", "s", "90", "-1s", "1.5h", "1h30min", "1 h", "99999999999999999999s"}) {
    EXPECT_FALSE(ParseDuration(text).ok()) << text;
  }
}

TEST(Duration, SettingReadsBack) {
  for (const char* text : {"90s", "15min", "2h", "7d", "36h", "500ms", "0s", "1d"}) {
    EXPECT_EQ(DurationSetting(*ParseDuration(text)), text);
  }
}

TEST(Duration, TextHasTwoUnitsAtMost) {
  EXPECT_EQ(DurationText(absl::Milliseconds(189)), "189 ms");
  EXPECT_EQ(DurationText(absl::Seconds(41)), "41 s");
  EXPECT_EQ(DurationText(absl::Seconds(61)), "61 s");
  EXPECT_EQ(DurationText(absl::Minutes(8)), "8 m");
  EXPECT_EQ(DurationText(absl::Minutes(70)), "1 h 10 m");
  EXPECT_EQ(DurationText(absl::Minutes(69)), "1 h 09 m");
  EXPECT_EQ(DurationText(absl::Hours(110)), "4 d 14 h");
  EXPECT_EQ(DurationText(-absl::Seconds(3)), "-3 s");
}

TEST(Duration, TextIsRoundedWithoutOverflowingItsUnit) {
  EXPECT_EQ(DurationText(absl::Milliseconds(999.7)), "1 s");
  EXPECT_EQ(DurationText(absl::Seconds(59.6)), "1 m");
  EXPECT_EQ(DurationText(absl::Seconds(3599)), "1 h 00 m");
  EXPECT_EQ(DurationText(absl::Hours(24) - absl::Seconds(1)), "1 d 0 h");
}

TEST(ByteSize, IsReadAndPrinted) {
  EXPECT_EQ(*ParseByteSize("16MiB"), 16 << 20);
  EXPECT_EQ(*ParseByteSize("400GiB"), int64_t{400} << 30);
  EXPECT_EQ(*ParseByteSize("512"), 512);
  EXPECT_EQ(*ParseByteSize("512B"), 512);
  for (const char* text : {"", "16MB", "MiB", "-1B", "1.5GiB", "99999999TiB"}) {
    EXPECT_FALSE(ParseByteSize(text).ok()) << text;
  }
  EXPECT_EQ(ByteSizeText(697 << 20), "697 MiB");
  EXPECT_EQ(ByteSizeText((int64_t{3} << 30) / 2), "1.5 GiB");
  EXPECT_EQ(ByteSizeText(512), "512 B");
  EXPECT_EQ(ByteSizeText((1 << 20) - 1), "1.0 MiB");
}

TEST(Share, IsAPercentage) {
  EXPECT_EQ(*ParseShare("5%"), 0.05);
  EXPECT_EQ(*ParseShare("0.5%"), 0.005);
  EXPECT_EQ(*ParseShare("100%"), 1);
  for (const char* text : {"", "%", "5", "-5%", "101%", "5%%", "1e1%"}) {
    EXPECT_FALSE(ParseShare(text).ok()) << text;
  }
}

TEST(Instant, IsPrintedInUtc) {
  const absl::Time whole = absl::FromUnixSeconds(1770754509);
  EXPECT_EQ(FormatInstant(whole), "2026-02-10T20:15:09Z");
  EXPECT_EQ(FormatInstant(whole + absl::Milliseconds(120)), "2026-02-10T20:15:09.120Z");
  EXPECT_EQ(FormatInstant(whole + absl::Microseconds(7)), "2026-02-10T20:15:09.000007Z");
  EXPECT_EQ(FormatInstantMillis(whole), "2026-02-10T20:15:09.000Z");
  EXPECT_EQ(FormatInstantMillis(whole + absl::Microseconds(120'999)), "2026-02-10T20:15:09.120Z");
}

TEST(Instant, PrintedTextReadsBack) {
  for (const absl::Duration since : {absl::ZeroDuration(), absl::Nanoseconds(123'456'789),
                                     -absl::Seconds(86'400.5), absl::Hours(700'000)}) {
    const absl::Time instant = absl::UnixEpoch() + since;
    EXPECT_EQ(*ParseInstant(FormatInstant(instant)), instant);
  }
}

TEST(Instant, OffsetIsTakenOff) {
  EXPECT_EQ(*ParseInstant("2026-02-10T21:15:09+01:00"), absl::FromUnixSeconds(1770754509));
  EXPECT_EQ(*ParseInstant("2026-02-10T14:45:09-05:30"), absl::FromUnixSeconds(1770754509));
  EXPECT_EQ(*ParseInstant("2026-02-10T20:15:09"), absl::FromUnixSeconds(1770754509));
}

TEST(Instant, DateTimeKeepsWhetherThereWasAnOffset) {
  const DateTime without = *ParseDateTime("2026-02-10 09:14");
  EXPECT_EQ(without.civil, absl::CivilSecond(2026, 2, 10, 9, 14));
  EXPECT_FALSE(without.offset.has_value());
  EXPECT_EQ(ParseDateTime("2026-02-10T09:14-00:30")->offset, -absl::Minutes(30));
  EXPECT_EQ(ParseDateTime("2026-02-10")->civil, absl::CivilSecond(2026, 2, 10));
  EXPECT_EQ(ParseDateTime("2024-02-29T00:00:00.25")->fraction, absl::Milliseconds(250));
}

TEST(Instant, WhatIsNoneIsRefused) {
  for (const char* text :
       {"", "2026-02-30", "2026-13-01", "2026-2-1", "0000-01-01", "2026-02-10T", "2026-02-10T24:00",
        "2026-02-10T09:60", "2026-02-10T09:14:60", "2026-02-10T09:14:05.", "2026-02-10T09:14:05Zx",
        "2026-02-10T09:14:05+1", "2026-02-10T09:14:05+24:00", "2026-02-10Z", "tomorrow"}) {
    const Result<DateTime> parsed = ParseDateTime(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().id(), "C0203");
  }
}

}  // namespace
}  // namespace retrofill
