#pragma once

#include <string>

#include "base/error.h"

namespace retrofill {

// The problem object of the API and of `--json` (RFC 9457): `type` (a path that ends in the code),
// `title`, `detail`, `code`, `exit`, `help`, `notes`, `context`, and `origin` where there is one.
// One line of JSON. `exit` is the exit status that the caller ends with.
std::string ProblemJson(const Error& error, int exit);

// One diagnostic as the object that `warnings` lists hold: `level`, `code`, `message`, `notes`,
// `help`, `origin`.
std::string DiagnosticJson(const Diagnostic& diagnostic);

}  // namespace retrofill
