#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "report/next_steps.h"

namespace retrofill {

// What a command has to say. Both forms are filled; the caller prints the one that was asked for.
struct Answer {
  int exit = 0;
  std::string type;  // "plan.created"; names the schema of `data`
  Json data = Json::Object();
  std::string text;                   // for standard output, ends with a newline or is empty
  std::optional<Error> error;         // why the exit status is not 0; printed to standard error
  std::vector<Error> further_errors;  // beside it; all are reported, not the first
  std::vector<Diagnostic> warnings;   // printed to standard error
  std::optional<int64_t> seq;         // of the journal
  std::string plan;                   // hash
  std::vector<NextStep> next;         // best first
};

}  // namespace retrofill
