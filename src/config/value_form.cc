#include "config/value_form.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "base/zone.h"
#include "model/span.h"

namespace retrofill {
namespace {

constexpr size_t kMaxNameLength = 128;
constexpr size_t kMinReasonLength = 8;
constexpr size_t kMaxDimensionValueBytes = 256;
constexpr size_t kMaxDimensionValues = 1'000'000;
constexpr int64_t kMaxWholeNumber = 2'000'000'000;  // fits an int

std::optional<Decimal> ParseNotNegative(std::string_view text) {
  std::optional<Decimal> value = Decimal::Parse(text);
  if (value && value->negative()) return std::nullopt;
  return value;
}

bool IsPartitionName(std::string_view text) {
  return text.size() <= 32 && !text.empty() && text.front() >= '0' && text.front() <= '9' &&
         text.find_first_not_of("0123456789-+:TWQ") == std::string_view::npos;
}

bool IsWholeNumber(std::string_view text, int64_t least) {
  const std::optional<int64_t> number = ParseInteger(text);
  return number && *number >= least && *number <= kMaxWholeNumber;
}

Status FirstError(bool fits) {
  if (fits) return Ok();
  return Fail(ErrorCode::kInvalid, "C0103", "bad value");
}

template <typename T>
Status StatusOf(Result<T> result) {
  if (result.ok()) return Ok();
  return std::move(result).error();
}

// Whether the text has the form; an error with a message of its own says more than CheckForm would.
Status CheckScalar(const Key& key, const std::string& text) {
  switch (key.kind) {
    case KeyKind::kName:
      return FirstError(IsName(text));
    case KeyKind::kInteger:
      return FirstError(IsWholeNumber(text, 0));
    case KeyKind::kPositive:
      return FirstError(IsWholeNumber(text, 1));
    case KeyKind::kNumber:
      return FirstError(Decimal::Parse(text).has_value());
    case KeyKind::kBoolean:
      return FirstError(ParseBoolean(text).has_value());
    case KeyKind::kDuration:
      return StatusOf(ParseDuration(text));
    case KeyKind::kDurationRange:
      return FirstError(ParseDurationRange(text).has_value());
    case KeyKind::kDays:
      return FirstError(ParseWholeDays(text).has_value());
    case KeyKind::kSpan:
      return StatusOf(ParseSpan(text));
    case KeyKind::kSize:
      return StatusOf(ParseByteSize(text));
    case KeyKind::kMemory:
      return FirstError(IsMemoryText(text));
    case KeyKind::kShareOrCount:
      return FirstError(ParseFailureLimit(text).has_value());
    case KeyKind::kInstant:
      return FirstError(ParseInstant(text).ok());
    case KeyKind::kTime:
      return FirstError(IsPartitionName(text));
    case KeyKind::kZone:
      return StatusOf(Zone::Load(text));
    case KeyKind::kBatch:
      return FirstError(text == "auto" || IsWholeNumber(text, 1));
    case KeyKind::kReason:
      return FirstError(CharacterCount(Trim(text)) >= kMinReasonLength);
    case KeyKind::kChoice:
      return FirstError(std::ranges::count(Split(key.choices, '|'), text) > 0);
    case KeyKind::kText:
    case KeyKind::kSecret:
      return FirstError(!Trim(text).empty());
    case KeyKind::kGrain:  // the grid knows its grains
    case KeyKind::kAny:
    case KeyKind::kTolerance:
    case KeyKind::kMap:
    case KeyKind::kNamed:
    case KeyKind::kList:
    case KeyKind::kTexts:
    case KeyKind::kTextMap:
    case KeyKind::kDimension:
      return Ok();
  }
  return Ok();
}

class FormCheck {
 public:
  FormCheck(const Key& key, std::string_view path) : key_(key), path_(path) {}

