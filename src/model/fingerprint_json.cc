#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/json.h"
#include "model/fingerprint.h"

namespace retrofill {
namespace {

constexpr int kVersion = 1;

// Writes one object, member by member in the order of their names, without a tree in between: a
// plan of many partitions prints each of them several times.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string* out) : out_(out) { out_->push_back('{'); }
  ~ObjectWriter() { out_->push_back('}'); }
  ObjectWriter(const ObjectWriter&) = delete;
  ObjectWriter& operator=(const ObjectWriter&) = delete;

  void Number(std::string_view name, int64_t value) {
    Name(name) += fmt::format_int(value).c_str();
  }
  void Text(std::string_view name, std::string_view text) { Name(name) += JsonText(text); }
  // The salt and the 128-bit sums are texts: JSON numbers end at 2^53.
  void Wide(std::string_view name, absl::int128 value) { Text(name, Int128Text(value)); }
  // The member's value is to be written to what is returned.
  std::string& Name(std::string_view name) {
    if (!is_first_) out_->push_back(',');
    is_first_ = false;
    *out_ += JsonText(name);
    out_->push_back(':');
    return *out_;
  }

 private:
  std::string* out_;
  bool is_first_ = true;
};

void WriteColumnPrint(const ColumnPrint& print, std::string* out) {
  ObjectWriter object(out);
  object.Wide("hash", print.hash);
  if (print.high) object.Text("hi", *print.high);
  if (print.positive_infinity != 0) object.Number("inf", print.positive_infinity);
  if (print.low) object.Text("lo", *print.low);
  if (print.nan != 0) object.Number("nan", print.nan);
  if (print.negative_infinity != 0) object.Number("ninf", print.negative_infinity);
}

void Write(const Fingerprint& f, std::string* out) {
  ObjectWriter object(out);
  object.Text("algo", f.algo);
  if (f.level >= 2) {
    ObjectWriter columns(&object.Name("cols"));
    for (const auto& [column, print] : f.column_prints) {
      WriteColumnPrint(print, &columns.Name(column));
    }
  }
  object.Text("columns", f.columns);
  if (f.distinct_keys) object.Number("distinct", *f.distinct_keys);
  object.Text("engine", f.engine);
  const bool has_sums = f.level >= 1;
  if (has_sums && f.high) object.Text("hi", *f.high);
  if (has_sums && f.key) object.Wide("key", *f.key);
  object.Number("level", f.level);
  if (has_sums && f.low) object.Text("lo", *f.low);
  object.Number("n", f.n);
  if (has_sums) {
    object.Number("n_hashed", f.n_hashed);
    {
      ObjectWriter counts(&object.Name("nn"));
      for (const auto& [column, count] : f.non_null) counts.Number(column, count);
    }
    object.Wide("row", f.row);
  }
  object.Text("salt", fmt::format_int(f.salt).c_str());
  object.Text("schema", f.schema);
  if (has_sums) {
    ObjectWriter sums(&object.Name("sums"));
    for (const auto& [column, sum] : f.sums) sums.Text(column, sum);
  }
  object.Number("v", kVersion);
}

// Absent members stay as they are; that a needed one was there shows when the result is printed.
void TakeInt128(const Json& json, std::string_view key, absl::int128* value) {
  const std::optional<std::string> text = json.FindText(key);
  const std::optional<absl::int128> number = text ? ParseInt128(*text) : std::nullopt;
  if (number) *value = *number;
}

void TakeCount(const Json& json, std::string_view key, int64_t* value) {
  *value = json.FindInteger(key).value_or(*value);
}

ColumnPrint ColumnPrintOf(const Json& json) {
  ColumnPrint print;
  TakeInt128(json, "hash", &print.hash);
  print.low = json.FindText("lo");
  print.high = json.FindText("hi");
  TakeCount(json, "nan", &print.nan);
  TakeCount(json, "inf", &print.positive_infinity);
  TakeCount(json, "ninf", &print.negative_infinity);
  return print;
}

Fingerprint FromJson(const Json& json) {
  Fingerprint f;
  f.algo = json.FindText("algo").value_or("");
  f.engine = json.FindText("engine").value_or("");
  absl::int128 salt = 0;
  TakeInt128(json, "salt", &salt);
  f.salt = static_cast<uint64_t>(salt);
  f.schema = json.FindText("schema").value_or("");
  f.columns = json.FindText("columns").value_or("");
  f.level = static_cast<int>(json.FindInteger("level").value_or(0));
  TakeCount(json, "n", &f.n);
  TakeCount(json, "n_hashed", &f.n_hashed);
  f.distinct_keys = json.FindInteger("distinct");
  TakeInt128(json, "row", &f.row);
  if (json.Has("key")) {
    f.key = 0;
    TakeInt128(json, "key", &*f.key);
  }
  f.low = json.FindText("lo");
  f.high = json.FindText("hi");
  if (const Json* counts = json.Find("nn"); counts != nullptr && counts->is_object()) {
    for (const auto& [column, count] : counts->members()) {
      if (count.is_integer()) f.non_null[column] = count.integer_value();
    }
  }
  if (const Json* sums = json.Find("sums"); sums != nullptr && sums->is_object()) {
    for (const auto& [column, sum] : sums->members()) {
      if (sum.is_text()) f.sums[column] = sum.text_value();
    }
  }
  if (const Json* columns = json.Find("cols"); columns != nullptr && columns->is_object()) {
    for (const auto& [column, print] : columns->members()) {
      f.column_prints[column] = ColumnPrintOf(print);
    }
  }
  return f;
}

}  // namespace

std::string FingerprintText(const Fingerprint& fingerprint) {
  std::string text;
  Write(fingerprint, &text);
  return text;
}

Result<Fingerprint> ParseFingerprint(std::string_view text) {
  RF_ASSIGN(const Json json, Json::Parse(text, {.name = "<fingerprint>"}));
  Fingerprint fingerprint = FromJson(json);
  // One comparison finds every missing, unknown or malformed member.
  if (FingerprintText(fingerprint) != text) {
    return Fail(ErrorCode::kInvalid, "C0103", "the text is not a stored fingerprint of version {}",
                kVersion)
        .Note(fmt::format("text: {}", text.substr(0, 200)));
  }
  return fingerprint;
}

}  // namespace retrofill
