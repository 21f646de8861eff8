#include "engine/build_unit.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/point.h"
#include "base/text.h"
#include "engine/reconcile.h"

namespace retrofill {
namespace {

Result<int64_t> Compute(const BuildRequest& request, const UnitToBuild& unit,
                        const PartitionSet& set, Session& session) {
  RF_ASSIGN(RenderedSql rendered, request.context->RenderUnit(set, request.plan->as_of));
  Result<int64_t> rows = session.FillStage(request.stage, unit.unit, rendered.sql);
  if (!rows.ok()) return InTemplate(std::move(rows).error(), request.context->sql, rendered);
  return rows;
}

Status Fill(const BuildRequest& request, const UnitToBuild& unit, Session& session) {
  const TableContext& context = *request.context;
  PartitionSet set = PartitionSet::Of(*context.space, unit.partitions);
  RF_TRY(Reach("engine.unit_begun"));
  if (request.clear_first) {
    RF_TRY(session.ClearStagePartitions(request.stage, context.StageSide(request.stage.table),
                                        *context.space, set));
  }
  RF_ASSIGN(int64_t rows, Compute(request, unit, set, session));
  static_cast<void>(rows);  // the engine's numbers come from reading back, never from the writer
  return Reach("engine.unit_filled");
}

// Rows that belong to no partition of the unit are never filtered away (publish document, 9).
Status CheckInside(const BuildRequest& request, const PartitionFingerprints& found) {
  int64_t outside = found.outside.n;
  const PartitionSpace& space = *request.context->space;
  std::string sample;
  for (const auto& [partition, fingerprint] : found.others) {
    outside += fingerprint.n;
    if (sample.empty() && fingerprint.n > 0) sample = space.KeyText(partition);
  }
  if (found.null_rows.n > 0) {
    return Fail(ErrorCode::kFailed, "X0212",
                "{} of the result in no partition: a NULL time, or a dimension value that is NULL "
                "or not declared",
                Plural(found.null_rows.n, "row is", "rows are"))
        .Help("leave such rows out in the SQL, or declare the value");
  }
  if (outside == 0) return Ok();
  Error error = Fail(ErrorCode::kFailed, "X0210",
                     "{} of the result outside the intervals that were asked for",
                     Plural(outside, "row is", "rows are"));
  if (!sample.empty()) error = std::move(error).Note("such as rows of " + sample);
  return std::move(error).Help(
      "cut the result with {{ window() }} on the column that the partition column comes from");
}

CheckResult Unhashed(const Fingerprint& fingerprint) {
  return {.name = "columns as the target",
          .verdict = Verdict::kFailed,
          .id = "R0301",
          .source = "",
          .before = "",
          .target = "",
          .delta = "",
          .note = fmt::format("{} of {} rows have a NULL in a column that may have none",
                              fingerprint.n - fingerprint.n_hashed, fingerprint.n),
          .worst = ""};
}

const CheckResult* FirstBad(const std::vector<CheckResult>& checks) {
  // A failure says more than a check that could not tell.
  for (Verdict wanted : {Verdict::kFailed, Verdict::kIndeterminate}) {
    for (const CheckResult& check : checks) {
      if (!check.warn_only && check.verdict == wanted) return &check;
    }
  }
  return nullptr;
}

std::string BadText(const CheckResult& check) {
  std::string text = check.name + ": ";
  if (!check.source.empty() || !check.target.empty())
    text += fmt::format("source {}, target {}", check.source.empty() ? "-" : check.source,
                        check.target.empty() ? "-" : check.target);
  if (!check.note.empty()) text += (text.ends_with(": ") ? "" : "; ") + check.note;
  return text;
}

using Units = std::vector<const UnitToBuild*>;
using CheckMap = std::map<Partition, std::vector<CheckResult>>;

// Units that were read back and reconciled by the same queries.
struct Looked {
  PartitionFingerprints found;
  CheckMap checks;
};

std::string FilterOf(const Units& units) {
  std::vector<std::string> terms;
  for (const UnitToBuild* each : units)
    terms.push_back(fmt::format("({}, {})", each->unit.unit, each->unit.epoch));
  if (units.size() > 1) return fmt::format("(_rf_unit, _rf_epoch) in ({})", Join(terms, ", "));
  const StageUnit& unit = units.front()->unit;
  return fmt::format("_rf_unit = {} and _rf_epoch = {}", unit.unit, unit.epoch);
}

PartitionSet SetOf(const BuildRequest& request, const Units& units) {
  std::vector<Partition> partitions;
  for (const UnitToBuild* each : units)
    partitions.insert(partitions.end(), each->partitions.begin(), each->partitions.end());
  return PartitionSet::Of(*request.context->space, std::move(partitions));
}

ReconcileRequest ReconcileOf(const BuildRequest& request, const PartitionSet& set,
                             const PartitionFingerprints& found, const Side& stage) {
  ReconcileRequest reconcile{.context = request.context,
                             .set = set,
                             .target = stage,
                             .with_before = request.with_before,
                             .target_rows = {},
                             .before_rows = {},
                             .source_rows = {},
                             .as_of = request.plan->as_of};
  for (const auto& [partition, fingerprint] : found.partitions) {
    reconcile.target_rows[partition] = fingerprint.n;
    reconcile.before_rows[partition] =
        request.baseline->Of(request.context->space->IdentityText(partition)).n;
    auto source = request.inputs->source_rows.find(partition);
    if (source != request.inputs->source_rows.end())
      reconcile.source_rows[partition] = source->second;
  }
  return reconcile;
}

Result<Looked> Look(const BuildRequest& request, const Units& units, Session& session) {
  const TableContext& context = *request.context;
  PartitionSet set = SetOf(request, units);
  Side stage = context.StageSide(request.stage.table);
  stage.filter = FilterOf(units);
  Looked looked;
  RF_ASSIGN(looked.found, session.TakeFingerprints(context.Fingerprints(stage, set, true)));
  RF_TRY(CheckInside(request, looked.found));
  RF_ASSIGN(looked.checks, Reconcile(ReconcileOf(request, set, looked.found, stage), session));
  for (auto& [partition, list] : looked.checks) {
    const Fingerprint& fingerprint = looked.found.partitions.at(partition);
    if (fingerprint.n_hashed != fingerprint.n) list.push_back(Unhashed(fingerprint));
  }
  return looked;
}

// Whether every row lies in a partition of the unit that computed it. Of units that are looked at
// together one may hold rows of another's partition.
Result<bool> RowsAreTheirUnits(const BuildRequest& request, const Units& units, Session& session) {
  Side stage = request.context->StageSide(request.stage.table);
  stage.filter = FilterOf(units);
  AggregateRequest ask{.side = stage,
                       .space = request.context->space.get(),
                       .set = SetOf(request, units),
                       .aggregates = {{.expression = "min(_rf_unit)", .where = ""},
                                      {.expression = "max(_rf_unit)", .where = ""}}};
  using Answers = std::map<Partition, AggregateRow>;
  RF_ASSIGN(const Answers answers, session.Aggregates(ask));
  for (const UnitToBuild* each : units) {
    const std::string own = fmt::format("{}", each->unit.unit);
    for (const Partition& partition : each->partitions) {
      const AggregateRow& row = answers.at(partition);
      if (row.rows > 0 && (row.values[0] != own || row.values[1] != own)) return false;
    }
  }
  return true;
}

PartitionStaged StagedOf(const BuildRequest& request, const StageUnit& unit,
                         const Partition& partition, const Fingerprint& fingerprint,
                         std::vector<CheckResult> checks) {
  PartitionStaged staged;
  staged.part = request.context->space->IdentityText(partition);
  staged.unit = unit.unit;
  staged.epoch = unit.epoch;
  staged.rows = fingerprint.n;
  staged.digest = FingerprintText(fingerprint);
  auto source = request.inputs->source_rows.find(partition);
  if (source != request.inputs->source_rows.end()) staged.source_rows = source->second;
  staged.confirmed_empty = fingerprint.n == 0 && staged.source_rows == 0;
  auto inputs = request.inputs->inputs.find(partition);
  if (inputs != request.inputs->inputs.end()) staged.inputs = inputs->second;
  staged.checks = std::move(checks);
  return staged;
}

UnitOutcome OutcomeOf(const BuildRequest& request, const UnitToBuild& unit, Looked& looked) {
  UnitOutcome outcome{.unit = unit.unit.unit, .staged = {}, .failed = {}, .broken = {}};
  for (const Partition& partition : unit.partitions) {
    std::vector<CheckResult>& list = looked.checks.at(partition);
    const CheckResult* bad = FirstBad(list);
    if (bad == nullptr) {
      outcome.staged.push_back(StagedOf(request, unit.unit, partition,
                                        looked.found.partitions.at(partition), std::move(list)));
      continue;
    }
    PartitionFailed failed;
    failed.part = request.context->space->IdentityText(partition);
    failed.final =
        true;  // the same rows would fail the same check again (verification document, 7.5)
    failed.id = bad->id;
    failed.message = BadText(*bad);
    failed.checks = std::move(list);
    outcome.failed.push_back(std::move(failed));
  }
  return outcome;
}

bool AllIsWell(const Looked& looked) {
  return std::all_of(looked.checks.begin(), looked.checks.end(),
                     [](const auto& each) { return FirstBad(each.second) == nullptr; });
}

// The answer for all units by the same queries; none = each has to be looked at alone.
Result<std::optional<Looked>> LookTogether(const BuildRequest& request, const Units& units,
                                           Session& session) {
  RF_ASSIGN(const bool own_rows, RowsAreTheirUnits(request, units, session));
  if (!own_rows) return std::optional<Looked>();
  Result<Looked> looked = Look(request, units, session);
  if (looked.ok()) return AllIsWell(*looked) ? std::optional(*std::move(looked)) : std::nullopt;
  if (looked.error().code() == ErrorCode::kFailed) return std::optional<Looked>();
  return std::move(looked).error();
}

// One build: what it did so far for each unit.
class Build {
 public:
  Build(const BuildRequest& request, Session& session) : request_(request), session_(session) {}

