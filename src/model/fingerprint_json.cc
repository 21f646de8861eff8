#include <utility>

#include "base/json.h"
#include "model/fingerprint.h"

namespace retrofill {
namespace {

constexpr int kVersion = 1;

void PutText(Json* object, std::string_view key, const std::optional<std::string>& text) {
  if (text) (*object)[key] = *text;
}

Json ColumnPrintJson(const ColumnPrint& print) {
  Json json = Json::Object({{"hash", Int128Text(print.hash)}});
  PutText(&json, "lo", print.low);
  PutText(&json, "hi", print.high);
  if (print.nan != 0) json["nan"] = print.nan;
  if (print.positive_infinity != 0) json["inf"] = print.positive_infinity;
  if (print.negative_infinity != 0) json["ninf"] = print.negative_infinity;
  return json;
}

Json ToJson(const Fingerprint& f) {
  // The salt and the 128-bit sums are texts: JSON numbers end at 2^53.
  Json json = Json::Object({{"v", kVersion},
                            {"algo", f.algo},
                            {"engine", f.engine},
                            {"salt", fmt::format("{}", f.salt)},
                            {"schema", f.schema},
                            {"columns", f.columns},
                            {"level", f.level},
                            {"n", f.n}});
  if (f.distinct_keys) json["distinct"] = *f.distinct_keys;
  if (f.level == 0) return json;
  json["n_hashed"] = f.n_hashed;
  json["row"] = Int128Text(f.row);
  if (f.key) json["key"] = Int128Text(*f.key);
  json["nn"] = Json::Object();
  for (const auto& [column, count] : f.non_null) json["nn"][column] = count;
  json["sums"] = Json::Object();
  for (const auto& [column, sum] : f.sums) json["sums"][column] = sum;
  PutText(&json, "lo", f.low);
  PutText(&json, "hi", f.high);
  if (f.level < 2) return json;
  json["cols"] = Json::Object();
  for (const auto& [column, print] : f.column_prints) json["cols"][column] = ColumnPrintJson(print);
  return json;
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
  return ToJson(fingerprint).Compact();
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
