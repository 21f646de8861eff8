#include "report/status_text.h"

#include <algorithm>

#include "base/text.h"
#include "report/next_steps.h"
#include "report/printable.h"
#include "report/second_text.h"
#include "report/text_table.h"

namespace retrofill {
namespace {

constexpr int kFailuresShown = 10;

// The state as a word, and what of it a person must not miss.
std::string StateText(const BackfillState& state) {
  std::string text(PhaseText(state.phase));
  if (state.interrupted) text += ", interrupted";
  return text;
}

// `host/pid/start` of a session, for people.
std::string OwnerText(const std::string& owner) {
  const std::vector<std::string> parts = Split(owner, '/');
  return parts.size() < 2 ? owner : fmt::format("{}, pid {}", parts[0], parts[1]);
}

std::string NextText(const BackfillState& state) {
  if (state.phase == BackfillPhase::kAttention) {
    return fmt::format("{} {}", state.attention_id, state.attention);
  }
  if (state.phase == BackfillPhase::kPaused && !state.pause_reason.empty()) {
    return state.pause_reason;
  }
  const std::vector<NextStep> steps = NextSteps(state);
  return steps.empty() ? std::string() : Join(steps.front().argv, " ");
}

std::string CountsText(const BackfillCounts& counts) {
  std::vector<std::string> parts;
  const auto add = [&](char glyph, std::string_view word, int64_t count) {
    if (count > 0) parts.push_back(fmt::format("{} {} {}", glyph, word, GroupDigits(count)));
  };
  add('#', "staged", counts.staged);
  add('@', "published", counts.published);
  add('>', "running", counts.running);
  add('.', "waiting", counts.waiting);
  add('x', "failed", counts.failed);
  add('?', "indeterminate", counts.indeterminate);
  add('=', "skip", counts.skip);
  add('!', "blocked", counts.blocked);
  add('u', "undone", counts.undone);
  return Join(parts, "   ");
}

std::string FailuresText(const BackfillState& state) {
  std::string text;
  int shown = 0;
  int64_t left_out = 0;
  for (const PartitionState& each : state.partitions) {
    // Also one that failed and waits for another try.
    const bool bad = !each.failure_id.empty() || each.phase == PartitionPhase::kFailed ||
                     each.phase == PartitionPhase::kIndeterminate;
    if (!bad) continue;
    if (shown++ >= kFailuresShown) {
      ++left_out;
      continue;
    }
    text += fmt::format("  {} {}   attempts {}   {} {}\n", PhaseGlyph(each.phase),
                        OneLine(state.plan->space->KeyText(each.partition)), each.attempts,
                        each.failure_id, OneLine(each.failure));
  }
  if (left_out > 0) {
    text += fmt::format("  ... {} more: retrofill show {} --partitions\n", left_out, state.id);
  }
  return text;
}

std::string GateLine(const BackfillState& state) {
  std::string proof = "proof pending";
  if (!state.proof_override.empty()) {
    proof = "proof overridden: " + state.proof_override;
  } else if (state.proof_passed) {
    proof = "proven " + state.certificate;
  } else if (state.proof_failed) {
    proof = "NOT PROVEN";
  }
  std::string canary = "canary pending";
  if (!state.canary_skipped.empty()) {
    canary = "canary skipped: " + state.canary_skipped;
  } else if (state.canary_passed) {
    canary = "canary ok";
  } else if (state.canary_failed) {
    canary = "CANARY FAILED";
  }
  return fmt::format("Gates     {}    {}\n", OneLine(proof), OneLine(canary));
}

}  // namespace

std::string ShortInstant(absl::Time instant) {
  return absl::FormatTime("%m-%d %H:%MZ", instant, absl::UTCTimeZone());
}

std::string DoneText(const BackfillState& state) {
  const BackfillCounts counts = state.Counts();
  const int64_t done = state.published ? counts.published : counts.staged + counts.published;
  return fmt::format("{}/{}", GroupDigits(done), GroupDigits(counts.to_compute));
}

std::string StatusText(std::span<const BackfillState> states) {
  if (states.empty()) return "no backfill is going on\n";
  TextTable table("lllrrll");
  table.Row({"ID", "TABLE", "STATE", "DONE", "FAILED", "STARTED", "NEXT"});
  for (const BackfillState& state : states) {
    const BackfillCounts counts = state.Counts();
    std::string phase = StateText(state);
    // Not known is neither failed nor done.
    if (counts.indeterminate > 0) {
      phase += fmt::format(", {} indeterminate", GroupDigits(counts.indeterminate));
    }
    table.Row({state.id, state.plan->table, phase, DoneText(state), GroupDigits(counts.failed),
               ShortInstant(state.started.value_or(state.created)), NextText(state)});
  }
  return table.Text();
}

std::string EmptyText(const BackfillState& state) {
  int64_t empty = 0;
  for (const PartitionState& p : state.partitions) {
    if (p.confirmed_empty) ++empty;
  }
  if (empty == 0) return "";
  return fmt::format("Empty     {} ok-empty, confirmed against a source count of 0\n",
                     Plural(empty, "partition", "partitions"));
}

std::string BackfillText(const BackfillState& state) {
  const Plan& plan = *state.plan;
  std::string text = fmt::format("{}   {}   {}   {} done\n", state.id, plan.table, StateText(state),
                                 DoneText(state));
  text += fmt::format("Plan      {}   by {}   {}\n", plan.short_hash(), state.actor,
                      SecondText(state.created));
  if (!plan.reason.empty()) text += fmt::format("Reason    {}\n", OneLine(plan.reason));
  if (!plan.unreconciled.empty()) {
    text +=
        fmt::format("          not reconciled with its source: {}\n", OneLine(plan.unreconciled));
  }
  text += GateLine(state);
  text += fmt::format("Counts    {}\n", CountsText(state.Counts()));
  text += EmptyText(state);
  if (state.undo_until) {
    text += fmt::format("Undo      until {}\n", SecondText(*state.undo_until));
  }
  if (!state.undoes_backfill.empty()) text += "Undoes    " + state.undoes_backfill + "\n";
  if (!state.undone_by.empty()) text += "Undone by " + state.undone_by + "\n";
  if (state.phase == BackfillPhase::kAttention) {
    text += fmt::format("Attention {} {}\n", state.attention_id, OneLine(state.attention));
  }
  if (state.phase == BackfillPhase::kPaused && !state.pause_reason.empty()) {
    text += fmt::format("Paused    {}\n", OneLine(state.pause_reason));
  }
  if (state.interrupted) {
    text += fmt::format("Stopped   the process that drove it is gone ({}); nothing runs\n",
                        OwnerText(state.owner));
  }
  return text + FailuresText(state);
}

std::string HistoryText(std::span<const BackfillState> states) {
  if (states.empty()) return "no backfill yet\n";
  std::vector<const BackfillState*> sorted;
  for (const BackfillState& state : states) sorted.push_back(&state);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->created > b->created; });
  TextTable table("lllrlll");
  table.Row({"ID", "TABLE", "STATE", "PARTITIONS", "BY", "CREATED", "REASON"});
  for (const BackfillState* state : sorted) {
    std::string reason = state->plan->reason;
    if (!state->undoes_backfill.empty() && reason.empty()) {
      reason = "undo of " + state->undoes_backfill;
    }
    table.Row({state->id, state->plan->table, std::string(PhaseText(state->phase)),
               DoneText(*state), state->actor, SecondText(state->created), reason});
  }
  return table.Text();
}

}  // namespace retrofill
