#pragma once

// `prove`, and the proof gate of `run`.

#include <functional>
#include <optional>
#include <string>

#include "base/error.h"
#include "engine/engine_context.h"
#include "engine/proof_report.h"

namespace retrofill {

struct ProveOptions {
  std::optional<int> samples;
  std::function<void(const std::string& doing)> progress;
  std::function<bool()> stop;
};

// Proves a backfill's plan and records the outcome and the certificate in the journal. A plan that
// has a certificate which still holds is proven again all the same. Errors as Prove.
Result<ProofReport> ProveBackfill(const EngineContext& engine, const std::string& backfill,
                                  const ProveOptions& options);

// Proves a table as it is now, over all partitions from `begin` to the watermark; records the
// certificate alone, so that a later plan of the same transform finds it.
Result<ProofReport> ProveTable(const EngineContext& engine, const std::string& table,
                               const ProveOptions& options);

// Uses a certificate of the same table that still holds for the plan's code, engine, schema and
// partitions: records it as this backfill's proof and returns true. False if there is none.
Result<bool> AdoptCertificate(const EngineContext& engine, const std::string& backfill);

}  // namespace retrofill
