#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>

#include "base/text.h"
#include "cli/flags.h"
#include "cli/help_text.h"
#include "cli/verb_flags.h"

namespace retrofill {
namespace {

struct Needed {
  std::string name;
  std::string help;
  const std::string* value;
};

// A check of CLI11: what is wrong with a text, empty if nothing is.
std::function<std::string(const std::string&)> FromOne(const std::string& most) {
  return [most](const std::string& text) -> std::string {
    const std::optional<int64_t> number = ParseInteger(text);
    if (number && *number >= 1 && *number <= std::numeric_limits<int>::max()) return "";
    return fmt::format("`{}` is not a whole number from 1 {}", text,
                       most.empty() ? "up" : "to " + most);
  };
}

// Declares flags to CLI11 and remembers them for the help and for suggestions.
class CliFlags : public Flags {
 public:
  explicit CliFlags(CLI::App* app) : app_(app) {}

  void Switch(const std::string& names, bool* given, const std::string& help) override {
    app_->add_flag(names, *given, help);
    Remember(names, "", help);
  }
  void Text(const std::string& names, std::string* value, const std::string& kind,
            const std::string& help) override {
    Value(app_->add_option(names, *value, help));
    Remember(names, kind, help);
  }
  void OptionalText(const std::string& names, std::optional<std::string>* value,
                    const std::string& kind, const std::string& help) override {
    Value(app_->add_option_function<std::string>(
        names, [value](const std::string& text) { *value = text; }, help));
    Remember(names, kind, help);
  }
  void Align(const std::string& names, retrofill::Align* value, const std::string& help) override {
    const std::map<std::string, retrofill::Align> words = {{"in", retrofill::Align::kIn},
                                                           {"out", retrofill::Align::kOut}};
    app_->add_option(names, *value, help)->transform(CLI::CheckedTransformer(words));
    Remember(names, "in|out", help);
  }
  void Number(const std::string& names, int* value, const std::string& help,
              const std::string& most) override {
    app_->add_option(names, *value, help)->check(FromOne(most));
    Remember(names, "N", help);
  }
  void Number(const std::string& names, std::optional<int>* value, const std::string& help,
              const std::string& most) override {
    app_->add_option_function<int>(
            names, [value](const int& number) { *value = number; }, help)
        ->check(FromOne(most));
    Remember(names, "N", help);
  }
  void List(const std::string& names, std::vector<std::string>* values, const std::string& kind,
            const std::string& help) override {
    Value(app_->add_option(names, *values, help)->allow_extra_args(false));
    Remember(names, kind, help);
  }
  void Argument(const std::string& name, std::string* value, const std::string& help,
                bool needed) override {
    app_->add_option(name, *value, help);
    entries_.arguments.push_back({name, help});
    entries_.usage += needed ? " " + name : " [" + name + "]";
    if (needed) needed_.push_back({name, help, value});
  }
  void Rest(const std::string& name, std::vector<std::string>* values,
            const std::string& help) override {
    app_->add_option(name, *values, help);
    entries_.arguments.push_back({name, help});
    entries_.usage += " [" + name + "...]";
  }

