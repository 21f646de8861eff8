#include "engine/health.h"

#include <algorithm>

#include "base/json.h"
#include "base/text.h"

namespace retrofill {

std::string_view HealthText(Health health) {
  switch (health) {
    case Health::kOk:
      return "ok";
    case Health::kMissing:
      return "missing";
    case Health::kStale:
      return "stale";
    case Health::kChanged:
      return "changed";
    case Health::kFailed:
      return "failed";
    case Health::kUnknown:
      return "unknown";
  }
  return "unknown";
}

std::string PartitionHealth::Text() const {
  std::string text(HealthText(health));
  if (health == Health::kOk && empty) text += " (empty)";
  if (!reasons.empty()) text += ": " + Join(reasons, ", ");
  return text;
}

namespace {

// Rows against the ledger. Fingerprints of another engine version are judged by their portable
// parts.
enum class Agreement { kSame, kDifferent };

Agreement CompareWithLedger(const Fingerprint& live, const LedgerRow& row, std::string& note) {
  if (row.rows.value_or(0) == 0 && live.n == 0) return Agreement::kSame;
  Result<Fingerprint> recorded = ParseFingerprint(row.digest);
  if (!recorded.ok())
    return live.n == row.rows.value_or(0) ? Agreement::kSame : Agreement::kDifferent;
  if (Compare(*recorded, live) == Comparison::kEqual) return Agreement::kSame;
  if (recorded->engine == live.engine) return Agreement::kDifferent;
  if (ComparePortable(*recorded, live) != Comparison::kEqual) return Agreement::kDifferent;
  note = fmt::format("compared by portable parts: {}, now {}", recorded->engine, live.engine);
  return Agreement::kSame;
}

// What differs now from what the row says was read: tables of the project are `upstream`, the rest
// is `source`. Versions decide and not the time of a publish: equal rows that were published again
// make nothing stale. Of a source that no longer holds what was read nothing can be said.
struct Moved {
  bool upstream = false;
  bool source = false;
};

Moved FindMoved(const TableContext& context, const LedgerRow& row,
                const std::map<std::string, std::string>& now, bool expired) {
  Moved moved;
  Result<Json> body = Json::Parse(row.body);
  if (!body.ok()) return moved;
  const Json* inputs = body->Find("inputs");
  if (inputs == nullptr || !inputs->is_object()) return moved;
  for (const auto& [name, version] : inputs->members()) {
    auto found = now.find(name);
    if (found == now.end() || !version.is_text() ||
        SameVersion(version.text_value(), found->second))
      continue;
    const TransformInput* input = context.sides.Find(name);
    if (input != nullptr && input->table) {
      moved.upstream = true;
    } else if (!expired) {
      moved.source = true;
    }
  }
  return moved;
}

void JudgeRecorded(const TableContext& context, const HealthInputs& inputs, const LedgerRow& row,
                   const Fingerprint& live, PartitionHealth& health) {
  health.recorded = true;
  health.empty = live.n == 0;
  if (CompareWithLedger(live, row, health.note) == Agreement::kDifferent) {
    health.health = Health::kChanged;
    return;
  }
  if (row.code != context.digest) health.reasons.push_back("code");
  auto versions = inputs.seen->inputs.find(health.partition);
  if (versions != inputs.seen->inputs.end()) {
    const Moved moved = FindMoved(context, row, versions->second, health.blocked == "expired");
    if (moved.upstream) health.reasons.push_back("upstream");
    if (moved.source) health.reasons.push_back("source");
  }
  health.health = health.reasons.empty() ? Health::kOk : Health::kStale;
}

// An undo that put back rows of which nothing was known leaves them unknown.
bool RestoresUnknown(const LedgerRow& row) {
  if (row.undoes.empty()) return false;
  Result<Json> body = Json::Parse(row.body);
  return body.ok() && body->Has("restores");
}

}  // namespace

std::vector<PartitionHealth> JudgeHealth(const TableContext& context, const PartitionSet& set,
                                         const HealthInputs& inputs) {
  std::vector<PartitionHealth> all;
  for (const Partition& partition : set.Partitions(*context.space)) {
    std::string part = context.space->IdentityText(partition);
    PartitionHealth health;
    health.partition = partition;
    const Fingerprint& live = inputs.seen->live.partitions.at(partition);
    health.target_rows = live.n;
    auto source = inputs.seen->source_rows.find(partition);
    if (source != inputs.seen->source_rows.end()) health.source_rows = source->second;
    if (inputs.blocked != nullptr) {
      auto blocked = inputs.blocked->find(part);
      if (blocked != inputs.blocked->end()) health.blocked = blocked->second;
    }
    auto row = inputs.seen->ledger.find(part);
    if (inputs.unknown != nullptr && inputs.unknown->contains(part)) {
      health.health = Health::kUnknown;
    } else if (row != inputs.seen->ledger.end() && !RestoresUnknown(row->second)) {
      JudgeRecorded(context, inputs, row->second, live, health);
    } else if (live.n > 0) {
      health.health = Health::kUnknown;
    } else if (health.source_rows == 0) {
      health.health = Health::kOk;
      health.empty = true;
    } else {
      health.health = Health::kMissing;
    }
    bool tried = inputs.failed != nullptr && inputs.failed->contains(part);
    if (tried && health.health != Health::kUnknown && health.health != Health::kChanged &&
        health.health != Health::kOk) {
      health.health = Health::kFailed;
    }
    all.push_back(std::move(health));
  }
  return all;
}

}  // namespace retrofill
