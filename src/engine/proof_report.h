#pragma once

// What a proof found (verification document, 5): values for the terminal, the report and the
// certificate.

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "model/space.h"
#include "model/verdict.h"

namespace retrofill {

// A partition that was tried.
struct ProofProbe {
  Partition partition;
  std::string key;           // KeyText
  std::string reason;        // "median size", "fills a gap", "month end"
  int64_t source_rows = -1;  // -1 = not known
  int64_t result_rows = 0;
};

// One line of the output.
struct ProofProperty {
  std::string id;     // "fixpoint", "history_free", "confined", "read_scoped", "environment_free",
                      // "clock_free", "composable", "production_untouched"
  std::string label;  // "run again, same rows"
  Verdict verdict = Verdict::kIndeterminate;
  std::string detail;  // "3/3", "0 rows outside [start, end)"
};

// A static finding and how it was settled.
struct ProofFinding {
  Diagnostic diagnostic;
  std::string settled;  // why it does not count: "order keys are unique in 365 partitions",
                        // "allowed: REASON", "`loaded_at` is set aside"; empty = it counts
};

struct ProofReport {
  std::string table;
  std::vector<ProofProbe> probes;  // by partition
  std::vector<ProofProperty> properties;
  std::vector<ProofFinding> findings;   // all, also the settled ones
  std::vector<Diagnostic> diagnostics;  // to show: errors first, then unsettled warnings
  std::vector<std::string> limits;      // what the proof cannot see (5.9)
  bool proven = false;                  // every property ok and no error left
  bool batch_proven = false;            // a batch gave the same rows as one by one
  int ok = 0, failed = 0, unknown = 0;  // properties, by verdict
  std::string certificate_id;           // "p-" and 16 hex digits of the certificate's hash
  Json certificate;                     // docs/formats/certificate.md
  int64_t milliseconds = 0;

  // `Is revenue_daily safe to run again?` and the lines below it up to `not proven  (7 ok, 1
  // failed)`, without the diagnostics; no newline at the ends.
  std::vector<std::string> HeadLines() const;
  std::string LastLine() const;  // "proven  (8 ok)", "not proven  (7 ok, 1 failed)"
};

}  // namespace retrofill
