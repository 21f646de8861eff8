#pragma once

#include <string>

#include "base/json.h"
#include "engine/proof_report.h"
#include "report/diagnostic_text.h"

namespace retrofill {

// What `prove` prints: samples and properties, then what is wrong with its place, then the outcome.
std::string ProofText(const ProofReport& report, const DiagnosticStyle& style = {});
Json ProofJson(const ProofReport& report);

}  // namespace retrofill
