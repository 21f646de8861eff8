// The JSON bodies of events (docs/formats/journal.md). Each event lists its fields once; a writer
// and a reader visit the list.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "model/event.h"

namespace retrofill {
namespace {

template <typename V>
void Fields(V& visit, CheckResult& e) {
  visit("name", e.name);
  visit("verdict", e.verdict);
  visit("id", e.id);
  visit("source", e.source);
  visit("before", e.before);
  visit("target", e.target);
  visit("delta", e.delta);
  visit("note", e.note);
  visit("partitions", e.partitions);
  visit("failed", e.failed);
  visit("worst", e.worst);
  visit("warn_only", e.warn_only);
}
template <typename V>
void Fields(V& visit, UnitPart& e) {
  visit("part", e.part);
  visit("epoch", e.epoch);
}
template <typename V>
void Fields(V& visit, PlanCreated& e) {
  visit("plan", e.plan);
  visit("table", e.table);
  visit("undoes", e.undoes);
  visit("undoes_backfill", e.undoes_backfill);
}
template <typename V>
void Fields(V& visit, ConsentGiven& e) {
  visit("what", e.what);
}
template <typename V>
void Fields(V& visit, ProofRecorded& e) {
  visit("passed", e.passed);
  visit("certificate", e.certificate);
  visit("batch_proven", e.batch_proven);
  visit("summary", e.summary);
}
template <typename V>
void Fields(V& visit, ProofOverridden& e) {
  visit("reason", e.reason);
}
template <typename V>
void Fields(V& visit, CanarySkipped& e) {
  visit("reason", e.reason);
}
template <typename V>
void Fields(V& visit, CanaryRecorded& e) {
  visit("passed", e.passed);
  visit("part", e.part);
}
template <typename V>
void Fields(V& visit, SessionStarted& e) {
  visit("owner", e.owner);
  visit("slots", e.slots);
}
template <typename V>
void Fields(V& visit, Registered& e) {
  visit("plan_no", e.plan_no);
}
template <typename V>
void Fields(V& visit, UnitStarted& e) {
  visit("unit", e.unit);
  visit("epoch", e.epoch);
  visit("parts", e.parts);
}
template <typename V>
void Fields(V& visit, PartitionStaged& e) {
  visit("partition", e.part);
  visit("unit", e.unit);
  visit("epoch", e.epoch);
  visit("attempt", e.attempt);
  visit("rows", e.rows);
  visit("source_rows", e.source_rows);
  visit("confirmed_empty", e.confirmed_empty);
  visit("milliseconds", e.milliseconds);
  visit("digest", e.digest);
  visit("inputs", e.inputs);
  visit("checks", e.checks);
}
template <typename V>
void Fields(V& visit, StageLost& e) {
  visit("parts", e.parts);
  visit("why", e.why);
}
template <typename V>
void Fields(V& visit, PartitionFailed& e) {
  visit("partition", e.part);
  visit("attempt", e.attempt);
  visit("final", e.final);
  visit("not_before", e.not_before);
  visit("id", e.id);
  visit("message", e.message);
  visit("checks", e.checks);
}
template <typename V>
void Fields(V& visit, PartitionBlocked& e) {
  visit("partition", e.part);
  visit("why", e.why);
}
template <typename V>
void Fields(V& visit, RangeVerified& e) {
  visit("checks", e.checks);
}
template <typename V>
void Fields(V& visit, PublishIntended& e) {
  visit("parts", e.parts);
}
template <typename V>
void Fields(V& visit, CommitAnnounced& e) {
  visit("transaction", e.transaction);
}
template <typename V>
void Fields(V& visit, OutcomeUnknown& e) {
  visit("parts", e.parts);
  visit("message", e.message);
}
template <typename V>
void Fields(V& visit, OutcomeNotPublished& e) {
  visit("parts", e.parts);
}
template <typename V>
void Fields(V& visit, PartitionPublished& e) {
  visit("partition", e.part);
  visit("epoch", e.epoch);
  visit("rows", e.rows);
  visit("adopted", e.adopted);
}
template <typename V>
void Fields(V& visit, RangePublished& e) {
  visit("milliseconds", e.milliseconds);
  visit("undo_until", e.undo_until);
}
template <typename V>
void Fields(V& visit, BackfillDone& e) {
  visit("checks", e.checks);
}
template <typename V>
void Fields(V& visit, AttentionNeeded& e) {
  visit("id", e.id);
  visit("message", e.message);
  visit("next", e.next);
}
template <typename V>
void Fields(V& visit, BackfillPaused& e) {
  visit("reason", e.reason);
}
template <typename V>
void Fields(V& visit, BackfillCancelled& e) {
  visit("reason", e.reason);
}
template <typename V>
void Fields(V& visit, PartitionsUndone& e) {
  visit("by", e.by);
  visit("parts", e.parts);
}
template <typename V>
void Fields(V& visit, PauseRequested& e) {
  visit("reason", e.reason);
}
template <typename V>
void Fields(V& visit, CancelRequested& e) {
  visit("reason", e.reason);
}
template <typename V>
void Fields(V& visit, RetryRequested& e) {
  visit("parts", e.parts);
}

// In the order of EventBody.
constexpr std::array<std::string_view, std::variant_size_v<EventBody>> kTypes = {
    "plan.created",        "consent.given",           "proof.recorded",
    "proof.overridden",    "canary.skipped",          "canary.recorded",
    "backfill.started",    "backfill.registered",     "unit.started",
    "partition.staged",    "partition.stage_lost",    "partition.failed",
    "partition.blocked",   "backfill.verified",       "publish.intended",
    "publish.announced",   "partition.indeterminate", "partition.not_published",
    "partition.published", "backfill.published",      "backfill.done",
    "backfill.attention",  "backfill.paused",         "backfill.cancelled",
    "backfill.undone",     "request.pause",           "request.cancel",
    "request.retry"};

// Fields that hold their default are left out; the others are in the order of their names. A tree
// in between would cost more than the rest of an append.
class Writer {
 public:
  void operator()(const char* key, const std::string& value) {
    if (!value.empty()) members_.emplace_back(key, JsonText(value));
  }
  void operator()(const char* key, int64_t value) {
    if (value != 0) members_.emplace_back(key, fmt::format_int(value).str());
  }
  void operator()(const char* key, int value) { (*this)(key, int64_t{value}); }
  void operator()(const char* key, bool value) {
    if (value) members_.emplace_back(key, "true");
  }
  void operator()(const char* key, Verdict value) {
    members_.emplace_back(key, JsonText(VerdictText(value)));
  }
  void operator()(const char* key, absl::Time value) {
    if (value != absl::Time() && value != absl::InfinitePast())
      members_.emplace_back(key, JsonText(FormatInstantMillis(value)));
  }
  void operator()(const char* key, const std::map<std::string, std::string>& value) {
    if (value.empty()) return;
    std::vector<std::string> members;
    for (const auto& [name, text] : value) members.push_back(JsonText(name) + ":" + JsonText(text));
    members_.emplace_back(key, "{" + Join(members, ",") + "}");
  }
  template <typename T>
  void operator()(const char* key, const std::vector<T>& values) {
    if (values.empty()) return;
    std::string items;
    for (const T& value : values) {
      if (!items.empty()) items.push_back(',');
      if constexpr (std::is_same_v<T, std::string>) {
        items += JsonText(value);
      } else {
        Writer inner;
        Fields(inner, const_cast<T&>(value));  // one field list serves reader and writer
        items += inner.Text();
      }
    }
    members_.emplace_back(key, "[" + items + "]");
  }

