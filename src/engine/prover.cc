#include "engine/prover.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/text.h"
#include "engine/attribution.h"
#include "engine/certificate.h"
#include "engine/probe_choice.h"
#include "engine/proof_findings.h"
#include "engine/proof_runs.h"
#include "engine/settled_hazards.h"
#include "engine/static_rules.h"
#include "warehouse/bounds.h"

namespace retrofill {
namespace {

// Adjacent partitions of the one batch that is tried.
constexpr int kBatchSize = 3;
// Cells of a batch at most: each is a run of its own to compare with.
constexpr size_t kMaxBatchCells = 4;
// Further runs with other tie breaks. Two tied rows keep their order in one run of two, so that
// they do in all of them once in 2^6; a probe that is known to have ties gets more.
constexpr int kTieRuns = 5;
constexpr int kKnownTieRuns = 12;

constexpr Perturbations kSecond = kPastClock | kOwnResult;
constexpr Perturbations kThird = kFutureClock | kOtherZone | kEmptied | kTargetOutside |
                                 kSourceOutside | kOtherInputs | kOrder | kOneThread;

class Prover {
 public:
  Prover(const ProveRequest& request, Scratch& scratch)
      : request_(request),
        context_(*request.context),
        scratch_(scratch),
        runs_(request, scratch),
        attribution_(runs_) {}

  Result<ProofReport> Run() {
    const absl::Duration start = request_.clock->Monotonic();
    evidence_.context = &context_;
    evidence_.runs = &runs_;
    RF_TRY(CountSourceRows());
    RF_TRY(ReadText());
    ChooseSamples();
    RF_ASSIGN(const std::vector<Watched> before, Watch());
    RF_TRY(RunProbes());
    RF_TRY(TryBatch());
    RF_ASSIGN(const std::vector<Watched> after, Watch());
    CompareWatched(before, after);
    evidence_.causes = attribution_.causes();
    NoteUnknown();
    ProofReport report;
    report.table = context_.table->name;
    Conclude(evidence_, report);
    report.milliseconds = absl::ToInt64Milliseconds(request_.clock->Monotonic() - start);
    report.certificate = MakeCertificate(request_, evidence_, report);
    report.certificate_id = CertificateId(report.certificate);
    return report;
  }

 private:
  void Progress(const std::string& doing) const {
    if (request_.progress) request_.progress(doing);
  }
  PartitionSet UnitOf(const Partition& partition) const {
    return PartitionSet::Of(*context_.space, {partition});
  }

  // Rows of the first windowed source in each planned partition, where the caller does not know.
  Status CountSourceRows() {
    choice_.space = context_.space.get();
    choice_.planned = request_.planned;
    choice_.fills = request_.fills;
    choice_.samples = context_.table->proof.samples;
    choice_.max_rows = context_.table->proof.max_rows;
    choice_.seed = request_.seed;
    choice_.source_rows = request_.source_rows;
    const std::vector<Partition> planned = request_.planned.Partitions(*context_.space);
    const bool known = std::all_of(planned.begin(), planned.end(), [&](const Partition& partition) {
      return choice_.source_rows.count(partition) > 0;
    });
    if (known) return Ok();
    const TransformInput* source = nullptr;
    for (const TransformInput& input : context_.sides.inputs) {
      if (source == nullptr && input.windowed() && !input.own) source = &input;
    }
    if (source == nullptr || !context_.space->has_time()) {
      for (const Partition& partition : planned) choice_.source_rows[partition] = 1;
      return Ok();
    }
    Progress("counting source rows");
    RF_ASSIGN(const std::unique_ptr<Session> session, request_.warehouse->Connect());
    AggregateRequest counts;
    counts.side = source->side;
    counts.space = context_.space.get();
    counts.set = request_.planned;
    counts.aggregates.push_back({"count(*)", ""});
    using Counts = std::map<Partition, AggregateRow>;
    RF_ASSIGN(const Counts found, session->Aggregates(counts));
    for (const auto& [partition, row] : found) choice_.source_rows[partition] = row.rows;
    return Ok();
  }

  // The static rules, and what the data say about open orders.
  Status ReadText() {
    Progress("reading the SQL");
    RF_TRY(runs_.Analyse(UnitOf(request_.planned.Partitions(*context_.space).front())));
    evidence_.hazards = FindHazards(context_, runs_);
    RF_ASSIGN(tied_, SettleHazards(request_, runs_, evidence_.hazards));
    return Ok();
  }

