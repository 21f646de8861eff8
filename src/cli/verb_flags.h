#pragma once

#include <span>
#include <string_view>

#include "cli/arguments.h"
#include "cli/flags.h"

namespace retrofill {

// One command: how it is called and what it takes.
struct VerbSpec {
  std::string_view name;     // "config check"
  std::string_view summary;  // one line of the list of commands
  std::string_view about;    // further sentences of its help, may be empty
  std::string_view example;  // the command line that ends its help
  std::string_view formats;  // "text json", the first one is the default
  bool changes;              // anything, anywhere: refused with --readonly
  // Puts the verb's struct into `arguments` and declares its flags; the struct must stay where it
  // is until the line is read.
  void (*declare)(Flags& flags, VerbArguments& arguments);
};

// Every command of this version, in the order in which a backfill uses them.
std::span<const VerbSpec> Verbs();
const VerbSpec* FindVerb(std::string_view name);

void DeclareGlobalFlags(Flags& flags, GlobalArguments& global, bool* json, bool* help);

// Commands and flags that the design has and this version has not. They are refused by name, so
// that nobody takes a missing capability for a typing error.
bool IsLaterVerb(std::string_view name);
bool IsLaterFlag(std::string_view flag);

}  // namespace retrofill
