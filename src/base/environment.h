#pragma once

// The variables the process was started with. Nobody else reads them.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace retrofill {

// A copy of the environment, made once at start and passed on. A plain value.
class Environment {
 public:
  using Variables = std::map<std::string, std::string, std::less<>>;

  // The environment of this process.
  static Environment OfProcess();
  explicit Environment(Variables variables) : variables_(std::move(variables)) {}

  // The value; nothing if the variable is not set or is empty.
  std::optional<std::string> Find(std::string_view name) const;
  bool IsOn(std::string_view name) const { return Find(name) == "1"; }
  const Variables& variables() const { return variables_; }

  // Whether RETROFILL_TEST=1 allows the hooks of tests: RETROFILL_CLOCK, _POINTS, _POINTS_LOG,
  // _USER, _HOST. `version` and `doctor` say so, and the journal records it.
  bool hooks_on() const { return IsOn("RETROFILL_TEST"); }

  // All unknown RETROFILL_ variables, and hooks without RETROFILL_TEST=1: kInvalid C0205 each, in
  // order of names.
  std::vector<Error> Problems() const;

 private:
  Variables variables_;
};

}  // namespace retrofill
