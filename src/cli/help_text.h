#pragma once

#include <string>
#include <vector>

#include "cli/verb_flags.h"

namespace retrofill {

// One flag or argument as its help prints it.
struct HelpEntry {
  std::string left;  // `-n,--dry-run`, `--reason R`, `TABLE`
  std::string help;
};

struct HelpEntries {
  std::vector<HelpEntry> arguments;
  std::vector<HelpEntry> flags;
  std::string usage;  // `TABLE [SEL...]`
};

// The help of one command: what it does, how it is called, its arguments and flags, the global
// flags, and one example at the end.
std::string VerbHelp(const VerbSpec& verb, const HelpEntries& own, const HelpEntries& global);

// The list of commands.
std::string ProgramHelp(const HelpEntries& global);

// The help of a word that only groups commands: `config`.
std::string GroupHelp(std::string_view group);

}  // namespace retrofill
