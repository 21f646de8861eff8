#pragma once

// `clean`: stages and pre-images whose time is over, and scratch files of proofs that were killed.

#include <string>
#include <vector>

#include "base/error.h"
#include "engine/engine_context.h"
#include "warehouse/publish.h"

namespace retrofill {

struct CleanEntry {
  std::string connection;
  StoredObject object;
  std::string file;      // in place of both: a scratch file
  std::string backfill;  // empty: no plan of this journal made it
  std::string why;       // "stage of cancelled backfill x", "pre-image, kept until ..."
  bool expired = false;  // may be dropped
};

// Lists every stage and pre-image in the project's databases (publish document, 12), and every
// scratch file. Objects that no plan of this journal made, and files that a process holds, are
// listed and never dropped. Nothing is written.
Result<std::vector<CleanEntry>> ListCleanable(const EngineContext& engine);

// Drops those of the entries that are expired; a drop that fails is returned in `failed` and tried
// again next time.
struct CleanResult {
  int64_t dropped = 0;
  std::vector<std::string> failed;
};
Result<CleanResult> Clean(const EngineContext& engine, const std::vector<CleanEntry>& entries);

}  // namespace retrofill
