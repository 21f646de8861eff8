#include "model/cron.h"

#include <array>
#include <optional>
#include <span>

#include "base/text.h"

namespace retrofill {
namespace {

constexpr size_t kMaxLine = 256;
constexpr std::string_view kForm =
    "write five fields: minute, hour, day of month, month, day of week, such as `0 8 1 * *`";

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kWeekdays = {"sun", "mon", "tue", "wed",
                                                       "thu", "fri", "sat"};

// What a field of the line may hold.
struct Field {
  std::string_view name;
  int least;
  int most;
  std::span<const std::string_view> names;  // of `least` and the numbers after it
};
constexpr Field kMinute{"minute", 0, 59, {}};
constexpr Field kHour{"hour", 0, 23, {}};
constexpr Field kDay{"day of month", 1, 31, {}};
constexpr Field kMonth{"month", 1, 12, kMonths};
constexpr Field kWeekday{"day of week", 0, 7, kWeekdays};

std::vector<std::string> Words(std::string_view line) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : line) {
    const bool blank = c == ' ' || c == '\t';
    if (!blank && !inside) words.emplace_back();
    if (!blank) words.back().push_back(c);
    inside = !blank;
  }
  return words;
}

std::optional<int> ReadNumber(std::string_view text) {
  if (text.empty() || text.size() > 4) return std::nullopt;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

// Reads one field into a bit a number.
class FieldReader {
 public:
  FieldReader(std::string_view line, const Field& field, std::string_view text)
      : line_(line), field_(field), text_(text) {}

  Result<uint64_t> Read() {
    uint64_t bits = 0;
    for (const std::string& item : Split(text_, ',')) {
      if (&field_ == &kDay && Lower(item) == "l") {
        last_day_ = true;
        continue;
      }
      RF_ASSIGN(const uint64_t more, Item(item));
      bits |= more;
    }
    return bits;
  }
  bool last_day() const { return last_day_; }

 private:
  Result<uint64_t> Item(std::string_view item) const {
    const size_t slash = item.find('/');
    const std::string_view range = item.substr(0, slash);
    const size_t dash = range.find('-');
    int first = field_.least;
    int last = field_.most;
    if (range != "*") {
      RF_ASSIGN(first, Value(range.substr(0, dash)));
      if (dash != std::string_view::npos) {
        RF_ASSIGN(last, Value(range.substr(dash + 1)));
      } else if (slash == std::string_view::npos) {
        last = first;
      }
    } else if (&field_ == &kWeekday) {
      last = 6;  // 0 and 7 are both Sunday: a step over all days must not count it twice
    }
    if (last < first) {
      return Wrong(fmt::format("`{}` runs backwards", range))
          .Help(fmt::format("write two ranges: `{}-{},{}-{}`", first, field_.most, field_.least,
                            last));
    }
    int step = 1;
    if (slash != std::string_view::npos) {
      const std::optional<int> read = ReadNumber(item.substr(slash + 1));
      if (!read || *read < 1 || *read > field_.most) {
        return Wrong(fmt::format("`{}` is not a step", item.substr(slash + 1)))
            .Help(fmt::format("a step is a number from 1 to {}", field_.most));
      }
      step = *read;
    }
    uint64_t bits = 0;
    for (int value = first; value <= last; value += step) bits |= uint64_t{1} << value;
    return bits;
  }

  Result<int> Value(std::string_view text) const {
    const std::string lower = Lower(text);
    for (size_t i = 0; i < field_.names.size(); ++i) {
      if (field_.names[i] == lower) return field_.least + static_cast<int>(i);
    }
    const std::optional<int> value = ReadNumber(text);
    if (!value || *value < field_.least || *value > field_.most) {
      return Wrong(fmt::format("`{}` is not a {}", text, field_.name))
          .Help(fmt::format(
              "a {} is `*`{}, a number from {} to {}{}, a range `a-b`, a step `*/n`, "
              "or a list of them",
              field_.name, &field_ == &kDay ? ", `L` for the last one" : "", field_.least,
              field_.most,
              field_.names.empty()
                  ? ""
                  : fmt::format(" or `{}` to `{}`", field_.names.front(), field_.names.back())));
    }
    return *value;
  }

  Error Wrong(std::string what) const {
    return Fail(ErrorCode::kInvalid, "C0103", "cron line `{}`: {}", line_, what);
  }

  std::string_view line_;
  const Field& field_;
  std::string_view text_;
  bool last_day_ = false;
};

absl::CivilDay LastOfMonth(absl::CivilDay day) {
  return absl::CivilDay(absl::CivilMonth(day) + 1) - 1;
}

int WeekdayNumber(absl::CivilDay day) {
  // 1970-01-04 is a Sunday.
  const int64_t days = (day - absl::CivilDay(1970, 1, 4)) % 7;
  return static_cast<int>(days < 0 ? days + 7 : days);
}

Error WrongFields(std::string_view line, size_t count) {
  Error error = Fail(ErrorCode::kInvalid, "C0103", "cron line `{}` has {} fields", line, count);
  if (count == 6) {
    error = Error(std::move(error).Note(
        "programs that know seconds do not agree on whether they stand first or last, and no "
        "partition is shorter than a minute"));
  }
  return std::move(error).Help(std::string(kForm));
}

}  // namespace

Result<Cron> Cron::Parse(std::string_view line) {
  if (line.size() > kMaxLine) {
    return Fail(ErrorCode::kInvalid, "C0103", "a cron line of {} bytes is too long", line.size())
        .Help(std::string(kForm));
  }
  const std::vector<std::string> words = Words(line);
  if (words.size() != 5) return WrongFields(line, words.size());
  Cron cron;
  cron.text_ = Join(words, " ");
  RF_ASSIGN(const uint64_t minutes, FieldReader(line, kMinute, words[0]).Read());
  RF_ASSIGN(const uint64_t hours, FieldReader(line, kHour, words[1]).Read());
  FieldReader days(line, kDay, words[2]);
  RF_ASSIGN(cron.days_, days.Read());
  cron.last_day_ = days.last_day();
  RF_ASSIGN(cron.months_, FieldReader(line, kMonth, words[3]).Read());
  RF_ASSIGN(cron.weekdays_, FieldReader(line, kWeekday, words[4]).Read());
  if ((cron.weekdays_ >> 7U & 1U) != 0) cron.weekdays_ |= 1U;
  cron.either_day_ = words[2].front() != '*' && words[4].front() != '*';
  for (int minute = 0; minute < 24 * 60; ++minute) {
    const bool named = (hours >> (minute / 60) & minutes >> (minute % 60) & 1U) != 0;
    if (named) cron.minutes_.push_back(minute);
  }
  if (!cron.NamesAnyDay()) {
    return Fail(ErrorCode::kInvalid, "C0103", "cron line `{}` names no date that exists", line)
        .Help("name a day that one of its months has, or `L` for the last day of each");
  }
  return cron;
}

bool Cron::Names(absl::CivilDay day) const {
  if ((months_ >> day.month() & 1U) == 0) return false;
  const bool weekday = (weekdays_ >> WeekdayNumber(day) & 1U) != 0;
  const bool date =
      (days_ >> day.day() & 1U) != 0 || (last_day_ && day.day() == LastOfMonth(day).day());
  return either_day_ ? weekday || date : weekday && date;
}

bool Cron::NamesAnyDay() const {
  // 29 February is on each day of the week within 28 years.
  for (absl::CivilDay day(2001, 1, 1); day.year() < 2030; ++day) {
    if (Names(day)) return true;
  }
  return false;
}

}  // namespace retrofill