  std::vector<UnitOutcome> Run() {
    std::optional<Error> fatal = FillAll();
    if (!fatal && filled_.size() > 1) fatal = LookAtAll();
    for (const UnitToBuild* unit : filled_) {
      if (!fatal && !outcomes_.contains(unit->unit.unit)) fatal = LookAt(*unit);
    }
    std::vector<UnitOutcome> list;
    for (const UnitToBuild& unit : request_.units) {
      auto done = outcomes_.find(unit.unit.unit);
      if (done == outcomes_.end()) {
        RF_CHECK(fatal, "unit {} has no outcome", unit.unit.unit);
        list.push_back(Broken(unit, *fatal));
      } else {
        list.push_back(std::move(done->second));
      }
    }
    return list;
  }

 private:
  static UnitOutcome Broken(const UnitToBuild& unit, Error error) {
    return {.unit = unit.unit.unit, .staged = {}, .failed = {}, .broken = std::move(error)};
  }

  // What the unit's own statement did breaks the unit; anything else is returned.
  std::optional<Error> Take(const UnitToBuild& unit, Error error) {
    if (error.code() != ErrorCode::kFailed) return error;
    outcomes_.emplace(unit.unit.unit, Broken(unit, std::move(error)));
    return std::nullopt;
  }

  // Whether the unit is not to be started any more; then that is its outcome.
  bool IsStopped(const UnitToBuild& unit) {
    const bool is_first = &unit == &request_.units.front();
    stopped_ = stopped_ || (!is_first && request_.stop && request_.stop());
    if (!stopped_) return false;
    outcomes_.emplace(unit.unit.unit, Broken(unit, Fail(ErrorCode::kCancelled, "X0106",
                                                        "not started: a stop was asked for")));
    return true;
  }

