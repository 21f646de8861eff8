// Steps that put the project's folder, clock and operator into place.

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "scenario_run.h"
#include "target.h"

namespace retrofill::scenario {
namespace {

namespace fs = std::filesystem;

std::string BlockText(const Line& line) {
  return line.block.empty() ? std::string() : Join(line.block, "\n") + "\n";
}

}  // namespace

std::optional<Status> ScenarioRun::FileStep(const Line& line) {
  const std::string& verb = line.verb;
  if (verb == "project") return CopyProject(line);
  if (verb == "edit") return EditFile(line);
  if (verb == "clock") return SetClock(line);
  if (verb == "mode") return SetMode(line);
  if (verb == "file_limit") return SetFileLimit(line);
  if (verb == "file") {
    const std::string path = PathOf(line.rest);
    RF_TRY(MakeFolders(FolderOf(path)));
    return WriteFileAtomically(path, BlockText(line));
  }
  if (verb == "remove") {
    const std::string path = PathOf(line.rest);
    return FolderExists(path) ? RemoveFolder(path) : RemoveFile(path);
  }
  if (verb == "damage") return Damage(line);
  if (verb == "seal") return SealPlan(line);
  if (verb == "grow") return GrowFile(line);
  if (verb == "database") return database_ = line.rest, Ok();
  if (verb == "secret") return secrets_.push_back(line.rest), Ok();
  if (verb == "cd") return project_ = PathOf(line.rest), Ok();
  if (verb == "as") {
    operator_ = {.user = line.rest, .host = "laptop-of-" + line.rest};
    return Ok();
  }
  if (verb == "env") {
    const size_t equals = line.rest.find('=');
    if (equals == std::string::npos) return Failed(line, "expected NAME=VALUE");
    extra_variables_[line.rest.substr(0, equals)] = line.rest.substr(equals + 1);
    return Ok();
  }
  return std::nullopt;
}

// A fixture's `setup.sql` is run on the target and not part of the project.
Status ScenarioRun::CopyProject(const Line& line) {
  const std::string from = options_.fixtures + "/" + line.rest;
  if (!FolderExists(from)) return Failed(line, "no such fixture");
  std::error_code error;
  fs::copy(from, project_, fs::copy_options::recursive, error);
  if (error) return Failed(line, error.message());
  const std::string setup = PathOf("setup.sql");
  if (!FileExists(setup)) return Ok();
  RF_ASSIGN(const std::string sql, ReadFile(setup));
  RF_TRY(ExecuteSql(DatabasePath(), sql));
  return RemoveFile(setup);
}

// `edit FILE s/old/new/`: literal text, every place; no place is a failure.
Status ScenarioRun::EditFile(const Line& line) {
  const size_t blank = line.rest.find(' ');
  if (blank == std::string::npos) return Failed(line, "expected `edit FILE s/old/new/`");
  const std::string path = PathOf(line.rest.substr(0, blank));
  const std::string_view command = Trim(std::string_view(line.rest).substr(blank));
  if (command.size() < 4 || command[0] != 's') return Failed(line, "expected s/old/new/");
  const std::vector<std::string> parts = Split(command.substr(1), command[1]);
  if (parts.size() != 4 || parts[1].empty()) return Failed(line, "expected s/old/new/");
  RF_ASSIGN(std::string text, ReadFile(path));
  size_t at = text.find(parts[1]);
  if (at == std::string::npos) return Failed(line, "the file has no such text");
  while (at != std::string::npos) {
    text.replace(at, parts[1].size(), parts[2]);
    at = text.find(parts[1], at + parts[2].size());
  }
  return WriteFileAtomically(path, text);
}

// `damage FILE [from PERCENT]`: overwrites 16 KiB. At the start, neither header nor first page of a
// file can be read; further in, only what lies there.
Status ScenarioRun::Damage(const Line& line) {
  const bool at_start = line.words.size() == 1;
  const std::optional<int64_t> percent = at_start ? 0 : ParseInteger(line.words.back());
  if (!percent || *percent > 99 || (!at_start && line.words.size() != 3)) {
    return Failed(line, "expected `damage FILE [from PERCENT]`");
  }
  const std::string path = PathOf(line.words[0]);
  RF_ASSIGN(std::string bytes, ReadFile(path));
  const size_t first = bytes.size() * static_cast<size_t>(*percent) / 100;
  for (size_t i = first; i < std::min(bytes.size(), first + 16384); ++i) bytes[i] = 'x';
  return WriteFileAtomically(path, bytes);
}

// `seal FILE`: gives a plan that was edited the hash that fits, as whoever makes plans by another
// program would.
Status ScenarioRun::SealPlan(const Line& line) {
  RF_ASSIGN(const std::string text, ReadFile(PathOf(line.rest)));
  RF_ASSIGN(Json json, Json::Parse(text));
  json.Remove("hash");
  json["hash"] = Sha256Hex(json.Canonical());
  return WriteFileAtomically(PathOf(line.rest), json.Indented());
}

// `grow FILE to 10MiB`: writes what it holds over and over.
Status ScenarioRun::GrowFile(const Line& line) {
  if (line.words.size() != 3 || line.words[1] != "to") return Failed(line, "expected `to SIZE`");
  RF_ASSIGN(const int64_t size, ParseByteSize(line.words[2]));
  const std::string path = PathOf(line.words[0]);
  RF_ASSIGN(const std::string text, ReadFile(path));
  if (text.empty()) return Failed(line, "it is empty");
  std::string grown;
  while (static_cast<int64_t>(grown.size()) < size) grown += text;
  return WriteFileAtomically(path, grown);
}

// `mode PATH 555`: for the programs of the scenario, also when root starts them.
Status ScenarioRun::SetMode(const Line& line) {
  if (line.words.size() != 2) return Failed(line, "expected `mode PATH OCTAL`");
  const std::string& digits = line.words[1];
  unsigned mode = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), mode, /*base=*/8);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return Failed(line, "expected an octal number");
  }
  const std::string path = PathOf(line.words[0]);
  if (chmod(path.c_str(), mode) != 0) return WriteError("change the mode of", path, errno);
  return Ok();
}

// `file_limit 4MiB`, `file_limit none`.
Status ScenarioRun::SetFileLimit(const Line& line) {
  file_limit_.reset();
  if (line.rest == "none") return Ok();
  RF_ASSIGN(file_limit_, ParseByteSize(line.rest));
  return Ok();
}

Status ScenarioRun::SetClock(const Line& line) {
  if (line.rest.starts_with('+')) {
    if (!clock_.has_value()) return Failed(line, "no clock was set");
    RF_ASSIGN(const absl::Duration by, ParseDuration(line.rest.substr(1)));
    *clock_ += by;
    return Ok();
  }
  RF_ASSIGN(clock_, ParseInstant(line.rest));
  return Ok();
}

}  // namespace retrofill::scenario
