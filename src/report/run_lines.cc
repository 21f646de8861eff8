#include "report/run_lines.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "report/printable.h"
#include "report/second_text.h"

namespace retrofill {
namespace {

std::string KeyOf(const BackfillState& state, const std::string& part) {
  const auto found = state.index.find(part);
  if (found == state.index.end()) return part;
  return state.plan->space->KeyText(state.partitions[found->second].partition);
}

std::string Line(absl::Time at, std::string_view word, const std::string& text) {
  return fmt::format("{} {:<9} {}\n", SecondText(at), word, OneLine(text));
}

// One line of one event; empty for what nobody waits for.
struct LineOf {
  const BackfillState& state;
  absl::Time at;
  int64_t done = 0;  // including this event

  std::string Ratio() const { return fmt::format("{}/{}", done, state.Counts().to_compute); }

  std::string operator()(const SessionStarted& event) const {
    return Line(
        at, "start",
        fmt::format("{} {} slots={}", state.id,
                    Plural(state.Counts().to_compute, "partition", "partitions"), event.slots));
  }
  std::string operator()(const ProofRecorded& event) const {
    return Line(at, "proof", event.passed ? "passed " + event.certificate : "FAILED");
  }
  std::string operator()(const ProofOverridden& event) const {
    return Line(at, "proof", "overridden: " + event.reason);
  }
  std::string operator()(const CanaryRecorded& event) const {
    return Line(at, "canary", (event.passed ? "passed " : "FAILED ") + KeyOf(state, event.part));
  }
  std::string operator()(const CanarySkipped& event) const {
    return Line(at, "canary", "skipped: " + event.reason);
  }
  std::string operator()(const PartitionStaged& event) const {
    return Line(at, "staged",
                fmt::format("{} rows={} seconds={:.1f} {}", KeyOf(state, event.part), event.rows,
                            static_cast<double>(event.milliseconds) / 1000, Ratio()));
  }
  std::string operator()(const PartitionFailed& event) const {
    return Line(at, "failed",
                fmt::format("{} attempt={}{} {} {}", KeyOf(state, event.part), event.attempt,
                            event.final ? " final" : "", event.id, event.message));
  }
  std::string operator()(const PartitionBlocked& event) const {
    return Line(at, "blocked", KeyOf(state, event.part) + " " + event.why);
  }
  std::string operator()(const RangeVerified&) const { return Line(at, "verified", Ratio()); }
  std::string operator()(const OutcomeUnknown& event) const {
    return Line(
        at, "unknown",
        fmt::format("{}: {}",
                    Plural(static_cast<int64_t>(event.parts.size()), "partition", "partitions"),
                    event.message));
  }
  std::string operator()(const RangePublished& event) const {
    return Line(
        at, "published",
        fmt::format("{} seconds={:.1f} undo_until={}", Ratio(),
                    static_cast<double>(event.milliseconds) / 1000, SecondText(event.undo_until)));
  }
  std::string operator()(const BackfillDone&) const { return Line(at, "done", Ratio()); }
  std::string operator()(const AttentionNeeded& event) const {
    return Line(at, "attention", event.id + " " + event.message);
  }
  std::string operator()(const BackfillPaused& event) const {
    return Line(at, "paused", Ratio() + (event.reason.empty() ? "" : " " + event.reason));
  }
  std::string operator()(const BackfillCancelled& event) const {
    return Line(at, "cancelled", Ratio() + (event.reason.empty() ? "" : " " + event.reason));
  }
  template <typename Other>
  std::string operator()(const Other&) const {
    return "";
  }
};

}  // namespace

int64_t DoneCount(const BackfillState& state) {
  const BackfillCounts counts = state.Counts();
  return counts.staged + counts.published;
}

std::string EventLines(std::span<const Event> events, const BackfillState& state) {
  const auto is_staged = [](const Event& event) {
    return std::holds_alternative<PartitionStaged>(event.body);
  };
  int64_t done = DoneCount(state) - std::count_if(events.begin(), events.end(), is_staged);
  std::string text;
  for (const Event& event : events) {
    if (is_staged(event)) ++done;
    text += std::visit(LineOf{state, event.at, done}, event.body);
  }
  return text;
}

std::string EventJsonLines(std::span<const Event> events, const BackfillState& state) {
  std::string text;
  for (const Event& event : events) {
    Result<Json> body = Json::Parse(EventText(event.body));
    Json json = body.ok() ? std::move(body).value() : Json::Object();
    // The journal names partitions by identity; people and programs know them by key.
    if (const std::optional<std::string> part = json.FindText("partition")) {
      json["partition"] = KeyOf(state, *part);
    }
    if (const std::optional<int64_t> milliseconds = json.FindInteger("milliseconds")) {
      json["seconds"] = static_cast<double>(*milliseconds) / 1000;
    }
    json["v"] = 1;
    json["ts"] = FormatInstantMillis(event.at);
    json["type"] = EventType(event.body);
    json["backfill"] = event.backfill;
    json["seq"] = event.seq;
    text += json.Compact() + "\n";
  }
  return text;
}

std::optional<Eta> EstimateEnd(const BackfillState& state, const Progress& progress) {
  const int64_t total = state.Counts().to_compute;
  const int64_t done = DoneCount(state);
  const int64_t here = done - progress.done_at_start;
  if (here < 2 || done * 100 < total || done >= total) return std::nullopt;
  const absl::Duration left = progress.elapsed / here * (total - done);
  return Eta{progress.now + left * 0.85, progress.now + left * 1.3};
}

std::string ProgressLine(const BackfillState& state, const Progress& progress) {
  const BackfillCounts counts = state.Counts();
  const int64_t done = DoneCount(state);
  const int64_t percent = counts.to_compute == 0 ? 100 : done * 100 / counts.to_compute;
  std::string text =
      fmt::format("{}/{} {}% failed={}", done, counts.to_compute, percent, counts.failed);
  if (const std::optional<Eta> eta = EstimateEnd(state, progress)) {
    text += " eta=" + SecondText(eta->latest);
  }
  return Line(progress.now, "progress", text);
}

}  // namespace retrofill
