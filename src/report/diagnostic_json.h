#pragma once

#include "base/error.h"
#include "base/json.h"

namespace retrofill {

// The problem object of the API and of `--json` (RFC 9457): `type` (a path that ends in the code),
// `title`, `detail`, `code`, `exit`, `help`, `notes`, `context`, and `origin` where there is one.
// `exit` is the exit status that the caller ends with.
Json ProblemJson(const Error& error, int exit);

// One diagnostic as the object that `warnings` lists hold: `level`, `code`, `message`, `notes`,
// `help`, `origin`.
Json DiagnosticJson(const Diagnostic& diagnostic);

}  // namespace retrofill
