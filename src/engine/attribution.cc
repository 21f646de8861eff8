#include "engine/attribution.h"

#include <algorithm>
#include <array>
#include <utility>

namespace retrofill {
namespace {

// Runs that break ties at random are repeated: one of two tied rows comes first half of the time.
constexpr int kTieRuns = 4;

struct Single {
  Perturbations what;
  Cause::Kind kind;
  int times;
};

constexpr std::array<Single, 9> kSingles = {{
    {kPastClock, Cause::Kind::kClock, 1},
    {kFutureClock, Cause::Kind::kClock, 1},
    {kOtherZone, Cause::Kind::kZone, 1},
    {kEmptied, Cause::Kind::kTarget, 1},
    {kTargetOutside, Cause::Kind::kTarget, 1},
    {kOwnResult, Cause::Kind::kOwnResult, 1},
    {kSourceOutside, Cause::Kind::kSourceOutside, 1},
    {kOtherInputs, Cause::Kind::kOtherInputs, 1},
    {kOrder | kOneThread, Cause::Kind::kOrder, kTieRuns},
}};

}  // namespace

Result<Attribution::Seen> Attribution::Difference(const PartitionSet& unit, const ProofRun& first,
                                                  const ProofRun& other,
                                                  const std::set<std::string>& without) {
  Seen seen;
  if (first.facts.rows != other.facts.rows) {
    seen.rows_differ = true;
    return seen;
  }
  if (first.facts.digest == other.facts.digest) return seen;
  if (!without.empty()) {
    RF_ASSIGN(const ScratchFacts left, runs_.FactsWithout(first.name, unit, without));
    RF_ASSIGN(const ScratchFacts right, runs_.FactsWithout(other.name, unit, without));
    if (left.digest == right.digest) return seen;
  }
  RF_ASSIGN(const std::vector<std::string> columns,
            runs_.DifferingColumns(first.name, other.name, unit, without));
  seen.columns.insert(columns.begin(), columns.end());
  // Values changed places between rows of no key: every column may be meant.
  if (seen.columns.empty()) seen.rows_differ = true;
  return seen;
}

void Attribution::Add(Cause::Kind kind, const Seen& seen, std::set<Cause::Kind>& counted) {
  auto known = std::find_if(causes_.begin(), causes_.end(),
                            [&](const Cause& cause) { return cause.kind == kind; });
  if (known == causes_.end()) {
    causes_.push_back(Cause{kind, {}, false, 0});
    known = std::prev(causes_.end());
  }
  known->columns.insert(seen.columns.begin(), seen.columns.end());
  known->rows_differ |= seen.rows_differ;
  if (counted.insert(kind).second) ++known->probes;
}

Status Attribution::Judge(const PartitionSet& unit, const ProofRun& first,
                          const std::vector<ProofRun>& later) {
  Seen all;
  for (const ProofRun& run : later) {
    RF_ASSIGN(const Seen seen, Difference(unit, first, run, {}));
    all.columns.insert(seen.columns.begin(), seen.columns.end());
    all.rows_differ |= seen.rows_differ;
  }
  if (!all.differs()) return Ok();
  // What an earlier unit explained in the same columns is the same cause.
  const std::set<std::string> aside = SetAside();
  const bool explained = !all.rows_differ && std::includes(aside.begin(), aside.end(),
                                                           all.columns.begin(), all.columns.end());
  if (!explained) return Explain(unit, first, {});
  for (Cause& cause : causes_) {
    const bool shares = std::any_of(all.columns.begin(), all.columns.end(), [&](const auto& name) {
      return cause.columns.count(name) > 0;
    });
    if (shares) ++cause.probes;
  }
  return Ok();
}

std::set<std::string> Attribution::SetAside() const {
  std::set<std::string> aside;
  for (const Cause& cause : causes_) {
    if (!cause.rows_differ) aside.insert(cause.columns.begin(), cause.columns.end());
  }
  return aside;
}

Status Attribution::Explain(const PartitionSet& unit, const ProofRun& first,
                            std::set<std::string> without) {
  std::set<Cause::Kind> counted;
  RF_ASSIGN(const ProofRun again, runs_.Run(unit, 0));
  RF_ASSIGN(const Seen random, Difference(unit, first, again, without));
  if (random.differs()) {
    Add(Cause::Kind::kNondeterminism, random, counted);
    // Nothing can be told about what differs anyway.
    if (random.rows_differ) return Ok();
    without.insert(random.columns.begin(), random.columns.end());
  }
  for (const Single& single : kSingles) {
    const bool target =
        single.kind == Cause::Kind::kTarget || single.kind == Cause::Kind::kOwnResult;
    if (target && !runs_.reads_target()) continue;
    if (single.kind == Cause::Kind::kOtherInputs && !runs_.reads_unwindowed()) continue;
    const int times = single.kind == Cause::Kind::kOrder && !runs_.has_ties() ? 1 : single.times;
    for (int i = 0; i < times; ++i) {
      RF_ASSIGN(const ProofRun run, runs_.Run(unit, single.what, first.name));
      RF_ASSIGN(Seen seen, Difference(unit, first, run, without));
      if (single.kind == Cause::Kind::kSourceOutside && seen.differs()) {
        // A copy of the window alone is also read in another order.
        RF_ASSIGN(const Seen order, DifferenceOfOrders(unit, without));
        if (order.differs()) Add(Cause::Kind::kOrder, order, counted);
        if (order.rows_differ) return Ok();
        without.insert(order.columns.begin(), order.columns.end());
        RF_ASSIGN(seen, Difference(unit, first, run, without));
      }
      if (seen.differs()) Add(single.kind, seen, counted);
      if (single.kind != Cause::Kind::kSourceOutside) continue;
      // Rows in another order lie in such a copy too: what it changes, order cannot be asked about.
      if (seen.rows_differ) return Ok();
      without.insert(seen.columns.begin(), seen.columns.end());
    }
  }
  return counted.empty() ? ExplainTogether(unit, first) : Ok();
}

// Between two orders of the same rows, the window's alone.
Result<Attribution::Seen> Attribution::DifferenceOfOrders(const PartitionSet& unit,
                                                          const std::set<std::string>& without) {
  RF_ASSIGN(const ProofRun one, runs_.Run(unit, kOrder | kOneThread));
  RF_ASSIGN(const ProofRun other, runs_.Run(unit, kOrder | kOneThread | kOtherOrder));
  return Difference(unit, one, other, without);
}

// No single perturbation does it: the smallest set that still differs.
Status Attribution::ExplainTogether(const PartitionSet& unit, const ProofRun& first) {
  Perturbations set = kFutureClock | kOtherZone | kEmptied | kTargetOutside | kSourceOutside |
                      kOtherInputs | kOrder | kOneThread;
  for (Perturbations one = 1; one <= kOneThread; one <<= 1) {
    if (!(set & one)) continue;
    RF_ASSIGN(const ProofRun run, runs_.Run(unit, set & ~one, first.name));
    RF_ASSIGN(const Seen seen, Difference(unit, first, run, {}));
    if (seen.differs()) set &= ~one;
  }
  RF_ASSIGN(const ProofRun run, runs_.Run(unit, set, first.name));
  RF_ASSIGN(Seen seen, Difference(unit, first, run, {}));
  std::set<Cause::Kind> counted;
  if (!seen.differs()) seen.rows_differ = true;
  Add(runs_.has_ties() && set == (kOrder | kOneThread) ? Cause::Kind::kOrder
                                                       : Cause::Kind::kTogether,
      seen, counted);
  return Ok();
}

}  // namespace retrofill
