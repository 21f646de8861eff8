// The JSON form of a baseline (docs/formats/journal.md).

#include <utility>

#include "base/json.h"
#include "engine/baseline.h"

namespace retrofill {
namespace {

const JsonSource kSource{.name = "baseline", .id = "W0201", .code = ErrorCode::kCorrupt};

Json FingerprintsJson(const std::map<std::string, Fingerprint>& fingerprints) {
  Json json = Json::Object();
  for (const auto& [part, fingerprint] : fingerprints) json[part] = FingerprintText(fingerprint);
  return json;
}

Result<std::map<std::string, Fingerprint>> ReadFingerprints(const Json& json, const char* key) {
  std::map<std::string, Fingerprint> fingerprints;
  RF_ASSIGN(Json::Members members, json.ObjectAt(key, kSource));
  for (const auto& [part, text] : members) {
    if (!text.is_text())
      return Fail(ErrorCode::kCorrupt, "W0201", "baseline of `{}` is not a text", part);
    RF_ASSIGN(fingerprints[part], ParseFingerprint(text.text_value()));
  }
  return fingerprints;
}

Result<Fingerprint> ReadOne(const Json& json, const char* key) {
  RF_ASSIGN(std::string text, json.Text(key, kSource));
  if (text.empty()) return Fingerprint{};
  return ParseFingerprint(text);
}

std::string OneText(const Fingerprint& fingerprint) {
  return fingerprint.n == 0 ? std::string() : FingerprintText(fingerprint);
}

Json CountsJson(const std::map<std::string, int64_t>& counts) {
  Json json = Json::Object();
  for (const auto& [name, count] : counts) json[name] = count;
  return json;
}

Result<std::map<std::string, int64_t>> ReadCounts(const Json& json, const char* key) {
  std::map<std::string, int64_t> counts;
  RF_ASSIGN(Json::Members members, json.ObjectAt(key, kSource));
  for (const auto& [name, count] : members) {
    if (count.is_integer()) counts[name] = count.integer_value();
  }
  return counts;
}

}  // namespace

Fingerprint Baseline::Of(const std::string& part) const {
  auto found = partitions.find(part);
  return found == partitions.end() ? Fingerprint{} : found->second;
}

Baseline MakeBaseline(const PartitionSpace& space, const Observation& seen) {
  Baseline baseline;
  for (const auto& [partition, fingerprint] : seen.live.partitions) {
    if (fingerprint.n > 0) baseline.partitions[space.IdentityText(partition)] = fingerprint;
  }
  for (const auto& [partition, fingerprint] : seen.live.others) {
    if (fingerprint.n > 0) baseline.others[space.IdentityText(partition)] = fingerprint;
  }
  baseline.null_rows = seen.live.null_rows;
  baseline.outside = seen.live.outside;
  baseline.source_unassigned = seen.source_unassigned;
  for (const auto& [partition, rows] : seen.source_rows) {
    baseline.source_rows[space.IdentityText(partition)] = rows;
  }
  return baseline;
}

std::string BaselineText(const Baseline& baseline) {
  Json unassigned = CountsJson(baseline.source_unassigned);
  return Json::Object({{"partitions", FingerprintsJson(baseline.partitions)},
                       {"others", FingerprintsJson(baseline.others)},
                       {"null_rows", OneText(baseline.null_rows)},
                       {"outside", OneText(baseline.outside)},
                       {"source_rows", CountsJson(baseline.source_rows)},
                       {"source_unassigned", unassigned}})
      .Compact();
}

Result<Baseline> ParseBaseline(std::string_view text) {
  RF_ASSIGN(Json json, Json::Parse(text, kSource));
  Baseline baseline;
  RF_ASSIGN(baseline.partitions, ReadFingerprints(json, "partitions"));
  RF_ASSIGN(baseline.others, ReadFingerprints(json, "others"));
  RF_ASSIGN(baseline.null_rows, ReadOne(json, "null_rows"));
  RF_ASSIGN(baseline.outside, ReadOne(json, "outside"));
  RF_ASSIGN(baseline.source_unassigned, ReadCounts(json, "source_unassigned"));
  RF_ASSIGN(baseline.source_rows, ReadCounts(json, "source_rows"));
  return baseline;
}

bool SameRows(const Fingerprint& before, const Fingerprint& now, std::string* note) {
  if (before.n == 0 && now.n == 0) return true;
  if (Compare(before, now) == Comparison::kEqual) return true;
  if (before.engine == now.engine || before.n == 0 || now.n == 0) return false;
  if (ComparePortable(before, now) != Comparison::kEqual) return false;
  if (note != nullptr)
    *note = fmt::format("compared by portable parts: {}, now {}", before.engine, now.engine);
  return true;
}

}  // namespace retrofill
