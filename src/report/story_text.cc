#include "report/story_text.h"

#include <optional>

#include "base/text.h"
#include "report/backfill_json.h"
#include "report/checks_text.h"
#include "report/plan_text.h"
#include "report/printable.h"
#include "report/second_text.h"
#include "report/status_text.h"
#include "report/text_table.h"

namespace retrofill {
namespace {

constexpr size_t kFailuresShown = 50;

std::string KeyOf(const BackfillState& state, const std::string& part) {
  const auto found = state.index.find(part);
  if (found == state.index.end()) return part;
  return state.plan->space->KeyText(state.partitions[found->second].partition);
}

Json BodyJson(const Event& event) {
  Result<Json> body = Json::Parse(EventText(event.body));
  return body.ok() ? std::move(body).value() : Json::Object();
}

// What an event says beside its type, short.
struct DetailOf {
  const BackfillState& state;

  std::string Parts(size_t count) const {
    return Plural(static_cast<int64_t>(count), "partition", "partitions");
  }
  std::string operator()(const PlanCreated& e) const { return "plan " + e.plan.substr(0, 8); }
  std::string operator()(const ConsentGiven& e) const { return e.what; }
  std::string operator()(const ProofRecorded& e) const { return e.certificate + " " + e.summary; }
  std::string operator()(const ProofOverridden& e) const { return e.reason; }
  std::string operator()(const CanarySkipped& e) const { return e.reason; }
  std::string operator()(const CanaryRecorded& e) const { return KeyOf(state, e.part); }
  std::string operator()(const SessionStarted& e) const {
    return fmt::format("{} slots={}", e.owner, e.slots);
  }
  std::string operator()(const Registered& e) const { return fmt::format("plan_no={}", e.plan_no); }
  std::string operator()(const UnitStarted& e) const {
    return fmt::format("unit={} {}", e.unit, Parts(e.parts.size()));
  }
  std::string operator()(const PartitionStaged& e) const {
    return fmt::format("{} rows={} attempt={}", KeyOf(state, e.part), e.rows, e.attempt);
  }
  std::string operator()(const StageLost& e) const { return Parts(e.parts.size()) + ": " + e.why; }
  std::string operator()(const PartitionFailed& e) const {
    return fmt::format("{} attempt={} {} {}", KeyOf(state, e.part), e.attempt, e.id, e.message);
  }
  std::string operator()(const PartitionBlocked& e) const {
    return KeyOf(state, e.part) + " " + e.why;
  }
  std::string operator()(const RangeVerified& e) const {
    return Plural(static_cast<int64_t>(e.checks.size()), "check", "checks");
  }
  std::string operator()(const PublishIntended& e) const { return Parts(e.parts.size()); }
  std::string operator()(const CommitAnnounced& e) const { return e.transaction; }
  std::string operator()(const OutcomeUnknown& e) const {
    return Parts(e.parts.size()) + ": " + e.message;
  }
  std::string operator()(const OutcomeNotPublished& e) const { return Parts(e.parts.size()); }
  std::string operator()(const PartitionPublished& e) const {
    return fmt::format("{} rows={}{}", KeyOf(state, e.part), e.rows,
                       e.adopted ? " found in the ledger" : "");
  }
  std::string operator()(const RangePublished& e) const {
    return fmt::format("{} ms, undo until {}", e.milliseconds, SecondText(e.undo_until));
  }
  std::string operator()(const BackfillDone&) const { return ""; }
  std::string operator()(const AttentionNeeded& e) const { return e.id + " " + e.message; }
  std::string operator()(const BackfillPaused& e) const { return e.reason; }
  std::string operator()(const BackfillCancelled& e) const { return e.reason; }
  std::string operator()(const PartitionsUndone& e) const {
    return Parts(e.parts.size()) + " by " + e.by;
  }
  std::string operator()(const PauseRequested& e) const { return e.reason; }
  std::string operator()(const CancelRequested& e) const { return e.reason; }
  std::string operator()(const RetryRequested& e) const { return Parts(e.parts.size()); }
};

// Partition and text of the events that are part of an attempt's output.
struct LogEntry {
  std::string key;
  std::string text;
};

std::optional<LogEntry> LogOf(const Event& event, const BackfillState& state) {
  if (const auto* staged = std::get_if<PartitionStaged>(&event.body)) {
    const std::string key = KeyOf(state, staged->part);
    std::string text =
        fmt::format("{} {}   attempt {} staged {} in {}\n", SecondText(event.at), OneLine(key),
                    staged->attempt, Plural(staged->rows, "row", "rows"),
                    DurationText(absl::Milliseconds(staged->milliseconds)));
    return LogEntry{key,
                    text + (staged->checks.empty() ? "" : PartitionChecksText(staged->checks))};
  }
  if (const auto* failed = std::get_if<PartitionFailed>(&event.body)) {
    const std::string key = KeyOf(state, failed->part);
    return LogEntry{
        key, fmt::format("{} {}   attempt {} failed{}\n  {} {}\n", SecondText(event.at),
                         OneLine(key), failed->attempt, failed->final ? ", the last one" : "",
                         failed->id, OneLine(failed->message))};
  }
  if (const auto* blocked = std::get_if<PartitionBlocked>(&event.body)) {
    const std::string key = KeyOf(state, blocked->part);
    return LogEntry{key, fmt::format("{} {}   blocked: {}\n", SecondText(event.at), OneLine(key),
                                     OneLine(blocked->why))};
  }
  return std::nullopt;
}

// Checks of all partitions by name: how many, how many failed, where it was worst.
std::vector<CheckResult> SummedChecks(const BackfillState& state) {
  std::vector<CheckResult> summed;
  for (const PartitionState& each : state.partitions) {
    for (const CheckResult& check : each.checks) {
      CheckResult* found = nullptr;
      for (CheckResult& known : summed) {
        if (known.name == check.name) found = &known;
      }
      if (found == nullptr) {
        found = &summed.emplace_back(check);
        found->partitions = 0;
        found->failed = 0;
        found->verdict = Verdict::kOk;
        found->delta = found->note = found->worst = "";
      }
      ++found->partitions;
      if (check.verdict == Verdict::kOk) continue;
      ++found->failed;
      const Verdict both[] = {found->verdict, check.verdict};
      found->verdict = Worst(both);
      found->id = check.id;
      found->worst = state.plan->space->KeyText(each.partition);
    }
  }
  return summed;
}

std::string FailuresText(const BackfillState& state) {
  std::string text;
  size_t shown = 0;
  for (const PartitionState& each : state.partitions) {
    if (each.failure_id.empty() || each.phase != PartitionPhase::kFailed) continue;
    if (shown++ == kFailuresShown) {
      text += "  ... more: show --partitions\n";
      break;
    }
    text += fmt::format("  x {}   {} {}\n", OneLine(state.plan->space->KeyText(each.partition)),
                        each.failure_id, OneLine(each.failure));
  }
  return text.empty() ? text : "\nFailed\n" + text;
}

std::string GatesText(std::span<const Event> events, const BackfillState& state) {
  std::string text = "\nGates\n";
  for (const Event& event : events) {
    const bool gate = std::holds_alternative<ConsentGiven>(event.body) ||
                      std::holds_alternative<ProofRecorded>(event.body) ||
                      std::holds_alternative<ProofOverridden>(event.body) ||
                      std::holds_alternative<CanarySkipped>(event.body) ||
                      std::holds_alternative<CanaryRecorded>(event.body);
    if (!gate) continue;
    text += fmt::format("  {}  {:<18} {}   by {}\n", SecondText(event.at), EventType(event.body),
                        OneLine(std::visit(DetailOf{state}, event.body)), event.actor);
  }
  return text;
}

}  // namespace

std::string StepsText(std::span<const Event> events, const BackfillState& state) {
  TextTable table("rllll", 0, 2);
  for (const Event& event : events) {
    table.Row({fmt::format("{}", event.seq), SecondText(event.at),
               std::string(EventType(event.body)), std::visit(DetailOf{state}, event.body),
               event.actor});
  }
  return table.Text();
}

Json StepsJson(std::span<const Event> events, const BackfillState& state) {
  static_cast<void>(state);
  Json list = Json::Array();
  for (const Event& event : events) {
    list.Append(Json::Object({{"seq", event.seq},
                              {"ts", FormatInstantMillis(event.at)},
                              {"type", EventType(event.body)},
                              {"actor", event.actor},
                              {"body", BodyJson(event)}}));
  }
  return list;
}

std::string PartitionsText(const BackfillState& state) {
  TextTable table("lllrrl");
  table.Row({"PARTITION", "ACTION", "STATE", "ATTEMPTS", "ROWS", "WHY"});
  for (const PartitionState& each : state.partitions) {
    const bool built = each.phase == PartitionPhase::kStaged ||
                       each.phase == PartitionPhase::kPublished ||
                       each.phase == PartitionPhase::kUndone;
    table.Row({state.plan->space->KeyText(each.partition), std::string(ActionText(each.action)),
               std::string(PhaseText(each.phase)), fmt::format("{}", each.attempts),
               built ? GroupDigits(each.rows) : "-",
               each.failure_id.empty() ? each.why : each.failure_id + " " + each.failure});
  }
  return table.Text();
}

std::string LogsText(std::span<const Event> events, const BackfillState& state,
                     const std::string& key) {
  std::string text;
  for (const Event& event : events) {
    const std::optional<LogEntry> entry = LogOf(event, state);
    if (entry && (key.empty() || entry->key == key)) text += entry->text;
  }
  return text.empty() ? "no attempt yet\n" : text;
}

Json LogsJson(std::span<const Event> events, const BackfillState& state, const std::string& key) {
  Json list = Json::Array();
  for (const Event& event : events) {
    const std::optional<LogEntry> entry = LogOf(event, state);
    if (!entry || (!key.empty() && entry->key != key)) continue;
    Json body = BodyJson(event);
    body["partition"] = entry->key;
    body["ts"] = FormatInstantMillis(event.at);
    body["type"] = EventType(event.body);
    list.Append(std::move(body));
  }
  return Json::Object({{"backfill", state.id}, {"attempts", list}});
}

std::string ReportText(const BackfillState& state, std::span<const Event> events) {
  const Plan& plan = *state.plan;
  std::string text =
      fmt::format("Backfill  {}   {}   {}\n", state.id, PhaseText(state.phase), DoneText(state));
  text += EmptyText(state);
  text += PlanText(plan) + GatesText(events, state);
  const std::vector<CheckResult> checks = SummedChecks(state);
  if (!checks.empty()) text += "\nEvery partition against its source\n" + ChecksText(checks);
  if (!state.verify_checks.empty()) {
    text += "\nThe whole range, before the publish\n" + ChecksText(state.verify_checks);
  }
  if (!state.done_checks.empty()) {
    text += "\nThe whole range, after the publish\n" + ChecksText(state.done_checks);
  }
  text += FailuresText(state);
  if (!plan.unreconciled.empty()) {
    text += fmt::format("\nNot reconciled with its source: {}\n", OneLine(plan.unreconciled));
  }
  if (state.phase == BackfillPhase::kAttention) {
    text += fmt::format("\nAttention {} {}\n", state.attention_id, OneLine(state.attention));
  }
  if (state.undo_until && state.published && state.undone_by.empty()) {
    text += fmt::format("\nUndo      retrofill undo {}   until {}\n", state.id,
                        SecondText(*state.undo_until));
  }
  if (!state.undone_by.empty()) text += "\nUndone by " + state.undone_by + "\n";
  return text;
}

Json ReportJson(const BackfillState& state, std::span<const Event> events) {
  return Json::Object({{"backfill", BackfillJson(state)},
                       {"plan", PlanJson(*state.plan)},
                       {"checks", Json::Object({{"partitions", ChecksJson(SummedChecks(state))},
                                                {"before_publish", ChecksJson(state.verify_checks)},
                                                {"after_publish", ChecksJson(state.done_checks)}})},
                       {"partitions", PartitionsJson(state)},
                       {"steps", StepsJson(events, state)}});
}

}  // namespace retrofill
