#pragma once

// Texts as people read and write them: words, counts, lengths of time, sizes, instants, UTF-8.

#include <absl/time/civil_time.h>
#include <absl/time/time.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace retrofill {

// Insertions, deletions, replacements and swaps of neighbours (bytes) that turn one into the other.
int EditDistance(std::string_view a, std::string_view b);

// The candidate closest to the word, for "did you mean": at distance 1 or 2 and nearer than the
// word is long; the first one of several. Nothing if none is.
std::optional<std::string> Nearest(std::string_view word, std::span<const std::string> candidates);

// Splits at each separator; an empty text is one empty part.
std::vector<std::string> Split(std::string_view text, char separator);
// Splits at newlines; a newline at the end starts no further line, `\r` before it is removed.
std::vector<std::string> Lines(std::string_view text);
std::string Join(std::span<const std::string> parts, std::string_view separator);
// Without blanks (space, tab, newline, return) at both ends. A view into the text.
std::string_view Trim(std::string_view text);
// ASCII letters only.
std::string Lower(std::string_view text);
bool IsDigits(std::string_view text);  // at least one, ASCII

// Valid UTF-8: no overlong forms, no surrogates, at most U+10FFFF.
bool IsUtf8(std::string_view text);
// The text with each invalid byte replaced by U+FFFD.
std::string ToUtf8(std::string_view text);
// Characters (code points) of a UTF-8 text; an invalid byte counts as one.
size_t CharacterCount(std::string_view text);

// Grouped by three with a space: `57 876`, `-1 000`.
std::string GroupDigits(int64_t count);
// `1 day`, `2 days`, `57 876 rows`: the count, grouped, and the word in the right number.
std::string Plural(int64_t count, std::string_view one, std::string_view many);

// A decimal integer without sign, `+`, blanks or leading text; nothing if it is none or too large.
std::optional<int64_t> ParseInteger(std::string_view text);

// Reads `90s`, `15min`, `2h`, `7d`, `500ms`: one number and one unit. kInvalid C0103; `m` is no
// unit and the error says so.
Result<absl::Duration> ParseDuration(std::string_view text);
// The shortest text that ParseDuration reads back, exact to the millisecond: `90s`, `15min`.
std::string DurationSetting(absl::Duration duration);
// For people, two units at most: `41 s`, `8 m`, `1 h 09 m`, `4 d 14 h`; below a second `189 ms`.
// Rounds to the nearest second, minute or hour shown.
std::string DurationText(absl::Duration duration);

// Reads `512B`, `16KiB`, `16MiB`, `400GiB`, `1TiB`, or a bare number of bytes. kInvalid C0103.
Result<int64_t> ParseByteSize(std::string_view text);
// For people: `697 MiB`, `1.4 GiB`, `512 B`. One decimal below 10 of a unit.
std::string ByteSizeText(int64_t bytes);

// Reads `5%`, `0.5%`, `100%` as a fraction from 0 to 1. kInvalid C0103.
Result<double> ParseShare(std::string_view text);

// RFC 3339 in UTC with `Z`: `2026-02-10T20:15:09Z`; with 3, 6 or 9 digits of a fraction if there is
// one. Years 0001 to 9999.
std::string FormatInstant(absl::Time instant);
// Always with three digits: `2026-02-10T20:15:09.120Z`.
std::string FormatInstantMillis(absl::Time instant);

// A date and time as written, before anyone decides in which zone an absent offset means.
struct DateTime {
  absl::CivilSecond civil;
  absl::Duration fraction;               // of the second, 0 or more
  std::optional<absl::Duration> offset;  // east of UTC
};

// Reads RFC 3339, also without offset, without seconds, or as a bare date (midnight):
// `2026-02-10T09:14:05.25+01:00`, `2026-02-10 09:14`, `2026-02-10`. kInvalid C0203.
Result<DateTime> ParseDateTime(std::string_view text);
// The same as an instant; without offset it is UTC. kInvalid C0203.
Result<absl::Time> ParseInstant(std::string_view text);

}  // namespace retrofill