  std::vector<FormProblem> Run(const YamlNode& node) {
    switch (key_.kind) {
      case KeyKind::kAny:
        break;
      case KeyKind::kMap:
      case KeyKind::kNamed:
        if (!node.is_map() && !node.is_null()) Wrong(node);
        break;
      case KeyKind::kList:
        if (!node.is_list() && !node.is_null()) Wrong(node);
        break;
      case KeyKind::kTexts:
        CheckTexts(node);
        break;
      case KeyKind::kTextMap:
        CheckTextMap(node);
        break;
      case KeyKind::kDimension:
        CheckDimension(node);
        break;
      case KeyKind::kTolerance:
        if (!ParseTolerance(node)) Wrong(node);
        break;
      case KeyKind::kText:
      case KeyKind::kName:
      case KeyKind::kInteger:
      case KeyKind::kPositive:
      case KeyKind::kNumber:
      case KeyKind::kBoolean:
      case KeyKind::kDuration:
      case KeyKind::kDurationRange:
      case KeyKind::kDays:
      case KeyKind::kSpan:
      case KeyKind::kSize:
      case KeyKind::kMemory:
      case KeyKind::kShareOrCount:
      case KeyKind::kInstant:
      case KeyKind::kTime:
      case KeyKind::kZone:
      case KeyKind::kGrain:
      case KeyKind::kChoice:
      case KeyKind::kBatch:
      case KeyKind::kReason:
      case KeyKind::kSecret:
        CheckOne(node);
        break;
    }
    return std::move(problems_);
  }

 private:
  void Wrong(const YamlNode& node, std::string label = {}) {
    std::string what = node.is_scalar() ? fmt::format("`{}` cannot be `{}`", path_, node.text)
                       : node.is_null() ? fmt::format("`{}` has no value", path_)
                       : node.is_list() ? fmt::format("`{}` cannot be a list", path_)
                                        : fmt::format("`{}` cannot be a map", path_);
    problems_.push_back({Error(ErrorCode::kInvalid, "C0103", std::move(what))
                             .Help(fmt::format("write {}", FormOf(key_))),
                         node.place, std::move(label)});
  }

  void CheckOne(const YamlNode& node) {
    if (!node.is_scalar()) return Wrong(node);
    const Status status = CheckScalar(key_, node.text);
    if (status.ok()) return;
    if (!status.error().diagnostic().helps.empty()) {
      // The parser of the value says exactly what is wrong with it.
      Error error(ErrorCode::kInvalid, "C0103",
                  fmt::format("`{}`: {}", path_, status.error().message()));
      for (const std::string& note : status.error().diagnostic().notes) {
        error = std::move(error).Note(note);
      }
      for (const std::string& help : status.error().diagnostic().helps) {
        error = std::move(error).Help(help);
      }
      problems_.push_back({std::move(error), node.place});
      return;
    }
    std::string label;
    if (key_.kind == KeyKind::kChoice) {
      const auto near = Nearest(node.text, Split(key_.choices, '|'));
      if (near) label = fmt::format("did you mean `{}`?", *near);
    }
    Wrong(node, std::move(label));
  }

  void CheckTexts(const YamlNode& node) {
    if (!node.is_list()) return Wrong(node);
    for (const YamlNode& item : node.items) {
      if (!item.is_scalar() || item.text.empty()) Wrong(item);
    }
  }

  void CheckTextMap(const YamlNode& node) {
    if (node.is_null()) return;
    if (!node.is_map()) return Wrong(node);
    for (const YamlEntry& entry : node.entries) {
      if (!entry.value.is_scalar() || entry.value.text.empty()) Wrong(entry.value);
    }
  }

  void CheckDimension(const YamlNode& node) {
    if (node.is_map()) return;  // a query: its keys are checked as such
    if (!node.is_list() || node.items.empty()) return Wrong(node);
    if (node.items.size() > kMaxDimensionValues) {
      return Bad(node, fmt::format("`{}` has more than 1 000 000 values", path_), "list fewer");
    }
    std::set<std::optional<std::string>> seen;
    for (const YamlNode& item : node.items) CheckDimensionValue(item, seen);
  }

  void CheckDimensionValue(const YamlNode& item, std::set<std::optional<std::string>>& seen) {
    if (!item.is_scalar() && !item.is_null()) return Wrong(item);
    std::optional<std::string> value;
    if (item.is_scalar()) value = item.text;
    if (value && !item.quoted) {
      if (const auto type = YamlTypeOf(*value)) return YamlTyped(item, *type);
    }
    if (value && value->size() > kMaxDimensionValueBytes) {
      return Bad(item, fmt::format("a value of `{}` is longer than 256 bytes", path_),
                 "list shorter values");
    }
    if (!seen.insert(value).second) {
      Bad(item, fmt::format("`{}` lists `{}` twice", path_, value.value_or("null")),
          "list each value once");
    }
  }

