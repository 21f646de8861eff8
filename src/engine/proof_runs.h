#pragma once

// The runs of a proof: a transform run for a unit of work, with things changed that must not matter
// (verification document, 5.2 and 5.3).

#include <absl/time/time.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "engine/prover.h"
#include "model/partition_set.h"
#include "transform/select_tree.h"
#include "warehouse/scratch.h"

namespace retrofill {

// What a run changes; a set is their sum.
enum Perturbation : unsigned {
  kPastClock = 1,       // 40 years before the unit
  kFutureClock = 2,     // 40 years after as-of
  kOtherZone = 4,       // the session's zone
  kOwnResult = 8,       // the target holds what the transform gave before
  kEmptied = 16,        // the target holds nothing for the unit
  kTargetOutside = 32,  // the target's other rows are edited
  kSourceOutside = 64,  // windowed inputs hold their window and sentinels alone
  kOtherInputs = 128,   // unwindowed inputs are edited
  kOrder = 256,         // rows lie in another order, ties are broken at random
  kOneThread = 512,
  kOtherOrder = 1024,  // yet another order than kOrder's
};
using Perturbations = unsigned;

struct ProofRun {
  std::string name;  // scratch relation
  ScratchFacts facts;
};

// One thread. The request and the scratch outlive it.
class ProofRuns {
 public:
  ProofRuns(const ProveRequest& request, Scratch& scratch);

  // Reads the parse tree of one unit's statement. Where the engine gives none, or one that does not
  // survive the way back to text, `tree` stays empty and ties are not broken.
  Status Analyse(const PartitionSet& unit);
  const std::vector<QueryFact>& facts() const { return facts_; }
  const RenderedSql& analysed() const { return analysed_; }
  bool has_tree() const { return has_tree_; }
  bool has_ties() const { return has_ties_; }  // there is an order that ties could decide
  bool reads_target() const { return reads_target_; }
  bool reads_unwindowed() const { return reads_unwindowed_; }
  // Relations of production that the statement names itself, not by a placeholder.
  const std::vector<std::string>& outsiders() const { return outsiders_; }

  // Runs the transform. `own` is the run whose rows kOwnResult puts into the target.
  Result<ProofRun> Run(const PartitionSet& unit, Perturbations what, const std::string& own = "");
  // The facts of a run without these columns too.
  Result<ScratchFacts> FactsWithout(const std::string& run, const PartitionSet& unit,
                                    const std::set<std::string>& columns);
  Result<std::vector<std::string>> DifferingColumns(const std::string& a, const std::string& b,
                                                    const PartitionSet& unit,
                                                    const std::set<std::string>& without);
  // The statement that asks a fact's question for a unit; none if it cannot be asked.
  Result<std::vector<std::optional<int64_t>>> AskUndecided(const PartitionSet& unit,
                                                           const std::vector<size_t>& facts);
  Result<ScratchFacts> UnitedFacts(const std::vector<std::string>& runs, const PartitionSet& unit);
  FactsRequest RequestFor(const PartitionSet& unit, const std::set<std::string>& without) const;
  const std::string& last_united() const { return last_united_; }
  int runs_made() const { return runs_made_; }

 private:
  Result<std::string> CopyOf(size_t input, const PartitionSet& unit, Perturbations what);
  Status PlaceInputs(RenderContext& context, const PartitionSet& unit, Perturbations what);
  Status PlaceTarget(RenderContext& context, const PartitionSet& unit, Perturbations what,
                     const std::string& own);
  Result<std::string> WithRandomTies(const std::string& sql);
  ScratchSurroundings SurroundingsOf(const PartitionSet& unit, Perturbations what) const;
  Result<SelectTree> TreeOf(const std::string& sql);

  const ProveRequest& request_;
  const TableContext& context_;
  Scratch& scratch_;
  absl::Time started_;  // what the clock says in runs that do not change it
  std::vector<QueryFact> facts_;
  RenderedSql analysed_;
  bool has_tree_ = false;
  bool has_ties_ = false;
  bool reads_target_ = false;
  bool reads_unwindowed_ = false;
  std::vector<std::string> outsiders_;
  std::map<std::string, std::string> copies_;  // what was copied -> name
  bool sentinels_edited_ = true;  // off once a transform fails on edited rows that it does not use
  std::string last_united_;
  int runs_made_ = 0;
};

// The clocks of a proof.
absl::Time PastClock(const PartitionSet& unit, absl::Time as_of);
// 40 years on, then by days until month, day, weekday, hour and summer time differ from as-of's.
absl::Time FutureClock(absl::Time as_of, const Zone& zone);

}  // namespace retrofill
