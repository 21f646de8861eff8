#pragma once

// Which partitions a proof tries (verification document, 5.5).

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/proof_report.h"
#include "model/partition_set.h"
#include "model/space.h"

namespace retrofill {

struct ProbeRequest {
  const PartitionSpace* space = nullptr;
  PartitionSet planned;                      // not empty
  PartitionSet fills;                        // without rows in the target
  std::map<Partition, int64_t> source_rows;  // of all of `planned`
  int samples = 6;
  int64_t max_rows = 0;   // of one probe, in source rows
  std::string_view seed;  // draws one
};

// By partition, each with why it was chosen: median size, one that fills a gap, a day with a clock
// change, month end (29 February preferred), the largest, an empty one, the newest, others drawn. A
// plan of no more partitions than samples gives all.
std::vector<ProofProbe> ChooseProbes(const ProbeRequest& request);

// Up to `count` adjacent partitions of one cell run that hold a probe, across a month's end if
// there is one: what a batch is tried on. Fewer than 2 if no two planned partitions are adjacent.
std::vector<Partition> ChooseBatch(const ProbeRequest& request,
                                   const std::vector<ProofProbe>& probes, int count);

}  // namespace retrofill