  // A partition whose order is known to be open is tried in any case.
  void ChooseSamples() {
    if (tied_) --choice_.samples;
    evidence_.probes = ChooseProbes(choice_);
    if (!tied_) return;
    auto known = std::find_if(evidence_.probes.begin(), evidence_.probes.end(),
                              [&](const ProofProbe& probe) { return probe.partition == *tied_; });
    if (known != evidence_.probes.end()) return;
    ProofProbe probe;
    probe.partition = *tied_;
    probe.key = context_.space->KeyText(*tied_);
    probe.reason = "equal keys";
    probe.source_rows = choice_.source_rows[*tied_];
    evidence_.probes.insert(
        std::upper_bound(
            evidence_.probes.begin(), evidence_.probes.end(), probe,
            [](const ProofProbe& a, const ProofProbe& b) { return a.partition < b.partition; }),
        std::move(probe));
  }

  Result<std::vector<Watched>> Watch() {
    std::vector<Side> inputs;
    for (const TransformInput& input : context_.sides.inputs) inputs.push_back(input.side);
    std::optional<FactsRequest> target;
    if (context_.target_exists) {
      std::vector<Partition> around;
      for (const ProofProbe& probe : evidence_.probes) {
        around.push_back(probe.partition);
        if (!context_.space->has_time()) continue;
        Partition neighbour = probe.partition;
        neighbour.interval = context_.space->grid().Previous(probe.partition.interval);
        around.push_back(neighbour);
        neighbour.interval = context_.space->grid().Next(probe.partition.interval);
        around.push_back(neighbour);
      }
      target = runs_.RequestFor(PartitionSet::Of(*context_.space, std::move(around)), {});
      target->left_out.clear();
    }
    return scratch_.Watch(context_.table->relation, target, inputs);
  }

  void CompareWatched(const std::vector<Watched>& before, const std::vector<Watched>& after) {
    evidence_.watched = static_cast<int>(before.size());
    for (const Watched& watched : before) {
      if (std::find(after.begin(), after.end(), watched) == after.end()) {
        evidence_.changed.push_back(watched.relation);
      }
    }
    for (const Watched& watched : after) {
      const bool known = std::any_of(before.begin(), before.end(), [&](const Watched& old) {
        return old.relation == watched.relation;
      });
      if (!known) evidence_.changed.push_back(watched.relation);
    }
  }

  void Note(const ProofProbe& probe, const ScratchFacts& facts) {
    evidence_.outside_rows += facts.outside;
    if (facts.outside > 0) {
      int64_t& most = evidence_.outside_by_probe[probe.key];
      most = std::max(most, facts.outside);
    }
    if (facts.duplicate_keys + facts.null_keys > 0 && evidence_.grain_probe.empty()) {
      evidence_.grain_probe = probe.key;
      evidence_.duplicate_keys = facts.duplicate_keys;
      evidence_.null_keys = facts.null_keys;
    }
  }

  // One run of a probe that is to equal its first one. A run that fails where the first did not has
  // shown a dependence, but not on what rows.
  Status Again(size_t at, Perturbations what) {
    const PartitionSet unit = UnitOf(evidence_.probes[at].partition);
    Result<ProofRun> run = runs_.Run(unit, what, firsts_[at].name);
    if (!run.ok()) {
      const ErrorCode code = run.error().code();
      if (code != ErrorCode::kFailed && code != ErrorCode::kInvalid) return run.error();
      evidence_.unknown.push_back(fmt::format("a run for {} with other surroundings failed: {}",
                                              evidence_.probes[at].key, run.error().message()));
      return Ok();
    }
    Note(evidence_.probes[at], run->facts);
    laters_[at].push_back(*std::move(run));
    return Ok();
  }

  Status RunProbes() {
    laters_.resize(evidence_.probes.size());
    for (ProofProbe& probe : evidence_.probes) {
      Progress("trying " + probe.key);
      RF_ASSIGN(ProofRun first, runs_.Run(UnitOf(probe.partition), 0));
      probe.result_rows = first.facts.rows;
      Note(probe, first.facts);
      firsts_.push_back(std::move(first));
    }
    for (size_t i = 0; i < evidence_.probes.size(); ++i) RF_TRY(Again(i, kSecond));
    // Threads are set once for all of them.
    for (size_t i = 0; i < evidence_.probes.size(); ++i) {
      Progress("trying " + evidence_.probes[i].key + " with everything else changed");
      RF_TRY(Again(i, kThird));
      if (!runs_.has_ties()) continue;
      const bool known = tied_ && evidence_.probes[i].partition == *tied_;
      for (int k = 0; k < (known ? kKnownTieRuns : kTieRuns); ++k) {
        RF_TRY(Again(i, kSourceOutside | kOrder | kOneThread));
      }
    }
    for (size_t i = 0; i < evidence_.probes.size(); ++i) {
      RF_TRY(attribution_.Judge(UnitOf(evidence_.probes[i].partition), firsts_[i], laters_[i]));
    }
    return Ok();
  }