  const HelpEntries& entries() const { return entries_; }
  const std::vector<Needed>& needed() const { return needed_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  // A flag in the place of a value is a forgotten value, not a value.
  static void Value(CLI::Option* option) {
    option->check([](const std::string& text) {
      return text.starts_with("--") ? std::string("needs a value") : std::string();
    });
  }
  void Remember(const std::string& names, const std::string& kind, const std::string& help) {
    const std::vector<std::string> all = Split(names, ',');
    names_.insert(names_.end(), all.begin(), all.end());
    entries_.flags.push_back({Join(all, ", ") + (kind.empty() ? "" : " " + kind), help});
  }

  CLI::App* app_;
  HelpEntries entries_;
  std::vector<Needed> needed_;
  std::vector<std::string> names_;
};

struct Declared {
  const VerbSpec* spec = nullptr;
  CLI::App* app = nullptr;
  VerbArguments arguments;
  std::unique_ptr<CliFlags> flags;
};

CLI::App* AddCommand(CLI::App& parent, const std::string& name) {
  CLI::App* app = parent.add_subcommand(name);
  app->set_help_flag();
  app->fallthrough();
  app->allow_extras();
  app->require_subcommand(0, 1);
  return app;
}

Error UnknownFlag(const std::string& typed, const std::vector<std::string>& known) {
  const std::string flag = typed.substr(0, typed.find('='));
  if (IsLaterFlag(flag)) {
    return Fail(ErrorCode::kInvalid, "C0201", "flag `{}` is not available in this version", flag);
  }
  Error error = Fail(ErrorCode::kInvalid, "C0201", "unknown flag `{}`", flag);
  if (const auto near = Nearest(flag, known)) {
    return std::move(error).Help(fmt::format("did you mean `{}`?", *near));
  }
  return std::move(error).Help("`-h` lists the flags of a command");
}

Error UnknownCommand(const std::string& typed) {
  if (IsLaterVerb(typed)) {
    return Fail(ErrorCode::kInvalid, "C0201", "command `{}` is not available in this version",
                typed);
  }
  Error error = Fail(ErrorCode::kInvalid, "C0201", "unknown command `{}`", typed);
  std::vector<std::string> words = CommandNames();
  words.emplace_back("apply");
  words.emplace_back("config");
  if (const auto near = Nearest(typed, words)) {
    return std::move(error).Help(fmt::format("did you mean `retrofill {}`?", *near));
  }
  return std::move(error).Help("`retrofill -h` lists the commands");
}

Error MissingGroupCommand(const std::string& group, const std::vector<std::string>& rest) {
  std::vector<std::string> commands;
  for (const VerbSpec& verb : Verbs()) {
    if (verb.name.starts_with(group + " ")) {
      commands.emplace_back(verb.name.substr(group.size() + 1));
    }
  }
  if (rest.empty()) {
    return Fail(ErrorCode::kInvalid, "C0202", "`retrofill {}` needs a command after it", group)
        .Help("one of " + Join(commands, ", "));
  }
  Error error = Fail(ErrorCode::kInvalid, "C0201", "unknown command `{} {}`", group, rest.front());
  if (const auto near = Nearest(rest.front(), commands)) {
    return std::move(error).Help(fmt::format("did you mean `retrofill {} {}`?", group, *near));
  }
  return std::move(error).Help("one of " + Join(commands, ", "));
}

// What is left over after parsing: an unknown flag before an argument too many.
Status CheckExtras(const std::vector<std::string>& extras, const Declared* verb,
                   const CliFlags& global) {
  if (extras.empty()) return Ok();
  for (const std::string& extra : extras) {
    if (!extra.starts_with("-") || extra == "-") continue;
    std::vector<std::string> known = global.names();
    if (verb != nullptr) {
      known.insert(known.end(), verb->flags->names().begin(), verb->flags->names().end());
    }
    return UnknownFlag(extra, known);
  }
  return Fail(ErrorCode::kInvalid, "C0201", "unexpected argument `{}`", extras.front())
      .Help(fmt::format("`retrofill {} -h` says what it takes", verb->spec->name));
}

Status CheckNeeded(const Declared& verb) {
  for (const Needed& needed : verb.flags->needed()) {
    if (!needed.value->empty()) continue;
    return Fail(ErrorCode::kInvalid, "C0202", "`retrofill {}` needs {}: {}", verb.spec->name,
                needed.name, needed.help)
        .Help(fmt::format("for example `{}`", verb.spec->example));
  }
  const auto* plan = std::get_if<PlanArguments>(&verb.arguments);
  if (plan != nullptr && plan->target.selection.empty()) {
    return Fail(ErrorCode::kInvalid, "C0202", "`retrofill plan` needs partitions after the table")
        .Help("for example `2026-01`, `2025-11..2026-01`, or `..` for all up to the watermark");
  }
  return Ok();
}

// The argument before which CLI11 gave up is only in the text of its exception; the flag is named
// first there.
Error FromCli(const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string flag = text.substr(0, text.find_first_of(": "));
  const int code = error.get_exit_code();
  const bool missing = code == static_cast<int>(CLI::ExitCodes::ArgumentMismatch) ||
                       text.find("needs a value") != std::string::npos;
  if (missing && text.find("received") == std::string::npos) {
    return Fail(ErrorCode::kInvalid, "C0202", "flag `{}` needs a value", flag);
  }
  if (missing) return Fail(ErrorCode::kInvalid, "C0103", "flag `{}` is given twice", flag);
  return Fail(ErrorCode::kInvalid, "C0103", "bad value of a flag: {}", text);
}

class Parser {
 public:
  Parser() : global_flags_(&app_) {
    app_.set_help_flag();
    app_.allow_extras();
    app_.require_subcommand(0, 1);
    DeclareGlobalFlags(global_flags_, invocation_.global, &json_, &help_);
    for (const VerbSpec& spec : Verbs()) Declare(spec);
  }

