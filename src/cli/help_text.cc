#include "cli/help_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace retrofill {
namespace {

constexpr size_t kWidth = 100;

// `  left   help`, the help wrapped below itself.
std::string Table(const std::vector<HelpEntry>& entries) {
  size_t left = 0;
  for (const HelpEntry& entry : entries) left = std::max(left, entry.left.size());
  const size_t column = std::min<size_t>(left, 38) + 4;
  std::string text;
  for (const HelpEntry& entry : entries) {
    std::string line = "  " + entry.left;
    if (line.size() + 2 > column) {
      text += line + "\n";
      line.clear();
    }
    line.resize(column, ' ');
    size_t at = 0;
    bool first_word = true;
    while (at < entry.help.size()) {
      const size_t end = std::min(entry.help.find(' ', at), entry.help.size());
      const std::string word = entry.help.substr(at, end - at);
      if (!first_word && line.size() + 1 + word.size() > kWidth) {
        text += line + "\n";
        line = std::string(column, ' ') + word;
      } else {
        line += (first_word ? "" : " ") + word;
      }
      first_word = false;
      at = end + 1;
    }
    text += line + "\n";
  }
  return text;
}

std::string Verbs(std::string_view prefix) {
  std::vector<HelpEntry> entries;
  for (const VerbSpec& verb : retrofill::Verbs()) {
    if (!verb.name.starts_with(prefix)) continue;
    entries.push_back({std::string(verb.name), std::string(verb.summary)});
  }
  return Table(entries);
}

}  // namespace

std::string VerbHelp(const VerbSpec& verb, const HelpEntries& own, const HelpEntries& global) {
  std::string text = fmt::format("retrofill {}: {}\n", verb.name, verb.summary);
  if (!verb.about.empty()) text += std::string(verb.about) + "\n";
  text += fmt::format("\nUsage: retrofill {} [flags]{}\n", verb.name, own.usage);
  if (!own.arguments.empty()) text += "\nArguments\n" + Table(own.arguments);
  if (!own.flags.empty()) text += "\nFlags\n" + Table(own.flags);
  text += "\nGlobal flags\n" + Table(global.flags);
  text += fmt::format("\nExample\n  {}\n", verb.example);
  return text;
}

std::string ProgramHelp(const HelpEntries& global) {
  return "retrofill: rewrite history safely: plan, prove, stage, reconcile, publish, undo\n\n"
         "Usage: retrofill COMMAND [flags] [arguments]\n\nCommands\n" +
         Verbs("") + "\nGlobal flags\n" + Table(global.flags) +
         "\n`retrofill COMMAND -h` has the flags of each command.\n\nExample\n"
         "  retrofill init --demo shop\n";
}

std::string GroupHelp(std::string_view group) {
  return fmt::format("Usage: retrofill {0} COMMAND\n\nCommands\n{1}\nExample\n  retrofill {2}\n",
                     group, Verbs(std::string(group) + " "), std::string(group) + " check");
}

}  // namespace retrofill
