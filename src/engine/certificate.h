#pragma once

// The certificate of a proof (verification document, 5.8; docs/formats/certificate.md).

#include "engine/proof_findings.h"
#include "engine/prover.h"

namespace retrofill {

// Everything the proof is bound to and found. `runs` counts what ran.
Json MakeCertificate(const ProveRequest& request, const ProofEvidence& evidence,
                     const ProofReport& report);

// `p-` and the first 16 hex digits of the canonical form's SHA-256.
std::string CertificateId(const Json& certificate);

}  // namespace retrofill
