#include "engine/proof_runs.h"

#include <absl/time/civil_time.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "warehouse/bounds.h"

namespace retrofill {
namespace {

constexpr absl::Duration kFarAway = absl::Hours(24 * 365 * 40 + 24 * 10);  // 40 years
// 05:45 east: no table's zone, and no whole hour.
constexpr std::string_view kStrangeZone = "Asia/Kathmandu";

std::string SetKey(const PartitionSet& unit) {
  const Interval hull = unit.Hull();
  std::string key =
      fmt::format("{}-{}", absl::ToUnixMicros(hull.start), absl::ToUnixMicros(hull.end));
  for (const PartitionBlock& block : unit.blocks()) {
    for (const CellRange& cells : block.cells) key += fmt::format(" {}-{}", cells.first, cells.end);
  }
  return key;
}

std::vector<std::string> DimensionColumns(const Side& side) {
  std::vector<std::string> columns;
  for (const auto& column : side.dimension_columns) {
    if (column) columns.push_back(*column);
  }
  return columns;
}

}  // namespace

absl::Time PastClock(const PartitionSet& unit, absl::Time as_of) {
  const absl::Time start = unit.Hull().start;
  return (start == absl::InfinitePast() ? as_of : start) - kFarAway;
}

absl::Time FutureClock(absl::Time as_of, const Zone& zone) {
  const absl::CivilSecond now = zone.CivilAt(as_of);
  absl::Time future = as_of + kFarAway + absl::Hours(7);
  const bool changes = zone.HasClockChanges(as_of);
  for (int i = 0; i < 800; ++i, future += absl::Hours(24)) {
    const absl::CivilSecond then = zone.CivilAt(future);
    const bool differ =
        then.month() != now.month() && then.day() != now.day() && then.hour() != now.hour() &&
        absl::GetWeekday(absl::CivilDay(then)) != absl::GetWeekday(absl::CivilDay(now));
    if (differ && (!changes || zone.OffsetAt(future) != zone.OffsetAt(as_of))) return future;
  }
  return future;
}

ProofRuns::ProofRuns(const ProveRequest& request, Scratch& scratch)
    : request_(request),
      context_(*request.context),
      scratch_(scratch),
      started_(request.clock->Now()) {
  reads_target_ = context_.sql.Uses(PlaceholderKind::kThis);
  for (const TransformInput& input : context_.sides.inputs) {
    if (input.own) reads_target_ = true;
    if (!input.windowed() && context_.space->has_time()) reads_unwindowed_ = true;
  }
}

Result<SelectTree> ProofRuns::TreeOf(const std::string& sql) {
  RF_ASSIGN(const std::string text, scratch_.SerializeSelect(sql));
  return SelectTree::Parse(text);
}

Status ProofRuns::Analyse(const PartitionSet& unit) {
  RF_ASSIGN(analysed_, context_.RenderUnit(unit, request_.as_of));
  Result<SelectTree> tree = TreeOf(analysed_.sql);
  if (!tree.ok()) return Ok();
  facts_ = tree->Facts();
  has_tree_ = true;
  for (const QueryFact& fact : facts_) {
    if (fact.kind != FactKind::kTable || !fact.position) continue;
    const auto after = std::upper_bound(
        analysed_.pieces.begin(), analysed_.pieces.end(), *fact.position,
        [](size_t at, const RenderedSql::Piece& piece) { return at < piece.rendered; });
    if (after == analysed_.pieces.begin() || !std::prev(after)->replaced) {
      outsiders_.push_back(fact.name);
    }
  }
  if (!tree->WithRandomTies()) return Ok();
  // The way back to text must give the same query, with and without the change.
  has_ties_ = WithRandomTies(analysed_.sql).ok();
  return Ok();
}

Result<std::string> ProofRuns::WithRandomTies(const std::string& sql) {
  RF_ASSIGN(const SelectTree tree, TreeOf(sql));
  const std::optional<SelectTree> tied = tree.WithRandomTies();
  if (!tied) return sql;
  RF_ASSIGN(std::string changed, scratch_.DeserializeSelect(tied->Text()));
  RF_ASSIGN(const SelectTree back, TreeOf(changed));
  if (!back.SameQuery(*tied)) {
    return Fail(ErrorCode::kInternal, "X0199",
                "the engine prints another select than it was given");
  }
  return changed;
}

ScratchSurroundings ProofRuns::SurroundingsOf(const PartitionSet& unit, Perturbations what) const {
  ScratchSurroundings surroundings;
  // The same moment for all, so that two runs of equal surroundings are equal.
  surroundings.clock = started_;
  if (what & kPastClock) surroundings.clock = PastClock(unit, request_.as_of);
  if (what & kFutureClock) {
    const Zone zone = context_.space->has_time() ? context_.space->grid().zone() : Zone();
    surroundings.clock = FutureClock(request_.as_of, zone);
  }
  if (what & kOtherZone) surroundings.zone = kStrangeZone;
  surroundings.one_thread = (what & kOneThread) != 0;
  return surroundings;
}

Result<std::string> ProofRuns::CopyOf(size_t at, const PartitionSet& unit, Perturbations what) {
  const TransformInput& input = context_.sides.inputs[at];
  const bool windowed = input.windowed() && context_.space->has_time();
  const bool cut = windowed && (what & (kSourceOutside | kOrder));
  const bool edited = !windowed && (what & kOtherInputs);
  if (!cut && !edited && !(what & kOrder)) return input.side.sql;
  ScratchCopy copy;
  copy.from = input.side;
  copy.shape = input.shape;
  copy.space = context_.space.get();
  copy.before = input.before;
  copy.after = input.after;
  copy.sentinels = (what & kSourceOutside) != 0;
  copy.sentinels_edited = sentinels_edited_;
  copy.edited = edited;
  if (what & kOrder) copy.order = (what & (kFutureClock | kOtherOrder)) ? 2 : 1;
  if (cut) copy.window = unit;
  const std::string key = fmt::format("{} {} {} {} {} {} {}", at, cut ? SetKey(unit) : "", cut,
                                      copy.sentinels, copy.sentinels_edited, edited, copy.order);
  const auto known = copies_.find(key);
  if (known != copies_.end()) return scratch_.Relation(known->second, input.side);
  if (edited) {
    RF_ASSIGN(copy.keep, scratch_.KeyColumns(input.side));
    if (copy.keep.empty() && !input.shape.columns.empty()) {
      copy.keep.push_back(input.shape.columns[0].name);
    }
  }
  const std::string name = fmt::format("c{}", copies_.size());
  RF_TRY(scratch_.Copy(name, copy));
  copies_[key] = name;
  return scratch_.Relation(name, input.side);
}

Status ProofRuns::PlaceInputs(RenderContext& context, const PartitionSet& unit,
                              Perturbations what) {
  for (size_t i = 0; i < context_.sides.inputs.size(); ++i) {
    const TransformInput& input = context_.sides.inputs[i];
    if (input.own) continue;
    RF_ASSIGN(std::string relation, CopyOf(i, unit, what));
    (input.table ? context.refs : context.sources)[input.name] = std::move(relation);
  }
  return Ok();
}

Status ProofRuns::PlaceTarget(RenderContext& context, const PartitionSet& unit, Perturbations what,
                              const std::string& own) {
  if (!reads_target_) return Ok();
  ScratchTarget target;
  target.from = context_.sides.target;
  target.exists = context_.target_exists;
  target.shape = context_.shape;
  target.space = context_.space.get();
  target.unit = unit;
  if (what & kOwnResult) target.own = ScratchTarget::Own::kResult;
  if (what & kEmptied) target.own = ScratchTarget::Own::kEmptied;
  target.result = own;
  target.outside_edited = (what & kTargetOutside) != 0;
  target.past_kept = true;  // whoever reads its own table is sequential: the past is an input
  target.keep = context_.table->grain;
  if (target.from.time) target.keep.push_back(target.from.time->name);
  for (const std::string& column : DimensionColumns(target.from)) target.keep.push_back(column);
  if (what & kOrder) target.order = 1;
  std::string own_name;
  for (const TransformInput& input : context_.sides.inputs) {
    if (input.own) target.before = input.before, own_name = input.name;
  }
  const std::string name = fmt::format("t{}", runs_made_);
  RF_TRY(scratch_.MakeTarget(name, target));
  context.self = scratch_.Relation(name, target.from);
  if (!own_name.empty()) context.refs[own_name] = *context.self;
  return Ok();
}

Result<ProofRun> ProofRuns::Run(const PartitionSet& unit, Perturbations what,
                                const std::string& own) {
  if (request_.stop && request_.stop()) {
    return Fail(ErrorCode::kCancelled, "X0106", "the proof was stopped");
  }
  // Without a time axis every input is read whole: that is the declared window, and no edit of it
  // may go unnoticed.
  if (!context_.space->has_time()) what &= ~kOtherInputs;
  RenderContext context =
      ContextFor(*context_.table, context_.sides, *context_.space, unit, request_.as_of);
  RF_TRY(PlaceTarget(context, unit, what, own));
  RF_TRY(PlaceInputs(context, unit, what));
  RF_ASSIGN(RenderedSql rendered, Render(context_.sql, context));
  ScratchSelect select{std::move(rendered.sql), context_.result, context_.shape};
  if ((what & kOrder) && has_ties_) {
    RF_ASSIGN(select.sql, WithRandomTies(select.sql));
  }
  ProofRun run;
  run.name = fmt::format("r{}", runs_made_++);
  const Status computed = scratch_.Compute(run.name, select, SurroundingsOf(unit, what));
  const bool own_failure = !computed.ok() && (computed.error().code() == ErrorCode::kFailed ||
                                              computed.error().code() == ErrorCode::kInvalid);
  if (own_failure && (what & kSourceOutside) && sentinels_edited_) {
    // An edited text may not be a number any more. Whether such rows matter is what the run asks,
    // not whether they can be read.
    sentinels_edited_ = false;
    return Run(unit, what, own);
  }
  if (!computed.ok()) return computed.error();
  RF_ASSIGN(run.facts, scratch_.Facts(run.name, RequestFor(unit, {})));
  return run;
}

FactsRequest ProofRuns::RequestFor(const PartitionSet& unit,
                                   const std::set<std::string>& without) const {
  FactsRequest facts;
  facts.shape = context_.shape;
  facts.side = context_.sides.target;
  facts.space = context_.space.get();
  facts.unit = unit;
  facts.grain = context_.table->grain;
  for (const auto& [column, reason] : context_.table->proof.ignore_columns) {
    facts.left_out.push_back(column);
  }
  for (const std::string& column : without) facts.left_out.push_back(column);
  return facts;
}

Result<ScratchFacts> ProofRuns::FactsWithout(const std::string& run, const PartitionSet& unit,
                                             const std::set<std::string>& columns) {
  return scratch_.Facts(run, RequestFor(unit, columns));
}

Result<std::vector<std::string>> ProofRuns::DifferingColumns(const std::string& a,
                                                             const std::string& b,
                                                             const PartitionSet& unit,
                                                             const std::set<std::string>& without) {
  return scratch_.DifferingColumns(a, b, RequestFor(unit, without));
}

Result<ScratchFacts> ProofRuns::UnitedFacts(const std::vector<std::string>& runs,
                                            const PartitionSet& unit) {
  const std::string name = fmt::format("u{}", runs_made_++);
  RF_TRY(scratch_.Unite(name, runs));
  last_united_ = name;
  return scratch_.Facts(name, RequestFor(unit, {}));
}

Result<std::vector<std::optional<int64_t>>> ProofRuns::AskUndecided(
    const PartitionSet& unit, const std::vector<size_t>& facts) {
  RF_ASSIGN(const RenderedSql rendered, context_.RenderUnit(unit, request_.as_of));
  RF_ASSIGN(const SelectTree tree, TreeOf(rendered.sql));
  const std::vector<QueryFact> found = tree.Facts();
  std::vector<std::optional<int64_t>> answers;
  for (const size_t at : facts) {
    answers.emplace_back();
    if (at >= found.size() || !found[at].undecided) continue;
    const DataQuestion& question = *found[at].undecided;
    const Result<std::string> inner = scratch_.DeserializeSelect(SelectTree::Print(question.tree));
    if (!inner.ok()) continue;
    // A question that does not bind stands in a correlated subquery: it cannot be asked alone.
    const Result<int64_t> count = scratch_.CountOf(question.head + *inner + question.tail);
    if (count.ok()) answers.back() = *count;
  }
  return answers;
}

}  // namespace retrofill