  std::string Text() {
    std::sort(members_.begin(), members_.end());
    std::string text = "{";
    for (const auto& [key, value] : members_) {
      if (text.size() > 1) text.push_back(',');
      text.append("\"").append(key).append("\":").append(value);
    }
    return text + "}";
  }

 private:
  std::vector<std::pair<std::string_view, std::string>> members_;  // values as JSON
};

const JsonSource kSource{.name = "journal", .id = "W0201", .code = ErrorCode::kCorrupt};

struct Reader {
  const Json& json;
  std::optional<Error> error;

  void Bad(const char* key) {
    if (!error)
      error = Fail(ErrorCode::kCorrupt, "W0201",
                   "field `{}` of a journal record is of the wrong kind", key);
  }
  void operator()(const char* key, std::string& value) {
    const Json* found = json.Find(key);
    if (found == nullptr) return;
    if (!found->is_text()) return Bad(key);
    value = found->text_value();
  }
  void operator()(const char* key, int64_t& value) {
    const Json* found = json.Find(key);
    if (found == nullptr) {
      value = 0;
    } else if (found->is_integer()) {
      value = found->integer_value();
    } else {
      Bad(key);
    }
  }
  void operator()(const char* key, int& value) {
    int64_t wide = 0;
    (*this)(key, wide);
    value = static_cast<int>(wide);
  }
  void operator()(const char* key, bool& value) { value = json.FindBool(key).value_or(false); }
  void operator()(const char* key, Verdict& value) {
    std::string text = json.FindText(key).value_or("");
    value = text == "ok"       ? Verdict::kOk
            : text == "failed" ? Verdict::kFailed
                               : Verdict::kIndeterminate;
  }
  void operator()(const char* key, absl::Time& value) {
    std::optional<std::string> text = json.FindText(key);
    if (!text) return;
    Result<absl::Time> instant = ParseInstant(*text);
    if (!instant.ok()) return Bad(key);
    value = *instant;
  }
  void operator()(const char* key, std::map<std::string, std::string>& value) {
    const Json* found = json.Find(key);
    if (found == nullptr) return;
    if (!found->is_object()) return Bad(key);
    for (const auto& [name, text] : found->members()) {
      if (!text.is_text()) return Bad(key);
      value[name] = text.text_value();
    }
  }
  template <typename T>
  void operator()(const char* key, std::vector<T>& values) {
    const Json* found = json.Find(key);
    if (found == nullptr) return;
    if (!found->is_array()) return Bad(key);
    for (const Json& item : found->items()) {
      if constexpr (std::is_same_v<T, std::string>) {
        if (!item.is_text()) return Bad(key);
        values.push_back(item.text_value());
      } else {
        T value;
        Reader inner{item, std::nullopt};
        Fields(inner, value);
        if (inner.error) return Bad(key);
        values.push_back(std::move(value));
      }
    }
  }
};

template <size_t I = 0>
Result<std::optional<EventBody>> Read(size_t which, const Json& json) {
  if constexpr (I == std::variant_size_v<EventBody>) {
    return std::optional<EventBody>();
  } else {
    if (which != I) return Read<I + 1>(which, json);
    std::variant_alternative_t<I, EventBody> value;
    Reader reader{json, std::nullopt};
    Fields(reader, value);
    if (reader.error) return *std::move(reader.error);
    return std::optional<EventBody>(EventBody(std::in_place_index<I>, std::move(value)));
  }
}

}  // namespace

std::string_view EventType(const EventBody& body) { return kTypes[body.index()]; }

std::string EventText(const EventBody& body) {
  Writer writer;
  std::visit(
      [&](const auto& e) { Fields(writer, const_cast<std::remove_cvref_t<decltype(e)>&>(e)); },
      body);
  return writer.Text();
}

Result<std::optional<EventBody>> ParseEvent(std::string_view type, std::string_view text) {
  for (size_t which = 0; which < kTypes.size(); ++which) {
    if (kTypes[which] != type) continue;
    RF_ASSIGN(Json json, Json::Parse(text, kSource));
    return Read(which, json);
  }
  return std::optional<EventBody>();
}

}  // namespace retrofill