  // One commit for all of them. What one of them did wrong undoes the others too, so then each is
  // filled on its own.
  Status FillTogether() {
    return session_.InTransaction([this]() -> Status {
      for (const UnitToBuild& unit : request_.units) {
        if (IsStopped(unit)) continue;
        RF_TRY(Fill(request_, unit, session_));
        filled_.push_back(&unit);
      }
      return Ok();
    });
  }

  std::optional<Error> FillAll() {
    if (request_.units.size() > 1) {
      Status together = FillTogether();
      if (together.ok()) return std::nullopt;
      if (together.error().code() != ErrorCode::kFailed) return std::move(together).error();
      filled_.clear();
    }
    for (const UnitToBuild& unit : request_.units) {
      if (IsStopped(unit)) continue;
      Status filled = Fill(request_, unit, session_);
      if (filled.ok()) {
        filled_.push_back(&unit);
        continue;
      }
      if (std::optional<Error> fatal = Take(unit, std::move(filled).error())) return fatal;
    }
    return std::nullopt;
  }

  std::optional<Error> LookAtAll() {
    Result<std::optional<Looked>> looked = LookTogether(request_, filled_, session_);
    if (!looked.ok()) return std::move(looked).error();
    if (!*looked) return std::nullopt;
    for (const UnitToBuild* unit : filled_)
      outcomes_.emplace(unit->unit.unit, OutcomeOf(request_, *unit, **looked));
    return Reached();
  }

  std::optional<Error> LookAt(const UnitToBuild& unit) {
    Result<Looked> looked = Look(request_, {&unit}, session_);
    if (!looked.ok()) return Take(unit, std::move(looked).error());
    outcomes_.emplace(unit.unit.unit, OutcomeOf(request_, unit, *looked));
    return Reached();
  }

  static std::optional<Error> Reached() {
    Status reached = Reach("engine.unit_reconciled");
    if (reached.ok()) return std::nullopt;
    return std::move(reached).error();
  }

  const BuildRequest& request_;
  Session& session_;
  bool stopped_ = false;
  Units filled_;
  std::map<int64_t, UnitOutcome> outcomes_;
};

}  // namespace

BuildResult BuildUnits(const BuildRequest& request, Session& session) {
  absl::Duration start = request.clock->Monotonic();
  BuildResult result{.units = Build(request, session).Run(), .elapsed = {}};
  result.elapsed = request.clock->Monotonic() - start;
  int64_t partitions = 0;
  for (const UnitToBuild& unit : request.units)
    partitions += static_cast<int64_t>(unit.partitions.size());
  for (UnitOutcome& outcome : result.units) {
    for (PartitionStaged& staged : outcome.staged)
      staged.milliseconds = absl::ToInt64Milliseconds(result.elapsed) / partitions;
  }
  return result;
}

}  // namespace retrofill