  // Adjacent partitions by one statement, and each by its own.
  Status TryBatch() {
    const bool wanted =
        request_.batch.value_or(kBatchSize) > 1 && context_.can_batch() && !runs_.reads_target();
    if (!wanted) return Ok();
    const std::vector<Partition> slots = ChooseBatch(
        choice_, evidence_.probes, std::min(kBatchSize, request_.batch.value_or(kBatchSize)));
    if (slots.size() < 2) return Ok();
    Progress("trying a batch");
    std::vector<Partition> batch;
    for (const Partition& slot : slots) {
      for (const uint32_t cell : BatchCells(slot)) batch.push_back({slot.interval, cell});
    }
    std::vector<std::string> singles;
    for (const Partition& partition : batch) {
      RF_ASSIGN(std::string single, FirstRunOf(partition));
      singles.push_back(std::move(single));
    }
    const PartitionSet unit = PartitionSet::Of(*context_.space, batch);
    RF_ASSIGN(const ProofRun together, runs_.Run(unit, 0));
    RF_ASSIGN(const ScratchFacts one_by_one, runs_.UnitedFacts(singles, unit));
    const std::set<std::string> aside = attribution_.SetAside();
    evidence_.batch_tried = true;
    evidence_.batch_size = static_cast<int>(slots.size());
    evidence_.batch_equal =
        one_by_one.rows == together.facts.rows && one_by_one.digest == together.facts.digest;
    if (evidence_.batch_equal) return Ok();
    if (!aside.empty() && one_by_one.rows == together.facts.rows) {
      // What differs in any two runs says nothing about batches.
      RF_ASSIGN(const ScratchFacts left, runs_.FactsWithout(runs_.last_united(), unit, aside));
      RF_ASSIGN(const ScratchFacts right, runs_.FactsWithout(together.name, unit, aside));
      evidence_.batch_equal = left.digest == right.digest;
    }
    evidence_.batch_difference =
        fmt::format("{} one by one, {} in the batch", Plural(one_by_one.rows, "row", "rows"),
                    Plural(together.facts.rows, "row", "rows"));
    return Ok();
  }

  // The cells of a slot that are planned; only its own where a statement knows one cell.
  std::vector<uint32_t> BatchCells(const Partition& slot) const {
    std::vector<uint32_t> cells = {slot.cell};
    if (!context_.cells_together()) return cells;
    for (uint32_t cell = 0; cell < context_.space->cell_count(); ++cell) {
      if (cell == slot.cell || cells.size() >= kMaxBatchCells) continue;
      if (request_.planned.Contains({slot.interval, cell})) cells.push_back(cell);
    }
    return cells;
  }

  Result<std::string> FirstRunOf(const Partition& partition) {
    for (size_t i = 0; i < evidence_.probes.size(); ++i) {
      if (evidence_.probes[i].partition == partition) return firsts_[i].name;
    }
    RF_ASSIGN(const ProofRun run, runs_.Run(UnitOf(partition), 0));
    ProofProbe probe;
    probe.key = context_.space->KeyText(partition);
    Note(probe, run.facts);
    return run.name;
  }

  // What stays open (I0208).
  void NoteUnknown() {
    const bool asks = runs_.has_tree() && !runs_.outsiders().empty();
    evidence_.only_outsiders = asks;
    if (asks) {
      evidence_.unknown.push_back(fmt::format(
          "what the transform reads could not be changed for a test: it names {} itself; write "
          "`{{{{ source('NAME') }}}}`",
          Join(runs_.outsiders(), ", ")));
    }
    int64_t source_rows = 0, result_rows = 0;
    for (const ProofProbe& probe : evidence_.probes) {
      source_rows += probe.source_rows;
      result_rows += probe.result_rows;
    }
    const bool counted =
        std::any_of(context_.sides.inputs.begin(), context_.sides.inputs.end(),
                    [](const TransformInput& input) { return input.windowed() && !input.own; });
    if (counted && source_rows > 0 && result_rows == 0) {
      evidence_.unknown.emplace_back(
          "every sample came out empty although its source has rows: nothing was tried");
    }
  }

  const ProveRequest& request_;
  const TableContext& context_;
  Scratch& scratch_;
  ProofRuns runs_;
  Attribution attribution_;
  ProofEvidence evidence_;
  ProbeRequest choice_;
  std::optional<Partition> tied_;  // a partition in which rows with equal keys were counted
  std::vector<ProofRun> firsts_;
  std::vector<std::vector<ProofRun>> laters_;
};

}  // namespace

Result<ProofReport> Prove(const ProveRequest& request) {
  RF_ASSIGN(const std::unique_ptr<Scratch> scratch,
            request.warehouse->OpenScratch(request.scratch_folder));
  return Prover(request, *scratch).Run();
}

}  // namespace retrofill