  void YamlTyped(const YamlNode& item, std::string_view type) {
    const bool number = type == "a number";
    problems_.push_back({Fail(ErrorCode::kInvalid, "C0104", "dimension value `{}` is a {} in YAML",
                              item.text, number ? "number" : "boolean")
                             .Help(fmt::format("write \"{}\"", item.text)),
                         item.place, fmt::format("YAML 1.1 reads this as {}", type)});
  }

  void Bad(const YamlNode& node, std::string message, std::string help) {
    problems_.push_back(
        {Error(ErrorCode::kInvalid, "C0103", std::move(message)).Help(std::move(help)),
         node.place});
  }

  const Key& key_;
  std::string_view path_;
  std::vector<FormProblem> problems_;
};

}  // namespace

std::vector<FormProblem> CheckForm(const Key& key, std::string_view path, const YamlNode& node) {
  return FormCheck(key, path).Run(node);
}

std::optional<bool> ParseBoolean(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return std::nullopt;
}

std::optional<DurationRange> ParseDurationRange(std::string_view text) {
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const Result<absl::Duration> min = ParseDuration(text.substr(0, dots));
  const Result<absl::Duration> max = ParseDuration(text.substr(dots + 2));
  if (!min.ok() || !max.ok() || *max < *min) return std::nullopt;
  return DurationRange{.min = *min, .max = *max};
}

std::optional<int> ParseWholeDays(std::string_view text) {
  if (!text.ends_with("d")) return std::nullopt;
  const std::optional<int64_t> days = ParseInteger(text.substr(0, text.size() - 1));
  if (!days || *days < 1 || *days > 365'000) return std::nullopt;
  return static_cast<int>(*days);
}

std::optional<FailureLimit> ParseFailureLimit(std::string_view text) {
  FailureLimit limit;
  if (text.ends_with("%")) {
    const Result<double> share = ParseShare(text);
    if (!share.ok()) return std::nullopt;
    limit.share = *share;
    return limit;
  }
  if (!IsWholeNumber(text, 0)) return std::nullopt;
  limit.count = ParseInteger(text);
  return limit;
}

std::optional<Decimal> ParseDecimalShare(std::string_view text) {
  if (!text.ends_with("%")) return std::nullopt;
  const std::optional<Decimal> percent = ParseNotNegative(text.substr(0, text.size() - 1));
  const std::optional<Decimal> hundredth = Decimal::Parse("0.01");
  if (!percent || !hundredth) return std::nullopt;
  return *percent * *hundredth;
}

std::optional<Tolerance> ParseTolerance(const YamlNode& node) {
  Tolerance tolerance;
  if (node.is_scalar()) {
    const bool share = node.text.ends_with("%");
    const auto value = share ? ParseDecimalShare(node.text) : ParseNotNegative(node.text);
    if (!value) return std::nullopt;
    (share ? tolerance.rel : tolerance.abs) = *value;
    return tolerance;
  }
  if (!node.is_map() || node.entries.empty()) return std::nullopt;
  for (const YamlEntry& entry : node.entries) {
    if (!entry.value.is_scalar()) return std::nullopt;
    if (entry.key != "abs" && entry.key != "rel") return std::nullopt;
    const bool share = entry.key == "rel";
    const auto value =
        share ? ParseDecimalShare(entry.value.text) : ParseNotNegative(entry.value.text);
    if (!value) return std::nullopt;
    (share ? tolerance.rel : tolerance.abs) = *value;
  }
  return tolerance;
}

bool IsMemoryText(std::string_view text) {
  const size_t digits = text.find_first_not_of("0123456789.");
  if (digits == 0 || digits == std::string_view::npos) return false;
  if (!ParseNotNegative(text.substr(0, digits))) return false;
  const std::string unit = Lower(Trim(text.substr(digits)));
  for (const std::string_view known : {"kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib"}) {
    if (unit == known) return true;
  }
  return false;
}

bool IsName(std::string_view text) {
  if (text.empty() || text.size() > kMaxNameLength) return false;
  const auto letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return letter_or_digit(text.front()) && std::ranges::all_of(text, [&](char c) {
           return letter_or_digit(c) || c == '-' || c == '.';
         });
}

}  // namespace retrofill
