#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/environment.h"
#include "cli/arguments.h"
#include "cli/format.h"
#include "cli/terminal.h"

namespace retrofill {

// What every command runs in. Made once by the program; main thread only.
struct Context {
  Context(GlobalArguments global_arguments, Environment variables, std::unique_ptr<Clock> time)
      : global(std::move(global_arguments)),
        environment(std::move(variables)),
        clock(std::move(time)),
        terminal(global, environment) {}

  GlobalArguments global;
  Environment environment;
  std::unique_ptr<Clock> clock;
  Terminal terminal;
  Format format = Format::kText;
  std::vector<Error> further_problems{};  // beside the error that ends the command
  std::vector<Diagnostic> warnings{};     // printed with whatever the command says

  bool is_text() const { return format == Format::kText; }
  // The caller said that it is a program acting for a person.
  bool is_agent() const { return environment.Find("RETROFILL_CALLER") == "agent"; }
  // `user@host` of whoever calls; RETROFILL_USER and RETROFILL_HOST stand in for them in tests.
  std::string Actor() const;
};

}  // namespace retrofill