  Result<Invocation> Parse(std::span<const std::string> arguments) {
    for (const std::string& argument : arguments) {
      if (argument == "--") break;
      if (argument.starts_with("--") && argument.ends_with("=")) {
        return Fail(ErrorCode::kInvalid, "C0202", "flag `{}` needs a value",
                    argument.substr(0, argument.size() - 1));
      }
    }
    try {
      // CLI11 takes them from the back.
      app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& error) {
      return FromCli(error);
    }
    return Finish();
  }

 private:
  void Declare(const VerbSpec& spec) {
    const std::vector<std::string> words = Split(spec.name, ' ');
    CLI::App* parent = &app_;
    if (words.size() == 2) {
      CLI::App*& group = groups_[words[0]];
      if (group == nullptr) group = AddCommand(app_, words[0]);
      parent = group;
    }
    Declared& declared = verbs_.emplace_back();
    declared.spec = &spec;
    declared.app = AddCommand(*parent, words.back());
    if (spec.name == "run") declared.app->alias("apply");
    declared.flags = std::make_unique<CliFlags>(declared.app);
    spec.declare(*declared.flags, declared.arguments);
  }

  Result<Invocation> Help(std::string verb, std::string text) {
    invocation_.verb = std::move(verb);
    invocation_.arguments = HelpArguments{std::move(text)};
    return std::move(invocation_);
  }

  // `--json` is `--format json`.
  Status TakeJson() {
    std::string& format = invocation_.global.format;
    if (!json_) return Ok();
    if (!format.empty() && format != "json") {
      return Fail(ErrorCode::kInvalid, "C0206", "`--json` and `--format {}` exclude each other",
                  format);
    }
    format = "json";
    return Ok();
  }

  Result<Invocation> Finish() {
    RF_TRY(TakeJson());
    const std::vector<std::string> extras = app_.remaining(true);
    const auto verb = std::find_if(verbs_.begin(), verbs_.end(),
                                   [](const Declared& each) { return each.app->parsed(); });
    if (verb == verbs_.end()) return WithoutVerb(extras);
    if (help_) {
      return Help(std::string(verb->spec->name),
                  VerbHelp(*verb->spec, verb->flags->entries(), global_flags_.entries()));
    }
    RF_TRY(CheckExtras(extras, &*verb, global_flags_));
    RF_TRY(CheckNeeded(*verb));
    const std::string& color = invocation_.global.color;
    if (!color.empty() && color != "auto" && color != "always" && color != "never") {
      return Fail(ErrorCode::kInvalid, "C0103", "`--color {}` is not one of auto, always, never",
                  color);
    }
    invocation_.verb = verb->spec->name;
    invocation_.arguments = std::move(verb->arguments);
    return std::move(invocation_);
  }

  Result<Invocation> WithoutVerb(const std::vector<std::string>& extras) {
    for (const auto& [name, app] : groups_) {
      if (!app->parsed()) continue;
      if (help_) return Help(name, GroupHelp(name));
      return MissingGroupCommand(name, extras);
    }
    const auto word = std::find_if(extras.begin(), extras.end(), [](const std::string& extra) {
      return !extra.starts_with("-");
    });
    if (word != extras.end() && !help_) return UnknownCommand(*word);
    RF_TRY(CheckExtras(extras, nullptr, global_flags_));
    if (!help_) {
      return Fail(ErrorCode::kInvalid, "C0202", "`retrofill` needs a command")
          .Help("`retrofill -h` lists the commands");
    }
    return Help("", ProgramHelp(global_flags_.entries()));
  }

  CLI::App app_;
  Invocation invocation_;
  bool json_ = false;
  bool help_ = false;
  CliFlags global_flags_;
  std::map<std::string, CLI::App*> groups_;
  std::deque<Declared> verbs_;  // never moves: CLI11 holds pointers into it
};

}  // namespace

Result<Invocation> ParseArguments(std::span<const std::string> arguments) {
  return std::make_unique<Parser>()->Parse(arguments);
}

bool AsksForJson(std::span<const std::string> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") return false;
    if (argument == "--json" || argument == "--format=json") return true;
    if (argument == "--format" && i + 1 < arguments.size() && arguments[i + 1] == "json") {
      return true;
    }
  }
  return false;
}

std::vector<std::string> CommandNames() {
  std::vector<std::string> names;
  for (const VerbSpec& verb : Verbs()) names.emplace_back(verb.name);
  return names;
}

}  // namespace retrofill
